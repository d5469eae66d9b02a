import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDashboard, type Account, type Dashboard } from '../accounts/harness.ts';
import type { PlainBrowser } from '../accounts/plain-browser.ts';

let dash: Dashboard;
let admin: Account;
let browser: PlainBrowser;
beforeAll(async () => {
  dash = await startDashboard();
  await dash.team('library');
  admin = await dash.account();
  await dash.member('harbour', admin, 'admin');
  await dash.member('library', admin, 'member');
  browser = await dash.signedIn(admin);
});
afterAll(() => dash.stop());

describe('the navigation', () => {
  test('shows what the role in the team that is shown may open', async () => {
    await browser.open('/dash/sites/oauth?team=harbour');
    expect(menuOf(browser)).toContain('Sign-in sites');
    await browser.open('/dash/me?team=library');
    expect(menuOf(browser)).not.toContain('Sign-in sites');
    expect(menuOf(browser)).not.toContain('Outbox');
  });

  test('leads to pages that there are, for everybody who sees them', async () => {
    const operator = await dash.signedIn(await dash.account({ role: 'administrator' }));
    for (const person of [browser, operator]) {
      await person.open('/dash/me');
      const links = [...menuHtml(person).matchAll(/href="([^"#]+)"/g)].map(([, to = '']) => decoded(to));
      expect(links.length).toBeGreaterThan(2);
      for (const to of links) expect((await person.open(to)).status, to).toBe(200);
    }
  });

  test('says at which entry the page stands', async () => {
    await browser.open('/dash/sites/oauth/new?team=harbour');
    expect(menuHtml(browser)).toMatch(/aria-current="page"\s*>Sign-in sites</);
  });
});

describe('a form that is sent twice', () => {
  const registered = async () =>
    (await dash.events('client-')).filter(({ type }) => type === 'ClientRegistered').length;

  test('makes one thing, and with other content another', async () => {
    await browser.open('/dash/sites/oauth/new?team=harbour');
    const form = browser.forms().find(({ buttons }) => buttons.some(({ label }) => label === 'Register'));
    const send = (name: string) => {
      const values = new URLSearchParams([...(form?.fields ?? [])]);
      values.set('name', name);
      values.set('redirect_uris', 'https://twice.example/callback');
      return sameSession().post(form?.action ?? '', values);
    };
    const before = await registered();
    await Promise.all([send('Twice Pressed'), send('Twice Pressed')]);
    await send('Twice Pressed');
    expect(await registered()).toBe(before + 1);
    await send('Thought Again');
    expect(await registered()).toBe(before + 2);
  });
});

describe('a form whose session has ended', () => {
  test('keeps what was typed, but no password, and is sent again after signing in', async () => {
    const person = await dash.signedIn(admin);
    await person.open('/dash/me/profile');
    const values = new URLSearchParams([
      ...(person.forms().find(({ buttons }) => buttons.some(({ label }) => label === 'Save'))?.fields ?? []),
    ]);
    values.set('name', 'Typed For Long');
    values.set('password', 'not to be shown');
    await person.press('Sign out');
    await person.post('/dash/me/profile', values);
    expect(person.status).toBe(403);
    expect(person.heading).toBe('You are signed out');
    expect(person.html).not.toContain('not to be shown');
    const kept = person.forms().find(({ buttons }) => buttons.some(({ label }) => label === 'Send it now'));
    await person.open('/dash/sign-in');
    await person.press('Sign in', { email: admin.email, password: 'seven quiet herons wading' });
    await person.post(kept?.action ?? '', new URLSearchParams([...(kept?.fields ?? [])]));
    expect(person.heading).toBe('Please send it again');
    await person.press('Send it now');
    expect(person.text).toContain('Your profile is saved.');
    expect(person.text).toContain('Typed For Long');
  });

  test('is not shown again when it came from another site', async () => {
    await browser.open('/dash/me');
    await browser.post('/dash/me/profile', { name: 'Somebody Else' }, { 'sec-fetch-site': 'cross-site' });
    expect(browser.heading).toBe('Please try again');
    expect(browser.html).not.toContain('Somebody Else');
  });
});

/** Another window of the same browser: two requests can be under way. */
function sameSession(): PlainBrowser {
  const window = dash.browser();
  for (const [name, value] of browser.cookies) window.cookies.set(name, value);
  return window;
}

const menuHtml = ({ html }: PlainBrowser): string =>
  /<nav\s+class="menu"[\s\S]*?<\/nav>/.exec(html)?.[0] ?? '';
const menuOf = (from: PlainBrowser): string => menuHtml(from).replace(/<[^>]+>/g, ' ');
const decoded = (text: string): string => text.replace(/&#38;|&amp;/g, '&');
