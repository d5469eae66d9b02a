import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeClient } from '../../../src/commands/oauth/client.ts';
import { context } from '../harness.ts';
import { password, redirectUri, startDashboard, type Account, type Dashboard } from '../accounts/harness.ts';
import type { PlainBrowser } from '../accounts/plain-browser.ts';

let dash: Dashboard;
beforeAll(async () => {
  dash = await startDashboard();
});
afterAll(() => dash.stop());

const consentsOf = async ({ user }: Account) =>
  (await dash.events(`consent-${user}`)).map(({ type, data }) => [type, data['scopes']]);

describe('the consent page', () => {
  let account: Account;
  let site: string;
  let browser: PlainBrowser;
  beforeAll(async () => {
    account = await dash.account({ profile: { name: 'Sample Person', username: 'sample' } });
    site = await dash.site();
    browser = await dash.signedIn(account);
  });

  test('names the site, its team, its address, and in plain words what it wants', async () => {
    await browser.open(dash.asked(site));
    expect(browser.heading).toBe('Sign in to Harbour News?');
    expect(browser.text).toContain('Run by harbour');
    expect(browser.text).toContain('Address news.example It wants to');
    expect(browser.text, 'nobody has verified anything').not.toMatch(/verified|trusted|official/i);
    expect(browser.text).toContain(
      'You stay signed in there, even after you sign out here, until you revoke its access under Sites with access.',
    );
    expect(browser.text).toContain('See your name, username and picture');
    expect(browser.text).toContain('Sample Person, sample');
    expect(browser.text).toContain(account.email);
    expect(browser.text).not.toContain('offline');
    expect(browser.html).not.toMatch(/<img/);
  });

  test('has forms that lead to our own addresses alone, is in no frame, and is kept by nobody', async () => {
    await browser.open(dash.asked(site));
    const policy = browser.answer.get('content-security-policy') ?? '';
    expect(policy).toContain("form-action 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(browser.answer.get('cache-control')).toBe('no-store');
    expect(browser.answer.get('referrer-policy')).toBe('no-referrer');
  });

  test('sends Deny back to the site, and no event is left of it', async () => {
    await browser.open(dash.asked(site));
    await browser.press('Deny');
    expect(browser.url.href).toMatch(
      /^https:\/\/news\.example\/callback\?error=access_denied&.*state=a-state/,
    );
    expect(await consentsOf(account)).toEqual([]);
  });

  test('remembers Allow, and asks only for more when a site wants more', async () => {
    await browser.open(dash.asked(site, { scope: 'openid profile offline_access' }));
    await browser.press('Allow');
    expect(browser.url.searchParams.get('code')).toMatch(/^sac_/);
    await browser.open(dash.asked(site, { scope: 'openid profile' }));
    expect(browser.url.searchParams.get('code')).toMatch(/^sac_/);

    await browser.open(dash.asked(site));
    expect(browser.heading).toBe('Harbour News asks for more');
    expect(browser.text).toMatch(/It also wants to See your email address/);
    expect(browser.text).toMatch(/It may already Know that it is you.*See your name/);
    await browser.press('Allow');
    expect(await consentsOf(account)).toEqual([
      ['ConsentGranted', ['openid', 'profile', 'offline_access']],
      ['ConsentGranted', ['openid', 'profile', 'email', 'offline_access']],
    ]);
  });

  test('asks for everything anew where the site wishes so', async () => {
    await browser.open(dash.asked(site, { prompt: 'consent' }));
    expect(browser.heading).toBe('Sign in to Harbour News?');
    expect(browser.text).toMatch(/It wants to Know that it is you.*See your name.*See your email/);
    await browser.press('Allow');
    expect(browser.url.searchParams.get('code')).toMatch(/^sac_/);
  });

  test('decides nothing for somebody else than who was asked', async () => {
    const other = await dash.account();
    const asked = await dash.signedIn(await dash.account());
    await asked.open(dash.asked(await dash.site()));
    const sealed = asked.hidden('continue');
    const thief = await dash.signedIn(other);
    await thief.open('/dash/reset');
    const before = (await dash.events('consent-')).length;
    await thief.post('/dash/consent', { token: thief.hidden('token'), continue: sealed, decision: 'allow' });
    // The endpoint decides anew, and asks them.
    expect(thief.heading).toBe('Sign in to Harbour News?');
    expect((await dash.events('consent-')).length).toBe(before);
  });

  test('lets a person be somebody else', async () => {
    const other = await dash.account({ profile: { name: 'Another Sample' } });
    const own = await dash.signedIn(await dash.account());
    await own.open(dash.asked(await dash.site()));
    await own.follow('not you?');
    await own.press('Sign in', { email: other.email, password });
    expect(own.text).toContain('Signed in as Another Sample');
  });

  test('says that a site is in development', async () => {
    const local = await dash.site({ redirectUris: ['http://localhost:9/cb'] });
    await browser.open(dash.asked(local, { redirect_uri: 'http://localhost:9/cb' }));
    expect(browser.text).toContain('Address localhost:9 in development');
  });

  test('leads to the error page when the site was taken out of service meanwhile', async () => {
    const gone = await dash.site();
    await browser.open(dash.asked(gone));
    const values = {
      token: browser.hidden('token'),
      continue: browser.hidden('continue'),
      decision: 'allow',
    };
    await changeClient(dash.system.store, gone, [{ kind: 'deactivate' }], context());
    await browser.post('/dash/consent', values);
    expect(browser.status).toBe(400);
    expect(browser.text).toContain('This site is inactive');
  });

  test('never shows for one of our own', async () => {
    const own = await dash.site({ firstParty: true });
    await browser.open(dash.asked(own));
    expect(browser.url.href.startsWith(redirectUri)).toBe(true);
  });
});
