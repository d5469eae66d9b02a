import axe from 'axe-core';
import { mkdirSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { password, startDashboard, type Account, type Dashboard } from '../api/accounts/harness.ts';
import { v1 } from '../api/harness.ts';
import { hasChromium, launch } from './chromium.ts';

/** Where pictures go, for whoever wants to look. */
const pictures = process.env['PICTURES'];

describe.skipIf(!hasChromium)('a key, from its creation to its revocation', () => {
  let chromium: Browser;
  let dash: Dashboard;
  let account: Account;
  beforeAll(async () => {
    [chromium, dash] = await Promise.all([launch(), startDashboard()]);
    await dash.resources(2);
    account = await dash.account();
    await dash.member('harbour', account, 'admin');
  });
  afterAll(async () => {
    await chromium.close();
    await dash.stop();
  });

  test.each([
    [360, 'developers'],
    [1440, 'integrations/api-tokens'],
  ] as const)('at %i px, at /dash/%s', { timeout: 60_000 }, async (width, path) => {
    const context = await chromium.newContext({
      viewport: { width, height: 900 },
      reducedMotion: 'reduce',
      colorScheme: width === 360 ? 'light' : 'dark',
    });
    await context.addInitScript({ content: axe.source });
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    const said: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') said.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(`${dash.origin}/`)) said.push(request.url());
    });
    await page.goto(`${dash.origin}/dash/sign-in`);
    await page.getByLabel('Email').fill(account.email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(({ pathname }) => !pathname.includes('sign-in'));
    await page.goto(`${dash.origin}/dash/${path}`);

    await page.getByLabel('Label').fill('Kiosk');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const secret = page.getByRole('region', { name: 'Your new key' });
    const key = (await secret.locator('code').textContent()) ?? '';
    await looksRight(page, `key-made-${width}`);
    const status = async () =>
      (await fetch(dash.origin + v1, { headers: { authorization: `Bearer ${key}` } })).status;
    expect([await status(), await status()]).toEqual([200, 200]);
    await fetch(`${dash.origin}/dash/api/v1/members`, { headers: { authorization: `Bearer ${key}` } });
    await fetch(`${dash.origin}/api/resources`, { headers: { 'x-api-key': key } });

    await page.getByRole('link', { name: 'Kiosk' }).click();
    await page.getByRole('img', { name: 'Requests per day, most 4' }).waitFor();
    await page.getByText('Programs with this key called the old address once').waitFor();
    await looksRight(page, `key-used-${width}`);

    await page.getByRole('link', { name: /^Back to/ }).click();
    await page.getByText('old address', { exact: true }).waitFor();
    await page.locator('summary', { hasText: 'Revoke' }).click();
    await looksRight(page, `key-revoking-${width}`);
    await page.locator('.asked').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('The key is revoked.').waitFor();
    expect(await status()).toBe(401);
    await looksRight(page, `key-revoked-${width}`);
    expect(said).toEqual([]);
    await context.close();
  });

  /** Nothing that axe objects to, nothing wider than the window. */
  async function looksRight(page: Page, name: string): Promise<void> {
    if (pictures !== undefined) {
      mkdirSync(pictures, { recursive: true });
      await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
    }
    const { violations } = await page.evaluate<axe.AxeResults>('axe.run(document)');
    expect(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
      name,
    ).toEqual([]);
    const wide = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect(wide, name).toBeLessThanOrEqual(0);
  }
});
