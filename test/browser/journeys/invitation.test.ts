import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
  test('registers, joins, sees the team and leaves it, without scripts', async () => {
    const context = await chromium.newContext({
      javaScriptEnabled: false,
      viewport: { width: 360, height: 740 },
    });
    const page = await context.newPage();
    const email = anAddress();
    await dash.invited('harbour', email, 'reviewer');

    await page.goto(dash.origin + (await dash.link(email)));
    await page.getByRole('heading', { name: 'Join harbour' }).waitFor();
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('Name').fill('Sample Person');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await press(page, 'Create account');
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();

    await page.goto(dash.origin + (await dash.link(email)));
    await page.getByLabel('Password').fill(password);
    await press(page, 'Confirm and sign in');
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
});
