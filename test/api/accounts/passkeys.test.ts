import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registerPerson, commandPerson, requirePerson } from '../../../src/commands/accounts/person.ts';
import { context } from '../harness.ts';
import { anAddress, password, startDashboard, type Account, type Dashboard } from './harness.ts';
import type { PlainBrowser } from './plain-browser.ts';
import { givePasskey, type SoftPasskey } from './soft-passkey.ts';

let dash: Dashboard;
let clock = Date.now();
beforeAll(async () => {
  dash = await startDashboard({ now: () => new Date(clock) });
});
afterAll(() => dash.stop());

async function signedInBy(passkey: SoftPasskey): Promise<PlainBrowser> {
  const browser = await dash.browser().open('/dash/sign-in');
  return browser.post('/dash/sign-in/passkey', passkey.answerTo(browser));
}

describe('the answer of a passkey', () => {
  test('is accepted once, of twenty that come at the same time', async () => {
    const passkey = await givePasskey(dash, await dash.account());
    for (let round = 0; round < 3; round++) {
      const before = (await dash.events('session-')).length;
      const browser = await dash.browser().open('/dash/sign-in');
      const form = passkey.answerTo(browser);
      const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
      const answers = await Promise.all(
        Array.from({ length: 20 }, () =>
          fetch(`${dash.origin}/dash/sign-in/passkey`, {
            method: 'POST',
            body: new URLSearchParams(form),
            headers: { cookie, 'sec-fetch-site': 'same-origin' },
            redirect: 'manual',
          }),
        ),
      );
      expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 422)).toHaveLength(19);
      expect((await dash.events('session-')).length - before).toBe(1);
    }
  });
});

describe('removing a passkey', () => {
  test('asks for the password, and tells the owner of the account', async () => {
    const account = await dash.account();
    await givePasskey(dash, account, 'My telephone');
    const browser = await dash.signedIn(account);
    await browser.open('/dash/me/passkeys');
    await browser.follow('Remove My telephone');
    expect(browser.heading).toBe('Remove a passkey');
    await browser.press('Remove', { password: '' });
    expect(browser.problem('password')).toBe('Enter your password.');
    await browser.press('Remove', { password: 'nine patient otters diving' });
    expect(browser.problem('password')).toBe('This is not the password of the account.');
    expect((await browser.open('/dash/me/passkeys')).text).toContain('My telephone');
    expect(await dash.mails(account.email)).toHaveLength(0);
    await browser.follow('Remove My telephone');
    await browser.press('Remove', { password });
    expect(browser.text).toContain('The passkey is removed.');
    expect(browser.text).not.toContain('My telephone');
    expect((await dash.mails(account.email)).map(({ text }) => text)).toEqual([
      expect.stringContaining('a passkey was removed'),
    ]);
  });

  test('asks who has no password to have signed in just now', async () => {
    const account = await withoutPassword();
    const [one, other] = [await givePasskey(dash, account, 'One'), await givePasskey(dash, account, 'Other')];
    const browser = await signedInBy(one);
    expect(browser.heading).toBe('Home');
    clock += 16 * 60_000;
    await browser.open('/dash/me/passkeys');
    await browser.follow('Remove Other');
    await browser.press('Remove');
    expect(browser.status).toBe(422);
    expect(browser.text).toContain('Sign out and sign in again first');
    const fresh = await signedInBy(other);
    await fresh.open('/dash/me/passkeys');
    await fresh.follow('Remove One');
    await fresh.press('Remove');
    expect(fresh.text).toContain('The passkey is removed.');
    await fresh.open('/dash/me/passkeys');
    await fresh.follow('Remove Other');
    await fresh.press('Remove');
    expect(fresh.text).toContain('This passkey is the only way to sign in; set a password first.');
  });
});

describe('another address for somebody without a password', () => {
  test('is taken on by who is signed in, just now, at the browser that opens the link', async () => {
    const account = await withoutPassword();
    const passkey = await givePasskey(dash, account);
    const browser = await signedInBy(passkey);
    const next = anAddress();
    await browser.open('/dash/me/email');
    await browser.press('Ask for the link', { email: next });
    const link = await dash.link(next);
    for (const other of [dash.browser(), await dash.signedIn(await dash.account())]) {
      await other.open(link);
      await other.press('Use this address');
      expect(other.status).toBe(422);
      expect(other.text).toContain('Sign in to your account in this browser first.');
    }
    clock += 16 * 60_000;
    await browser.open(link);
    await browser.press('Use this address');
    expect(browser.text).toContain('Sign out and sign in again first');
    const fresh = await signedInBy(passkey);
    await fresh.open(link);
    await fresh.press('Use this address');
    expect(fresh.text).toContain('Your email address is changed.');
    expect(fresh.text).toContain(next);
  });
});

/** Somebody who signs in by passkeys alone. */
async function withoutPassword(): Promise<Account> {
  const { store, vault, personal } = dash.system;
  const email = anAddress();
  const wish = { email, profile: { name: 'Sample Person' } };
  const { userId: user } = await registerPerson({ store, vault, personal }, wish, context());
  const { email: index } = await requirePerson({ store }, user);
  await commandPerson({ store }, user, { kind: 'verify-email', email: index }, context());
  await dash.caughtUp();
  return { user, email };
}
