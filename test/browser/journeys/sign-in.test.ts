import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anAddress, password, startDashboard, type Dashboard } from '../../api/accounts/harness.ts';
import { hasChromium, launch } from '../chromium.ts';
import { startSite, type LocalSite } from '../site.ts';

describe.skipIf(!hasChromium)('in a real browser, somebody', () => {
  let chromium: Browser;
  let dash: Dashboard;
  let site: LocalSite;
  let asked: string;
  beforeAll(async () => {
    [chromium, dash, site] = await Promise.all([launch(), startDashboard(), startSite()]);
    const { redirectUri } = site;
    asked =
      dash.origin +
      dash.asked(await dash.site({ redirectUris: [redirectUri] }), { redirect_uri: redirectUri });
  });
  afterAll(async () => {
    await chromium.close();
    await Promise.all([dash.stop(), site.stop()]);
  });

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

  test.each([
    ['with scripts', true],
    ['without scripts', false],
  ])(
    'registers, confirms, signs in, consents, comes back to the site, and takes it back, %s',
    async (_, scripts) => {
      const context = await chromium.newContext({ javaScriptEnabled: scripts });
      const page = await context.newPage();
      const objections: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') objections.push(message.text());
      });
      const email = anAddress();

      await page.goto(asked);
      await page.getByRole('link', { name: 'Create an account' }).click();
      await page.getByLabel('Name').fill('Sample Person');
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Password').fill(password);
      await press(page, 'Create account');
      await page.getByRole('heading', { name: 'Ask for your email' }).waitFor();

      await page.goto(dash.origin + (await dash.link(email)));
      await page.getByLabel('Password').fill(password);
      await press(page, 'Confirm and sign in');
      await page.getByRole('heading', { name: 'Sign in to Harbour News?' }).waitFor();
      await press(page, 'Allow');
      await page.getByRole('heading', { name: 'Back at the site' }).waitFor();
      expect(new URL(page.url()).searchParams.get('code')).toMatch(/^sac_/);

      await page.goto(`${dash.origin}/dash/me/apps`);
      await page.locator('summary', { hasText: 'Revoke Harbour News' }).click();
      await page.getByRole('button', { name: 'Revoke Harbour News' }).click();
      await page.getByText('The access is revoked.').waitFor();
      await press(page, 'Sign out');
      await page.getByText('You are signed out.').waitFor();

      await page.goto(asked);
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Password').fill(password);
      await press(page, 'Sign in');
      await press(page, 'Deny');
      await page.getByRole('heading', { name: 'Back at the site' }).waitFor();
      expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');
      expect(objections).toEqual([]);
      await context.close();
    },
  );

  test('gets along with the keyboard alone, and sees where they are', async () => {
    const account = await dash.account();
    const page = await chromium.newPage();
    await page.goto(asked);
    // The page gives the first field the focus when it has been drawn, which may be after it has loaded.
    await page.locator('[name=email]:focus').waitFor();
    await page.keyboard.type(account.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type('wrong');
    await page.keyboard.press('Enter');
    // What is wrong has the focus.
    await page.getByText('or the password is wrong').waitFor();
    await page.locator('[name=password]:focus').waitFor();
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sign in to Harbour News?' }).waitFor();
    await tabTo(page, 'Allow');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Back at the site' }).waitFor();

    await page.goto(`${dash.origin}/dash/me`);
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await tabTo(page, 'View Sites with access');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sites with access' }).waitFor();
    await tabTo(page, 'Revoke Harbour News');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Revoke Harbour News');
    await page.keyboard.press('Space');
    await page.getByText('The access is revoked.').waitFor();
    await tabTo(page, 'Sign out');
    await page.keyboard.press('Enter');
    await page.getByText('You are signed out.').waitFor();
    await page.close();
  });
});

/** What has the focus: its text, or the name of the field. */
const focused = (page: Page): Promise<string> =>
  page.evaluate<string>(
    `(document.activeElement.textContent.trim() || document.activeElement.name || '').replace(/\\s+/g, ' ')`,
  );

/** Presses Tab until something has the focus, which has to be seen at every step. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let step = 0; step < 30; step++) {
    await page.keyboard.press('Tab');
    const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineWidth');
    expect(outline).toBe('3px');
    if ((await focused(page)) === name) return;
  }
  throw new Error(`Tab does not lead to ${name}.`);
}
