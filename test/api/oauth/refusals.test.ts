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

  test('stands on its page with what to change', async () => {
    const site = await dash.site();
    const visitor = dash.browser();
    await visitor.open(dash.asked(site, { redirect_uri: 'https://news.example/other' }));
    await visitor.open(dash.asked(site, { code_challenge_method: 'plain' }));
    await visitor.open(dash.asked(site, { response_mode: 'fragment' }));
    await exchange({ client_id: site, client_secret: 'hunter2hunter2', grant_type: 'refresh_token' });
    await show(site);
    for (const change of [
      'Send a redirect URI that is registered for the site, character by character, or register this one.',
      'Send code_challenge_method=S256.',
      'Send response_mode=query or form_post, or leave it out.',
      'Send no secret: choose a public client, in OAuth token_endpoint_auth_method none.',
    ])
      expect(browser.text).toContain(change);
  });
});

describe('the page of an error, for the people who build the site', () => {
  const registered = ['https://news.example/callback', 'https://news.example/secret-path?tenant=7'];
  const wrong = { redirect_uri: 'https://news.example/Callback' };

  test('says which parameter to change, what is registered and where, to who may change the site', async () => {
    const site = await dash.site({ redirectUris: registered });
    await browser.open(dash.asked(site, wrong));
    expect(browser.status).toBe(400);
    expect(browser.text).toContain('redirect_uri: Send a redirect URI that is registered for the site');
    for (const uri of registered) expect(browser.text).toContain(uri);
    await browser.follow(/Change [^<]* in the dashboard/.exec(browser.text)?.[0] ?? '');
    expect([browser.path, browser.team]).toEqual([`/dash/sites/oauth/${site}`, 'harbour']);
  });

  test('tells everybody else what to change and where, and nothing of what is registered or by whom', async () => {
    const site = await dash.site({ redirectUris: registered, name: 'Pier Radio' });
    const member = await dash.account();
    await dash.member('harbour', member, 'member');
    for (const who of [
      dash.browser(),
      await dash.signedIn(await dash.account()),
      await dash.signedIn(member),
    ]) {
      await who.open(dash.asked(site, wrong));
      expect(who.status).toBe(400);
      expect(who.text).toContain('Send a redirect URI that is registered for the site');
      expect(who.text).toContain('Sign-in sites');
      for (const secret of ['secret-path', 'tenant', 'Pier Radio', 'harbour', site])
        expect(who.html, secret).not.toContain(secret);
    }
  });

  test('is the same for a client that there is not, whoever asks', async () => {
    for (const client of ['site_00000000000000000000', 'rubbish', '']) {
      await browser.open(dash.asked(client, wrong));
      expect(browser.status).toBe(400);
      expect(browser.text).toContain('Send the client_id that the page of the site shows.');
      expect(browser.text).not.toContain('Registered for');
    }
  });
});
