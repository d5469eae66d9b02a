import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findByEmail } from '../../../src/commands/accounts/person.ts';
import { anAddress, password, startDashboard, type Dashboard } from '../../api/accounts/harness.ts';
import { hasChromium, launch } from '../chromium.ts';

describe.skipIf(!hasChromium)('in a real browser, somebody who is invited', () => {
  let chromium: Browser;
  let dash: Dashboard;
  beforeAll(async () => {
    [chromium, dash] = await Promise.all([launch(), startDashboard()]);
  });
  afterAll(async () => {
    await chromium.close();
    await dash.stop();
  });

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  test('joins on one page, sees the team and leaves it, without scripts', async () => {
    const context = await chromium.newContext({
      javaScriptEnabled: false,
      viewport: { width: 360, height: 740 },
    });
    const page = await context.newPage();
    const email = anAddress();
    await dash.invited('harbour', email, 'reviewer');

    await page.goto(dash.origin + (await dash.link(email)));
    await page.getByRole('heading', { name: 'Join harbour' }).waitFor();
    await page.getByLabel('Name').fill('Sample Person');
    await page.getByLabel('Password').fill(password);
    await press(page, 'Join harbour as reviewer');
    await page.getByText('You have joined the team.').waitFor();
    await page.getByText('You are a reviewer').waitFor();
    const kinds = (await dash.events('team-harbour')).map(({ type }) => type);
    expect(kinds).toEqual(['TeamCreated', 'MemberInvited', 'MemberJoined']);
    await page.locator('summary', { hasText: 'Leave harbour' }).click();
    await press(page, 'Leave harbour');
    await page.getByText('You have left the team.').waitFor();
    await context.close();
  });

  test('joins with a passkey, which takes the name from the form, and signs in with it', async () => {
    const context = await chromium.newContext();
    const page = await context.newPage();
    const device = await context.newCDPSession(page);
    await device.send('WebAuthn.enable');
    await device.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    const email = anAddress();
    await dash.invited('harbour', email, 'member');
    await page.goto(dash.origin + (await dash.link(email)));
    await press(page, 'Join with a passkey harbour as member');
    await page.getByText('Enter your name first.').waitFor();
    await page.getByLabel('Name').fill('Sample Person');
    await press(page, 'Join with a passkey harbour as member');
    await page.getByText('You have joined the team.').waitFor();
    expect(await findByEmail(dash.system, email)).toMatchObject({ verified: true, passwordVersion: 0 });
    await press(page, 'Sign out');
    await press(page, 'Sign in with a passkey');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await context.close();
  });
});
