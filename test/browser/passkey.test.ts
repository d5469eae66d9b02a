import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { password, startDashboard, type Dashboard } from '../api/accounts/harness.ts';
import { hasChromium, launch } from './chromium.ts';

describe.skipIf(!hasChromium)('a passkey', () => {
  let chromium: Browser;
  let dash: Dashboard;
  beforeAll(async () => {
    [chromium, dash] = await Promise.all([launch(), startDashboard()]);
  });
  afterAll(async () => {
    await chromium.close();
    await dash.stop();
  });

  test('is added, signs in to the account it was made for, even for a site, and is refused once removed', async () => {
    const account = await dash.account();
    const page = await chromium.newPage();
    await withAuthenticator(page);
    await page.goto(`${dash.origin}/dash/me/passkeys`);
    await page.getByLabel('Email').fill(account.email);
    await page.getByLabel('Password').fill(password);
    await press(page, 'Sign in');

    await page.getByLabel('Name').fill('The one of this test');
    await page.getByLabel('Password').fill(password);
    await press(page, 'Add a passkey');
    await page.getByText('The passkey is added.').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'The one of this test' }).waitFor();
    expect((await dash.mails(account.email)).at(-1)?.text).toContain('a passkey was added');
    // What the person calls it is theirs to know.
    const [added] = (await dash.events(`user-${account.user}`)).filter(({ type }) => type === 'PasskeyAdded');
    expect(JSON.stringify(added)).not.toContain('of this test');

    await press(page, 'Sign out');
    await press(page, 'Sign in with a passkey');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    const started = (await dash.events('session-')).filter(({ type }) => type === 'SessionStarted');
    expect(started.at(-1)?.data).toMatchObject({ user: account.user, amr: ['hwk', 'user'] });

    await press(page, 'Sign out');
    await page.goto(dash.origin + dash.asked(await dash.site()));
    await press(page, 'Sign in with a passkey');
    await page.getByRole('heading', { name: 'Sign in to Harbour News?' }).waitFor();

    await page.goto(`${dash.origin}/dash/me/passkeys`);
    await page.getByRole('link', { name: 'Remove The one of this test' }).click();
    await page.getByLabel('Password').fill(password);
    await press(page, 'Remove');
    await page.getByText('The passkey is removed.').waitFor();
    await press(page, 'Sign out');
    await press(page, 'Sign in with a passkey');
    await page.getByText('This passkey did not work.').waitFor();
    await page.close();
  });

  test('answers one question, once, at the browser that was asked', async () => {
    const account = await dash.account();
    const page = await chromium.newPage();
    await withAuthenticator(page);
    await page.goto(`${dash.origin}/dash/me/passkeys`);
    await page.getByLabel('Email').fill(account.email);
    await page.getByLabel('Password').fill(password);
    await press(page, 'Sign in');
    await page.getByLabel('Password').fill(password);
    await press(page, 'Add a passkey');
    await page.getByText('The passkey is added.').waitFor();
    await press(page, 'Sign out');

    const sent = page.waitForRequest((request) => request.url().endsWith('/dash/sign-in/passkey'));
    await press(page, 'Sign in with a passkey');
    const body = new URLSearchParams((await sent).postData() ?? '');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    const { cookies } = await page.context().storageState();
    const again = dash.browser();
    for (const { name, value } of cookies) again.cookies.set(name, value);
    await again.post('/dash/sign-in/passkey', body);
    expect(again.status).toBe(422);

    const elsewhere = await dash.browser().open('/dash/sign-in');
    body.set('token', elsewhere.hidden('token'));
    await elsewhere.post('/dash/sign-in/passkey', body);
    expect(elsewhere.status).toBe(422);
    await page.close();
  });

  test('is not offered where the browser runs no scripts', async () => {
    const context = await chromium.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${dash.origin}/dash/sign-in`);
    expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0);
    await context.close();
  });
});

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** A device with a lock that its owner always opens (WebDriver extension of WebAuthn Level 3, section 11). */
async function withAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
