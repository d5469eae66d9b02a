import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDashboard, type Dashboard } from '../accounts/harness.ts';
import type { PlainBrowser } from '../accounts/plain-browser.ts';

let dash: Dashboard;
let browser: PlainBrowser;
let at = new Date('2026-03-04T05:06:07.000Z');
beforeAll(async () => {
  dash = await startDashboard();
  const admin = await dash.account();
  await dash.member('harbour', admin, 'admin');
  browser = await dash.signedIn(admin);
});
afterAll(() => dash.stop());

const show = (site: string) => browser.open(`/dash/sites/oauth/${site}?team=harbour`);
const exchange = (fields: Record<string, string>) =>
  fetch(`${dash.origin}/oauth/token`, { method: 'POST', body: new URLSearchParams(fields) });

describe('what was refused to a site', () => {
  test('is shown to its admins with the rule, and without secrets', async () => {
    const site = await dash.site();
    expect((await show(site)).text).toContain('Nothing was refused in the last 7 days.');
    const visitor = dash.browser();
    await visitor.open(dash.asked(site, { redirect_uri: 'https://a:b@news.example/other?secret=x1y2' }));
    await visitor.open(dash.asked(site, { code_challenge_method: 'plain' }));
    await exchange({
      client_id: site,
      grant_type: 'authorization_code',
      code: 'a-code-that-is-none',
      redirect_uri: 'https://news.example/callback',
      code_verifier: 'short',
    });
    await exchange({ client_id: site, client_secret: 'hunter2hunter2', grant_type: 'refresh_token' });
    await show(site);
    expect(browser.text).toContain('The code_challenge_method is S256.');
    expect(browser.text).toContain('A code_verifier has 43 to 128 characters.');
    expect(browser.text).toContain('https://…@news.example/other?…');
    expect(browser.html.match(/invalid_(?:client|request|grant)/g)).toHaveLength(4);
    for (const secret of ['x1y2', 'a:b', 'a-code-that-is-none', 'hunter2', 'a-state'])
      expect(browser.html, secret).not.toContain(secret);
    const other = await dash.site();
    expect((await show(other)).text).toContain('Nothing was refused in the last 7 days.');
  });

  test('leaves out what is no fault of the site, and sites that there are not', async () => {
    const site = await dash.site();
    await dash.browser().open(dash.asked(site, { prompt: 'none' }));
    await dash.browser().open(dash.asked('site_00000000000000000000', { scope: 'email' }));
    expect((await show(site)).text).toContain('Nothing was refused in the last 7 days.');
    expect(await dash.system.side.table('sign-in-refusals').get('site_00000000000000000000')).toBeUndefined();
  });

  test('is bounded: the last 50, cut, and of seven days', async () => {
    const { store, side } = dash.system;
    const site = await dash.site();
    const { RecentRefusals } = await import('../../../src/api/oauth/recent-refusals.ts');
    const { OAuthRefused } = await import('../../../src/commands/oauth/errors.ts');
    const refusals = new RecentRefusals({ store, side, now: () => at });
    for (let number = 0; number < 60; number++) {
      const redirectUri = `https://news.example/${number}/${'x'.repeat(500)}`;
      await refusals.note(new OAuthRefused('invalid_client', 'y'.repeat(900)), { client: site, redirectUri });
    }
    const kept = await refusals.of(site);
    expect(kept).toHaveLength(50);
    expect(kept[0]?.redirect_uri).toMatch(/^https:\/\/news\.example\/59\//);
    expect(kept[0]?.redirect_uri).toHaveLength(200);
    expect(kept[0]?.rule).toHaveLength(300);
    at = new Date(at.getTime() + 7 * 86_400_000);
    expect(await refusals.of(site)).toEqual([]);
  });
});
