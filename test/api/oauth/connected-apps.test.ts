import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { redirectUri, startDashboard, verifier, type Account, type Dashboard } from '../accounts/harness.ts';
import type { PlainBrowser } from '../accounts/plain-browser.ts';

let dash: Dashboard;
let account: Account;
let browser: PlainBrowser;
beforeAll(async () => {
  dash = await startDashboard();
  account = await dash.account();
  browser = await dash.signedIn(account);
});
afterAll(() => dash.stop());

const asForm = (fields: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(fields) });

/** What a site holds after somebody has signed in to it. */
async function tokensOf(site: string): Promise<{ access_token: string; refresh_token: string }> {
  await browser.open(dash.asked(site));
  if (browser.heading !== '' && browser.url.origin === dash.origin) await browser.press('Allow');
  const fields = {
    grant_type: 'authorization_code',
    client_id: site,
    redirect_uri: redirectUri,
    code: browser.url.searchParams.get('code') ?? '',
    code_verifier: verifier,
  };
  const answer = await fetch(`${dash.origin}/oauth/token`, asForm(fields));
  expect(answer.status).toBe(200);
  return (await answer.json()) as { access_token: string; refresh_token: string };
}

const userinfo = (token: string) =>
  fetch(`${dash.origin}/oauth/userinfo`, { headers: { authorization: `Bearer ${token}` } });

const refreshed = async (site: string, token: string) =>
  (
    await fetch(
      `${dash.origin}/oauth/token`,
      asForm({ grant_type: 'refresh_token', client_id: site, refresh_token: token }),
    )
  ).json() as Promise<{ error?: string }>;

describe('the sites with access', () => {
  test('are none at first', async () => {
    await browser.open('/dash/me/apps');
    expect(browser.text).toContain('No site can see your data.');
    expect(browser.text).not.toContain('Revoke all');
  });

  test('are listed with what they may see, since when, and when they last did', async () => {
    const site = await dash.site({ name: 'Listed News' });
    await browser.open(dash.asked(site, { scope: 'openid email' }));
    await browser.press('Allow');
    await dash.caughtUp();
    await browser.open('/dash/me/apps');
    expect(browser.text).toMatch(/Listed News harbour · news\.example/);
    expect(browser.text).toContain('not used yet');
    expect(browser.text).toContain('See your email address');
    expect(browser.text).not.toContain('See your name');
    await tokensOf(site);
    await dash.caughtUp();
    await browser.open('/dash/me/apps');
    expect(browser.text).toMatch(/Since \d+ \w+ \d{4} · last used \d+ \w+ \d{4} at \d\d:\d\d UTC/);
  });

  test('lose everything the moment they are revoked, by one event and nothing else', async () => {
    const site = await dash.site({ name: 'Revoked News' });
    const { access_token, refresh_token } = await tokensOf(site);
    expect((await userinfo(access_token)).status).toBe(200);
    await dash.caughtUp();
    await browser.open('/dash/me/apps');
    // The button asks in place, without a request.
    expect(browser.text).toContain('The site can no longer see your data, and you are signed out of it.');
    const before = await dash.system.store.head();
    await browser.press('Revoke Revoked News');
    expect((await userinfo(access_token)).status).toBe(401);
    expect(await refreshed(site, refresh_token)).toMatchObject({ error: 'invalid_grant' });
    const { events } = await dash.system.store.readAll({ after: before, limit: 100 });
    expect(events.map(({ type }) => type)).toEqual(['ConsentRevoked']);
    expect(browser.text).toContain('The access is revoked.');
    expect(browser.text).not.toContain('Revoked News');
  });

  test('are revoked again without another event', async () => {
    const site = await dash.site();
    await tokensOf(site);
    await dash.caughtUp();
    await browser.open('/dash/me/apps');
    const fields = { token: browser.hidden('token'), client: site };
    await Promise.all(
      Array.from({ length: 5 }, async () => {
        const each = dash.browser();
        for (const [name, value] of browser.cookies) each.cookies.set(name, value);
        await each.post('/dash/me/apps/revoke', fields);
        expect(each.text).toContain('The access is revoked.');
      }),
    );
    const revoked = (await dash.events(`consent-${account.user}.${site}`)).filter(
      ({ type }) => type === 'ConsentRevoked',
    );
    expect(revoked).toHaveLength(1);
    for (const client of ['', 'site_unknown00000', '../../etc', 'x'.repeat(500)]) {
      await browser.post('/dash/me/apps/revoke', { ...fields, client });
      expect(browser.status).toBe(200);
    }
  });

  test('are revoked all at once', async () => {
    const sites = [await dash.site({ name: 'One' }), await dash.site({ name: 'Two' })];
    const held = [];
    for (const site of sites) held.push(await tokensOf(site));
    await dash.caughtUp();
    await browser.open('/dash/me/apps');
    await browser.press('Revoke all access');
    expect(browser.text).toContain('All access is revoked.');
    for (const { access_token } of held) expect((await userinfo(access_token)).status).toBe(401);
    expect(browser.text).toContain('No site can see your data.');
  });

  test('of somebody else are out of reach', async () => {
    const site = await dash.site();
    const { access_token } = await tokensOf(site);
    const other = await dash.signedIn(await dash.account());
    await other.open('/dash/me/sessions');
    await other.post('/dash/me/apps/revoke', { token: other.hidden('token'), client: site });
    expect((await userinfo(access_token)).status).toBe(200);
  });
});
