import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addPasskey } from '../../../src/commands/accounts/person.ts';
import { context } from '../harness.ts';
import { anAddress, password, startDashboard, type Dashboard } from './harness.ts';

let dash: Dashboard;
beforeAll(async () => {
  dash = await startDashboard();
});
afterAll(() => dash.stop());

const wish = (email: string, rest = {}) => ({ name: 'Sample Person', email, password, ...rest });

/** Registers as somebody at a fresh browser. */
async function register(email: string, rest = {}) {
  const browser = await dash.browser().open('/dash/register');
  return browser.press('Create account', wish(email, rest));
}

describe('registering', () => {
  test('leads from the form over the mail to an account that is signed in', async () => {
    const email = anAddress();
    const browser = await register(email);
    expect(browser.url.pathname).toBe('/dash/register/sent');
    expect(browser.heading).toBe('Ask for your email');
    await browser.open(await dash.link(email));
    expect(browser.heading).toBe('Confirm your address');
    await browser.press('Confirm and sign in', { password });
    expect(browser.url.pathname).toBe('/dash');
    await browser.open('/dash/me');
    expect(browser.text).toContain(email);
    expect(browser.text).not.toContain('not confirmed');
  });

  test('takes names as they are spelt, and none that looks like another', async () => {
    const turned = await register(anAddress(), { name: 'Ada \u202Eecalevol' });
    expect(turned.status).toBe(422);
    expect(turned.problem('name')).toMatch(/invisible characters/);
    for (const name of ['علی\u200Cرضا', 'శ్రీకాంత్\u200C']) {
      expect((await register(anAddress(), { name })).heading).toBe('Ask for your email');
    }
  });

  test('keeps what was typed, but no password, and says beside each field what is wrong', async () => {
    const browser = await register('nobody at all', { name: '', password: 'short' });
    expect(browser.status).toBe(422);
    expect(browser.problem('name')).toMatch(/^Enter a name/);
    expect(browser.problem('email')).toMatch(/^This is not an email address/);
    expect(browser.problem('password')).toBe('A password has at least 12 characters.');
    expect(browser.html).toContain('value="nobody at all"');
    expect(browser.html).not.toContain('value="short"');
    expect(browser.html.match(/\sautofocus/g)).toHaveLength(1);
    expect(browser.html).toMatch(/id="name"[^>]*aria-invalid="true"[^>]*autofocus/);
    expect(browser.html).toMatch(/aria-describedby="password-hint password-error"/);
  });

  test('keeps what was typed to the letter, also words that mean something to a browser', async () => {
    const typed = 'a list autofocus required aria-invalid="true" <input autofocus> for me';
    const browser = await register(typed, { name: '' });
    expect(browser.hidden('email')).toBe(typed);
    expect(browser.html).toMatch(/id="name"[^>]*aria-invalid="true"[^>]*autofocus/);
    expect(browser.html).not.toMatch(/id="email"[^>]*\sautofocus\s*\/>/);
  });

  test.each([
    'passwordpassword',
    'Password1234',
    'sampleperson1',
    'commonweal2026',
    'password password',
    'commonweal-commonweal',
  ])('refuses the password %s, whether the address has an account or not', async (easy) => {
    const { email } = await dash.account();
    for (const address of [email, anAddress()]) {
      const browser = await register(address, { password: easy, name: 'Sample Person' });
      expect(browser.status).toBe(422);
      expect(browser.problem('password')).toMatch(/easy to guess.*Choose a few words/);
    }
    expect(await dash.mails(email)).toEqual([]);
  });

  test.each([
    'a@b.c\nd',
    'a@example.org/x',
    'a@example.org:25',
    'a b@example.org',
    'a@@example.org',
    '@',
    'a@x',
  ])('takes %j for no address', async (email) => {
    const browser = await register(email);
    expect(browser.status).toBe(422);
    expect(browser.problem('email')).toBeDefined();
  });

  test('answers for an address that is taken as for one that is free, and tells its owner by mail', async () => {
    const { email } = await dash.account();
    const taken = await register(email, { password: 'another long password' });
    const free = await register(anAddress());
    expect(taken.url.href).toBe(free.url.href);
    expect(taken.html).toBe(free.html);
    const [mail] = await dash.mails(email);
    expect(mail?.subject).toBe('You already have a Commonweal account');
    const again = await dash.browser().open('/dash/sign-in');
    await again.press('Sign in', { email, password: 'another long password' });
    expect(again.status).toBe(422);
  });

  test('lets nobody sign in before the address is confirmed, and answers that like a wrong password', async () => {
    const email = anAddress();
    await register(email);
    const right = await dash.browser().open('/dash/sign-in');
    await right.press('Sign in', { email, password });
    const wrong = await dash.browser().open('/dash/sign-in');
    await wrong.press('Sign in', { email, password: 'not the password' });
    expect(right.status).toBe(422);
    expect(right.problem('password')).toBe(wrong.problem('password'));
    // Who knows the password gets the mail once more, and nobody sees that they do.
    expect(await dash.mails(email)).toHaveLength(2);
  });

  test('confirms nothing for who has the link without the password', async () => {
    const { user, email } = await dash.account({ confirmed: false });
    const first = await dash.browser().open('/dash/sign-in');
    await first.press('Sign in', { email, password });
    const link = await dash.link(email);
    const browser = await dash.browser().open(link);
    await browser.press('Confirm and sign in', { password: 'what an owner would guess' });
    expect(browser.problem('password')).toBe('This is not the password of the account.');
    const verified = (await dash.events(`user-${user}`)).filter(({ type }) => type === 'UserEmailVerified');
    expect(verified).toEqual([]);
  });

  test('gives an address that somebody else registered to its owner, with a password of their own', async () => {
    const { user, email } = await dash.account({
      confirmed: false,
      profile: { name: 'Stranger Danger', username: 'danger', picture: 'https://danger.example/me.png' },
    });
    const { store, vault, personal } = dash.system;
    const passkey = { credential: 'a-passkey', publicKey: 'a-key', transports: [], label: 'Of a stranger' };
    await addPasskey({ store, vault, personal }, user, passkey, context());
    await register(email, { password: 'the password of the owner' });
    const [mail] = await dash.mails(email);
    expect(mail?.subject).toBe('Choose a new password');
    const browser = await dash.browser().open(await dash.link(email));
    expect(browser.html).not.toMatch(/stranger|danger/i);
    await browser.press('Set the password', { password: 'the password of the owner' });
    expect(browser.problem('name')).toMatch(/^Enter a name/);
    const before = await dash.events('user-');
    await browser.press('Set the password', {
      name: 'Olive Owner',
      password: 'the password of the owner',
    });
    expect(browser.text).toContain('Your new password is set.');
    // In one step: no kill in between leaves the owner under the name of a stranger.
    expect((await dash.events('user-')).slice(before.length).map(({ type }) => type)).toEqual([
      'UserPasswordChanged',
      'UserEmailVerified',
      'UserProfileChanged',
    ]);
    await browser.press('Sign in', { email, password: 'the password of the owner' });
    expect(browser.heading).toBe('Home');
    for (const page of ['/dash/me', '/dash/me/profile', '/dash/me/passkeys']) {
      expect((await browser.open(page)).html, page).not.toMatch(/stranger|danger/i);
    }
    expect((await browser.open('/dash/me')).text).toContain('Olive Owner');
    const first = await dash.browser().open('/dash/sign-in');
    expect((await first.press('Sign in', { email, password })).status).toBe(422);
  });

  test('uses up the link of the mail, and says what to do with a used or broken one', async () => {
    const email = anAddress();
    await register(email);
    const link = await dash.link(email);
    const browser = await dash.browser().open(link);
    await browser.press('Confirm and sign in', { password });
    for (const dead of [link, link.slice(0, -3), '/dash/verify', '/dash/verify?link=lnk_0']) {
      await browser.open(dead);
      expect(browser.status, dead).toBe(400);
      expect(browser.heading).toBe('This link no longer works');
    }
  });
});

describe('choosing a new password', () => {
  test('takes a link by mail, which is good once, and ends every session', async () => {
    const account = await dash.account();
    const old = await dash.signedIn(account);
    const browser = await dash.browser().open('/dash/reset');
    await browser.press('Ask for the link', { email: account.email });
    expect(browser.heading).toBe('Ask for your email');
    const link = await dash.link(account.email);
    await browser.open(link);
    await browser.press('Set the password', { password: 'short' });
    expect(browser.problem('password')).toBe('A password has at least 12 characters.');
    for (const easy of ['passwordpassword', 'admin-admin-admin', 'Sample-Person-1'])
      await browser.press('Set the password', { password: easy });
    expect(browser.problem('password')).toContain('it contains your name or your address');
    await browser.press('Set the password', { password: 'another long password' });
    expect(browser.url.pathname).toBe('/dash/sign-in');
    await browser.press('Sign in', { email: account.email, password: 'another long password' });
    expect(browser.heading).toBe('Home');
    expect((await old.open('/dash/me')).heading).toBe('Sign in');
    expect((await browser.open(link)).status).toBe(400);
    expect((await dash.mails(account.email)).at(-1)?.text).toContain('a new password was set');
  });

  test('answers for an address without an account as for one with', async () => {
    const { email } = await dash.account();
    const known = await (await dash.browser().open('/dash/reset')).press('Ask for the link', { email });
    const unknown = await (
      await dash.browser().open('/dash/reset')
    ).press('Ask for the link', { email: anAddress() });
    expect(unknown.url.href).toBe(known.url.href);
    expect(unknown.html).toBe(known.html);
    expect(await dash.mails(email)).toHaveLength(1);
  });
});

/** Addresses that are the same account, and that a mail server may deliver elsewhere. */
const otherSpellings = (email: string) => [email.toUpperCase(), email.replace('k', '\u212A')];

describe('an address that is typed in another spelling', () => {
  test('has the email sent to the address that the account has', async () => {
    const email = `kim-${anAddress()}`;
    const account = await dash.account({ email });
    const unconfirmed = await dash.account({ email: `kit-${anAddress()}`, confirmed: false });
    const changing = await dash.signedIn(await dash.account());
    for (const [own, spellings] of [
      [account.email, otherSpellings(account.email)],
      [unconfirmed.email, otherSpellings(unconfirmed.email)],
    ] as const) {
      for (const spelling of spellings) {
        const before = (await dash.mails(own)).length;
        await (await dash.browser().open('/dash/reset')).press('Ask for the link', { email: spelling });
        await register(spelling);
        await (await dash.browser().open('/dash/sign-in')).press('Sign in', { email: spelling, password });
        expect((await dash.mails(own)).length, spelling).toBeGreaterThan(before);
        expect(await dash.mails(spelling)).toEqual([]);
      }
    }
    for (const spelling of otherSpellings(account.email)) {
      await changing.open('/dash/me/email');
      await changing.press('Ask for the link', { email: spelling, password });
      expect(await dash.mails(spelling)).toEqual([]);
    }
  });

  test('is registered with the letters that it is compared by', async () => {
    const email = `kay-${anAddress()}`;
    await register(email.replace('k', '\u212A'));
    expect((await dash.mails(email.replace('k', 'K'))).map(({ subject }) => subject)).toEqual([
      'Confirm your email address',
    ]);
  });
});

describe('a flood of requests', () => {
  test('is sent away, and one address gets a handful of mails', async () => {
    const flooded = await startDashboard();
    const { email } = await flooded.account();
    const browser = await flooded.browser().open('/dash/reset');
    const fields = { email, token: browser.hidden('token') };
    const statuses = await Promise.all(
      Array.from({ length: 70 }, async () => {
        const each = flooded.browser();
        for (const [name, value] of browser.cookies) each.cookies.set(name, value);
        await each.post('/dash/reset', fields);
        if (each.status === 429) expect(Number(each.answer.get('retry-after'))).toBeGreaterThan(0);
        return each.status;
      }),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    const mails = await flooded.mails(email);
    expect(mails.filter(({ not_before }) => not_before === undefined)).toHaveLength(5);
    expect(mails.filter(({ not_before }) => not_before !== undefined)).toHaveLength(1);
    await flooded.stop();
  });
});

describe('setting up', () => {
  test('is a page for the one-time link alone', async () => {
    const browser = await dash.browser().open('/dash/set-up?link=lnk_nonsense');
    expect(browser.status).toBe(400);
  });
});
