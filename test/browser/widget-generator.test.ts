import { mkdirSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { password, startDashboard, type Account, type Dashboard } from '../api/accounts/harness.ts';
import { hasChromium, launch } from './chromium.ts';
import { listening, pageOf, says } from './widget-pages.ts';

/** Where pictures go, for whoever wants to look. */
const pictures = process.env['PICTURES'];

describe.skipIf(!hasChromium)('a widget that is made in the dashboard', () => {
  let chromium: Browser;
  let dash: Dashboard;
  let account: Account;
  let site: Awaited<ReturnType<typeof listening>>;
  let served = { html: '', policy: '' };
  beforeAll(async () => {
    [chromium, dash, site] = await Promise.all([
      launch(),
      startDashboard(),
      listening((_request, response) => {
        response
          .writeHead(200, {
            'content-type': 'text/html; charset=utf-8',
            'content-security-policy': `default-src 'none'; img-src data:; ${served.policy}`,
          })
          .end(served.html);
      }),
    ]);
    await dash.resources(12);
    account = await dash.account();
  });
  afterAll(async () => {
    await chromium.close();
    await site.close();
    await dash.stop();
  });

  test.each([
    [360, 'dark'],
    [1440, 'light'],
  ] as const)(
    'works on its site and nowhere else, made at %i px',
    { timeout: 60_000 },
    async (width, theme) => {
      const { page, said } = await opened(width, theme);
      await page.goto(`${dash.origin}/dash/developers/widget`);
      if (page.url().includes('sign-in')) {
        await page.getByLabel('Email').fill(account.email);
        await page.getByLabel('Password').fill(password);
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      }
      await page.getByRole('heading', { name: 'Your widget' }).waitFor();
      const widgets = page.frameLocator('iframe').locator('resources-widget');
      for (const each of [0, 1]) await says(widgets.nth(each), '1–12 of 12');
      expect(await widgets.locator('section.dark').count()).toBe(1);
      await page.getByLabel('Language').selectOption('es');
      await page.getByLabel('Results on a page').fill('5');
      await page.getByRole('button', { name: 'Preview' }).click();
      for (const each of [0, 1]) await says(widgets.nth(each), '1–5 de 12');
      await picture(page, `widget-form-${width}`);

      await page.getByLabel('Domains').fill('library.localhost');
      await page.getByRole('button', { name: 'Create the snippet' }).click();
      await page.getByRole('heading', { name: 'Your snippet' }).waitFor();
      const [snippet = '', policy = ''] = await page.locator('.copy pre').allTextContents();
      await picture(page, `widget-made-${width}`);
      const wide = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(wide).toBeLessThanOrEqual(0);
      await page.goto(`${dash.origin}/dash/developers`);
      await picture(page, `keys-${width}`);
      await page.getByRole('link', { name: 'Widget on library.localhost' }).first().click();
      await picture(page, `key-${width}`);
      expect(said).toEqual([]);
      await page.context().close();

      served = { html: pageOf(snippet), policy: policy.replace(/\s+/g, ' ') };
      const there = await opened(width, theme);
      await there.page.goto(`http://library.localhost:${site.port}/`);
      await says(there.page.locator('resources-widget'), '1–5 de 12');
      expect(there.said).toEqual([]);
      await there.page.context().close();

      const elsewhere = await opened(width, theme);
      await elsewhere.page.goto(`http://bakery.localhost:${site.port}/`);
      await elsewhere.page.locator('resources-widget .wrong').waitFor();
      expect(elsewhere.said.join('\n')).toContain('Add bakery.localhost to the domains of the key.');
      expect(await elsewhere.page.locator('resources-widget li').count()).toBe(0);
      await elsewhere.page.context().close();
    },
  );

  /** A page with what its console says, and what it asks of others than the dashboard and the site. */
  async function opened(width: number, colorScheme: 'light' | 'dark') {
    const context = await chromium.newContext({ viewport: { width, height: 900 }, colorScheme });
    const page = await context.newPage();
    const said: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') said.push(message.text());
    });
    page.on('pageerror', (error) => said.push(String(error)));
    page.on('request', (request) => {
      const { protocol, hostname } = new URL(request.url());
      if (protocol !== 'data:' && !/^([a-z]+\.)?localhost$/.test(hostname)) said.push(request.url());
    });
    return { page, said };
  }

  async function picture(page: Page, name: string): Promise<void> {
    if (pictures === undefined) return;
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
  }
});
