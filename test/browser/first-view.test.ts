import type { Browser, BrowserContext, Page } from 'playwright-core';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { password, startDashboard, type Account, type Dashboard } from '../api/accounts/harness.ts';
import { hasChromium, launch } from './chromium.ts';

/** What a browser loads for the first page that somebody opens: bodies as they are sent. */
const mostBytes = 60_000;
const mostStyleBytes = 12_000;
const widths = [360, 1440];
const team = 'harbour';
const own = [
  '/dash',
  '/dash/resources',
  '/dash/resources/review',
  '/dash/team',
  '/dash/integrations/webhooks',
  '/dash/audit',
  '/dash/operations',
].map((path) => `${path}?team=${team}`);
const open = ['/', '/dash/sign-in', '/find?q=pantry'];

/** Run in the page, put in from outside, so that the policy of the page stays as it is. */
const collectShifts = `
  globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) globalThis.shifts.push(value);
  }).observe({ type: 'layout-shift', buffered: true });`;
/** They are told with the frame after the one that they happen in. */
const shiftsSoFar = `new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(globalThis.shifts)))))`;

describe.skipIf(!hasChromium)('the first view', () => {
  let chromium: Browser;
  let dash: Dashboard;
  let cookies: Awaited<ReturnType<BrowserContext['cookies']>>;
  beforeAll(async () => {
    [chromium, dash] = await Promise.all([launch(), startDashboard()]);
    const account = await dash.account({ role: 'administrator' });
    await dash.member(team, account, 'admin');
    await dash.resources(60, { team, fields: (index) => ({ name: `Pantry ${index}` }) });
    for (let waiting = 0; waiting < 3; waiting++) await dash.submission(team, { name: 'Corner Pantry' });
    await dash.caughtUp();
    const context = await chromium.newContext();
    await signIn(await context.newPage(), account);
    cookies = await context.cookies();
    await context.close();
  });
  afterAll(async () => {
    await chromium.close();
    await dash.stop();
  });

  async function signIn(page: Page, { email }: Account): Promise<void> {
    await page.goto(`${dash.origin}/dash/sign-in`);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(/\/dash(\/t\/[a-z0-9-]+)?(\?|$)/);
  }

  /** Opens a page in a browser that has nothing of ours but the cookies of who is signed in, for their pages. */
  async function firstView(path: string, width: number) {
    const context = await chromium.newContext({
      viewport: { width, height: 800 },
      timezoneId: 'America/Los_Angeles',
    });
    if (own.includes(path)) await context.addCookies(cookies);
    await context.addInitScript({ content: collectShifts });
    const page = await context.newPage();
    const sizes: Promise<{ readonly path: string; readonly bytes: number }>[] = [];
    page.on('requestfinished', (request) => {
      const size = request.sizes().then(({ responseBodySize }) => responseBodySize);
      sizes.push(size.then((bytes) => ({ path: new URL(request.url()).pathname, bytes })));
    });
    const answer = await page.goto(dash.origin + path, { waitUntil: 'networkidle' });
    expect(answer?.status(), path).toBe(200);
    const shifts = await page.evaluate<number[]>(shiftsSoFar);
    const loaded = await Promise.all(sizes);
    await context.close();
    return { loaded, shifts };
  }

  test.each([...open, ...own])('of %s is small, and nothing moves while it loads', async (path) => {
    for (const width of widths) {
      const { loaded, shifts } = await firstView(path, width);
      const told = `${path} at ${width}: ${JSON.stringify(loaded)}`;
      expect(
        loaded.map(({ path: of }) => of).some((of) => of.endsWith('/style.css')),
        told,
      ).toBe(true);
      expect(
        loaded.reduce((sum, { bytes }) => sum + bytes, 0),
        told,
      ).toBeLessThan(mostBytes);
      expect(shifts, told).toEqual([]);
    }
  });

  test('has the style sheet of all pages and that of the dashboard, which are small', async () => {
    const { loaded } = await firstView(own[0] ?? '', 1440);
    const styles = loaded.filter(({ path }) => path.endsWith('.css'));
    expect(styles).toHaveLength(2);
    const texts = await Promise.all(styles.map(async ({ path }) => (await fetch(dash.origin + path)).text()));
    expect(gzipSync(texts.join('\n')).length).toBeLessThan(mostStyleBytes);
    expect(styles.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(mostStyleBytes);
  });
});
