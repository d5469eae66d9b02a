import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findByEmail } from '../../../src/commands/accounts/person.ts';
import {
  anAddress,
  password,
  redirectUri,
  startDashboard,
  verifier,
  type Dashboard,
} from '../../api/accounts/harness.ts';
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

  /** What a site is told of the address of who is signed in. */
  const toldToSite = async (at: Dashboard, page: Page) => {
    const client = await at.site();
    await page.route('https://news.example/**', (route) => route.fulfill({ body: 'News' }));
    await page.goto(at.origin + at.asked(client));
    await press(page, 'Allow');
    await page.waitForURL('https://news.example/**');
    const answer = await fetch(`${at.origin}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        client_id: client,
        grant_type: 'authorization_code',
        code: new URL(page.url()).searchParams.get('code') ?? '',
        redirect_uri: redirectUri,
        code_verifier: verifier,
      }),
    });
    const tokens = (await answer.json()) as Record<string, string>;
    const claims = Buffer.from(tokens['id_token']?.split('.')[1] ?? '', 'base64url').toString();
    return (JSON.parse(claims) as { readonly email_verified?: boolean }).email_verified;
  };

  test('with a mail server: one page and one email, and a site is told that the address is verified', async () => {
    const mailed = await startDashboard({ environment: { SMTP_URL: 'smtp://localhost:2525' } });
    const context = await chromium.newContext();
    const page = await context.newPage();
    const email = anAddress();
    await mailed.invited('harbour', email, 'member');
    expect(await mailed.mails(email)).toHaveLength(1);
    await page.goto(mailed.origin + (await mailed.link(email)));
    await page.getByLabel('Name').fill('Sample Person');
    await page.getByLabel('Password').fill(password);
    await press(page, 'Join harbour as member');
    await page.getByText('You have joined the team.').waitFor();
    expect(await mailed.mails(email), 'no other email').toEqual([]);
    expect(await toldToSite(mailed, page)).toBe(true);
    await context.close();
    await mailed.stop();
  });

  test('without: one page and a copied link, and a site is told that the address is not verified', async () => {
    const admin = await dash.account();
    await dash.member('harbour', admin, 'admin');
    const own = await (await chromium.newContext()).newPage();
    await own.goto(`${dash.origin}/dash/sign-in`);
    await own.getByLabel('Email').fill(admin.email);
    await own.getByLabel('Password').fill(password);
    await press(own, 'Sign in');
    await own.getByRole('heading', { name: 'Home' }).waitFor();
    await own.goto(`${dash.origin}/dash/team?team=harbour`);
    const email = anAddress();
    await own.getByLabel('Email').fill(email);
    await press(own, 'Send the invitation');
    await own.getByText('copy the link below, and pass it on').waitFor();
    await press(own, `Copy the link ${email}`);
    await own.getByRole('heading', { name: 'The link of an invitation' }).waitFor();
    const link = await own.locator('[data-copied]').getAttribute('data-copied');
    const page = await (await chromium.newContext()).newPage();
    await page.goto(link ?? '');
    await page.getByLabel('Name').fill('Sample Person');
    await page.getByLabel('Password').fill(password);
    await press(page, 'Join harbour as member');
    await page.getByText('Your address is not confirmed yet.').waitFor();
    expect(await toldToSite(dash, page)).toBe(false);
    for (const each of [own, page]) await each.context().close();
  });
});
