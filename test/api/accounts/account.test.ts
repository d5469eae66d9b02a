import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anAddress, password, startDashboard, type Account, type Dashboard } from './harness.ts';
import type { PlainBrowser } from './plain-browser.ts';

let dash: Dashboard;
let account: Account;
let browser: PlainBrowser;
beforeAll(async () => {
  dash = await startDashboard();
  account = await dash.account();
  browser = await dash.signedIn(account);
});
afterAll(() => dash.stop());

describe('the account', () => {
  test('saves a profile, shows initials, and loads no picture from anywhere', async () => {
    await browser.open('/dash/me/profile');
    await browser.press('Save', {
      name: 'Ona van Example',
      username: 'ona.e',
      picture: 'https://pictures.example/ona.png',
      phone: '+1 555 0100',
    });
    expect(browser.text).toContain('Your profile is saved.');
    expect(browser.text).toContain('Ona van Example · ona.e');
    expect(browser.html).toContain('>OE<');
    expect(browser.html).not.toContain('pictures.example');
    await browser.open('/dash/me/profile');
    await browser.press('Save', { username: '', picture: '', phone: '' });
    expect(browser.text).not.toContain('ona.e');
  });

  test.each([
    ['name', ' '],
    ['name', 'x'.repeat(201)],
    ['name', 'Ada\u200F'],
    ['username', 'ada\u3164lovelace'],
    ['username', '-x-'],
    ['picture', 'http://pictures.example/x.png'],
    ['picture', 'javascript:alert(1)'],
    ['phone', 'call me'],
  ])('says what is wrong with the %s %j', async (name, value) => {
    await browser.open('/dash/me/profile');
    await browser.press('Save', { [name]: value });
    expect(browser.status).toBe(422);
    expect(browser.problem(name)).toBeDefined();
  });

  test('escapes whatever a profile says, wherever it stands', async () => {
    const evil = '<script>"&\'';
    const own = await dash.signedIn(await dash.account({ profile: { name: evil } }));
    for (const path of ['/dash/me', '/dash/me/profile', '/dash/me/passkeys']) {
      await own.open(path);
      expect(own.html, path).not.toContain(evil);
      expect(own.html, path).not.toContain('<script>"');
    }
    expect(own.text).toContain(`Signed in as ${evil}`);
  });

  test('changes the password for who knows the old one, and signs out every other browser', async () => {
    const own = await dash.account();
    const [one, other] = [await dash.signedIn(own), await dash.signedIn(own)];
    await one.open('/dash/me/password');
    await one.press('Save', { password: 'not the old one', new: 'a brand new password' });
    expect(one.problem('password')).toBe('This is not the password of the account.');
    await one.press('Save', { password, new: 'short' });
    expect(one.problem('new')).toMatch(/at least 12/);
    await one.press('Save', { password, new: 'Summer2024Summer pass' });
    expect(one.problem('new')).toContain('it repeats the same letters or words');
    await one.press('Save', { password, new: 'sampleperson1' });
    expect(one.problem('new')).toContain('it contains your name or your address');
    await one.press('Save', { password, new: 'a brand new password' });
    expect(one.text).toContain('Your password is changed.');
    expect((await other.open('/dash/me')).heading).toBe('Sign in');
    expect((await dash.mails(own.email)).at(-1)?.text).toContain('a new password was set');
  });

  test('changes the address once its owner has opened the link, and not before', async () => {
    const own = await dash.account();
    const one = await dash.signedIn(own);
    const next = anAddress();
    await one.open('/dash/me/email');
    await one.press('Ask for the link', { email: next, password });
    expect(one.text).toContain('finds the email with the link in the outbox');
    expect(one.text).toContain(own.email);
    const link = await dash.link(next);
    expect(link).not.toContain('example.org');
    const anywhere = await dash.browser().open(link);
    expect(anywhere.text).toContain(next);
    await anywhere.press('Use this address', { password });
    expect((await one.open('/dash/me')).text).toContain(next);
    expect((await dash.mails(own.email)).at(-1)?.text).toContain('now has another email address');
    expect((await anywhere.open(link)).status).toBe(400);
    expect((await dash.signedIn({ user: own.user, email: next })).heading).toBe('Home');
  });

  test('tells nobody that an address has an account, but its owner', async () => {
    const own = await dash.signedIn(await dash.account());
    const other = await dash.account();
    await own.open('/dash/me/email');
    await own.press('Ask for the link', { email: other.email, password });
    expect(own.text).toContain('finds the email with the link in the outbox');
    expect((await dash.mails(other.email)).map(({ subject }) => subject)).toEqual([
      'You already have a Commonweal account',
    ]);
  });

  test('counts guesses at the old password like those at the sign-in page', async () => {
    const own = await dash.signedIn(await dash.account());
    await own.open('/dash/me/password');
    for (let guess = 0; guess < 10; guess++) {
      await own.press('Save', { password: `guess ${guess}`, new: 'a brand new password' });
    }
    await own.press('Save', { password, new: 'a brand new password' });
    expect(own.problem('password')).toMatch(/^Too many attempts/);
  });
});

describe('the browsers of an account', () => {
  test('are signed out when the clock of the server was set back behind their sign-in, and not listed', async () => {
    let now = Date.now() + 400 * 86_400_000;
    const own = await startDashboard({ now: () => new Date(now) });
    const someone = await own.account();
    const [ahead, unused] = [await own.signedIn(someone), await own.signedIn(someone)];
    expect((await unused.open('/dash')).heading).toBe('Home');
    now -= 400 * 86_400_000;
    expect((await ahead.open('/dash/me')).heading).toBe('Sign in');
    const again = await own.signedIn(someone);
    await again.open('/dash/me/sessions');
    expect(again.html.match(/signed in on/g)).toHaveLength(1);
    await own.stop();
  });

  test('are listed, and ended one by one or all at once', async () => {
    const own = await dash.account();
    const [one, other, third] = [
      await dash.signedIn(own),
      await dash.signedIn(own),
      await dash.signedIn(own),
    ];
    await one.open('/dash/me/sessions');
    expect(one.html.match(/signed in on/g)).toHaveLength(3);
    expect(one.html.match(/>this browser</g)).toHaveLength(1);
    await one.press('Sign out A browser');
    expect(one.text).toContain('That browser is signed out.');
    const left = await Promise.all([other, third].map(async (each) => (await each.open('/dash/me')).heading));
    expect(left.sort()).toEqual(['Sign in', 'Your account']);
    await one.open('/dash/me/sessions');
    await one.press('Sign out everywhere');
    expect(one.text).toContain('You are signed out everywhere.');
    for (const each of [one, other, third]) expect((await each.open('/dash/me')).heading).toBe('Sign in');
  });

  test('are named by browser and system, and the account shows the sign-in before this one', async () => {
    const own = await dash.account();
    const first = dash.browser();
    first.headers['user-agent'] = 'Mozilla/5.0 (Windows NT 10.0; rv:141.0) Gecko/20100101 Firefox/141.0';
    await first.open('/dash/sign-in');
    await first.press('Sign in', { email: own.email, password });
    expect((await first.open('/dash/me')).text).not.toContain('Last sign-in before this one');
    const second = await dash.signedIn(own);
    expect((await second.open('/dash/me')).text).toMatch(
      /Last sign-in before this one: \d+ \w+ \d{4} at \d\d:\d\d UTC, Firefox on Windows, by password/,
    );
    expect((await second.open('/dash/me/sessions')).text).toContain('Firefox on Windows');
    const log = JSON.stringify(await dash.events('session-'));
    expect(log).not.toContain('Firefox');
    expect(log).not.toContain('Gecko');
  });

  test('of others are nobody’s to end', async () => {
    const [mine, theirs] = [await dash.signedIn(account), await dash.signedIn(await dash.account())];
    await theirs.open('/dash/me/sessions');
    const session = (await dash.events('session-')).at(-1)?.data['session'];
    await mine.open('/dash/me/sessions');
    await mine.post('/dash/me/sessions/end', { token: mine.hidden('token'), session: String(session) });
    expect((await theirs.open('/dash')).heading).toBe('Home');
  });
});

describe('a passkey', () => {
  test('is neither added nor used by what is none', async () => {
    await browser.open('/dash/me/passkeys');
    const token = browser.hidden('token');
    for (const answer of [
      '',
      '{',
      'null',
      '{"id":"x"}',
      '{"id":"x","response":{}}',
      '{"id":"x","response":{"userHandle":1}}',
    ]) {
      await browser.post('/dash/me/passkeys', { token, password, label: '', answer, challenge: 'rubbish' });
      expect(browser.status, answer).toBe(422);
      expect(browser.text).toContain('No passkey was made.');
      const fresh = await dash.browser().open('/dash/sign-in');
      const challenge = fresh.hidden('challenge');
      await fresh.post('/dash/sign-in/passkey', { token: fresh.hidden('token'), answer, challenge });
      expect(fresh.status, answer).toBe(422);
      expect(fresh.text).toContain('This passkey did not work.');
    }
    await browser.post('/dash/me/passkeys/remove', { token, credential: 'none' });
    expect(browser.text).toContain('There is no such passkey.');
  });

  test('has a name that looks like no other', async () => {
    await browser.open('/dash/me/passkeys');
    const token = browser.hidden('token');
    await browser.post('/dash/me/passkeys', { token, password, label: 'My \u202Eenohp' });
    expect(browser.status).toBe(422);
    expect(browser.problem('label')).toMatch(/^This contains invisible characters/);
  });

  test('is asked for the password of the account', async () => {
    await browser.open('/dash/me/passkeys');
    await browser.post('/dash/me/passkeys', { token: browser.hidden('token'), password: '' });
    expect(browser.problem('password')).toBe('Enter your password.');
  });
});
