import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { password, startDashboard, type Dashboard } from '../api/accounts/harness.ts';
import { hasChromium, launch } from './chromium.ts';
import { everyRule, objections, overflow } from './page-checks.ts';

const limit = { timeout: 120_000 };

describe.skipIf(!hasChromium)('what people looked for', () => {
  let chromium: Browser;
  let dash: Dashboard;
  beforeAll(async () => {
    [chromium, dash] = await Promise.all([launch(), startDashboard()]);
    await dash.resources(1, { fields: () => ({ name: 'Corner Pantry', category: 'food' }) });
    const counts = dash.system.side.table<readonly number[]>('needs');
    await counts.put('week/2026-W47/dentist+free-clinic|health|Homestead', [210, 210, 0]);
    await counts.put('week/2026-W47/?||*', [1_230, 0, 400]);
    await counts.put('closed/week/2026-W47', [0, 0, 0]);
  });
  afterAll(async () => {
    await chromium.close();
    await dash.stop();
  });

  test('is read on a phone, narrowed down and added to', limit, async () => {
    const reviewer = await dash.account();
    await dash.member('harbour', reviewer, 'reviewer');
    const context = await chromium.newContext({
      viewport: { width: 360, height: 800 },
      javaScriptEnabled: true,
    });
    const page = await context.newPage();
    await page.goto(`${dash.origin}/dash/sign-in`);
    await page.fill('#email', reviewer.email);
    await page.fill('#password', password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL((url) => !url.pathname.includes('sign-in'));
    await page.goto(`${dash.origin}/dash/t/harbour/resources`);
    await page.getByRole('link', { name: 'Looked for in vain' }).click();
    await page.getByText('Dentist and free clinic, Homestead: 210 searches, nothing found.').waitFor();
    expect(await overflow(page)).toBe(0);
    expect(await objections(page, everyRule)).toEqual([]);
    await page.getByLabel('Kind of help', { exact: true }).selectOption('health');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.waitForURL(/kind=health/);
    expect(await page.getByText('Other words').count()).toBe(0);
    await page
      .getByRole('link', { name: /^Add a record/ })
      .first()
      .click();
    await page.waitForURL(/resources\/new$/);
    await context.close();
  });

  test('leaves no address behind that says from which search a record was opened', limit, async () => {
    const page = await chromium.newPage();
    await page.goto(`${dash.origin}/find?q=pantry`);
    const link = page.getByRole('link', { name: 'Corner Pantry' }).first();
    expect(await link.getAttribute('href')).toContain('?via=');
    await link.click();
    await page.waitForURL((url) => url.pathname.startsWith('/r/') && url.search === '');
    expect(await page.title()).toContain('Corner Pantry');
    await page.close();
  });
});
