import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addPasskey } from '../../../src/commands/accounts/person.ts';
import { context } from '../harness.ts';
import {
  anAddress,
  password,
  redirectUri,
  startDashboard,
  verifier,
  type Account,
  type Dashboard,
} from './harness.ts';
import type { PlainBrowser } from './plain-browser.ts';

const chosen = 'eleven loud magpies arguing';

let dash: Dashboard;
beforeAll(async () => {
  dash = await startDashboard();
});
afterAll(() => dash.stop());

/** Somebody who knows the password asks for the account to have an address of theirs. Answers the link they get. */
async function asksForAddress(account: Account, address = anAddress()): Promise<string> {
  const thief = await dash.signedIn(account);
  await thief.open('/dash/me/email');
  await thief.press('Ask for the link', { email: address, password });
  return dash.link(address);
}

/** The owner chooses a new password with the link out of the mail. */
async function resets({ email }: Account): Promise<PlainBrowser> {
  const owner = await dash.browser().open('/dash/reset');
  await owner.press('Ask for the link', { email });
  await owner.open(await dash.link(email));
  await owner.press('Set the password', { password: chosen });
  expect(owner.text).toContain('Your new password is set.');
  return owner;
}

describe('a link to another address', () => {
  test('does nothing once the owner has chosen a new password, whoever knew the old one', async () => {
    const account = await dash.account();
    const link = await asksForAddress(account);
    await resets(account);
    const thief = await dash.browser().open(link);
    expect(thief.status).toBe(400);
    expect(thief.heading).toBe('This link no longer works');
    expect((await dash.events(`user-${account.user}`)).map(({ type }) => type)).not.toContain(
      'UserEmailChanged',
    );
  });

  test('does nothing once the owner has signed out everywhere', async () => {
    const account = await dash.account();
    const link = await asksForAddress(account);
    const owner = await dash.signedIn(account);
    await owner.open('/dash/me/sessions');
    await owner.press('Sign out everywhere');
    expect((await dash.browser().open(link)).status).toBe(400);
  });

  test('asks for the password of the account, and counts the guesses', async () => {
    const account = await dash.account();
    const next = anAddress();
    const visitor = await dash.browser().open(await asksForAddress(account, next));
    await visitor.press('Use this address');
    expect(visitor.problem('password')).toBe('Enter your password.');
    await visitor.press('Use this address', { password: 'nine patient otters diving' });
    expect(visitor.status).toBe(422);
    expect(visitor.problem('password')).toBe('This is not the password of the account.');
    for (let guess = 0; guess < 10; guess++)
      await visitor.press('Use this address', { password: `a guess, number ${guess}` });
    expect(visitor.status).toBe(429);
    expect(visitor.problem('password')).toMatch(/^Too many attempts/);
    const types = (await dash.events(`user-${account.user}`)).map(({ type }) => type);
    expect(types).not.toContain('UserEmailChanged');
  });

  test('tells the old address when it is asked for, and when it is used', async () => {
    const account = await dash.account();
    const next = anAddress();
    const link = await asksForAddress(account, next);
    const asked = (await dash.mails(account.email)).at(-1);
    expect(asked?.subject).toBe('Your email address is about to be changed');
    expect(asked?.text).toContain('choose a new password');
    expect(asked?.text).not.toContain(next);
    const visitor = await dash.browser().open(link);
    await visitor.press('Use this address', { password });
    const [, changed] = await dash.mails(account.email);
    expect(changed?.text).toContain('now has another email address');
    expect(changed?.text).not.toContain(next);
  });
});

/** What a site got for somebody who let it see something, and what it can still do with it. */
async function siteOf(browser: PlainBrowser) {
  const client = await dash.site();
  await browser.open(dash.asked(client));
  await browser.press('Allow');
  const post = async (fields: Record<string, string>) => {
    const answer = await fetch(`${dash.origin}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: client, ...fields }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, string> };
  };
  const code = browser.url.searchParams.get('code') ?? '';
  const { body: tokens } = await post({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
  return {
    client,
    reads: async () => {
      const { status } = await fetch(`${dash.origin}/oauth/userinfo`, {
        headers: { authorization: `Bearer ${tokens['access_token'] ?? ''}` },
      });
      return status;
    },
    refreshes: async () => {
      const { status, body } = await post({
        grant_type: 'refresh_token',
        refresh_token: tokens['refresh_token'] ?? '',
      });
      return status === 200 ? 'refreshed' : body['error'];
    },
  };
}

describe('choosing a new password by mail', () => {
  test('ends every session and every site’s access, with one event, by the time it is answered', async () => {
    const account = await dash.account();
    const browser = await dash.signedIn(account);
    const sites = [await siteOf(browser), await siteOf(browser)];
    for (const site of sites) expect(await site.reads()).toBe(200);
    const before = await dash.events('');
    await resets(account);
    for (const site of sites) expect(await site.reads()).toBe(401);
    for (const site of sites) expect(await site.refreshes()).toBe('invalid_grant');
    expect((await browser.open('/dash/me')).heading).toBe('Sign in');
    const since = (await dash.events('')).slice(before.length).map(({ type }) => type);
    expect(since).toEqual(['UserPasswordChanged']);
  });

  test('makes every site ask anew for what it was let see', async () => {
    const account = await dash.account();
    const browser = await dash.signedIn(account);
    const { client } = await siteOf(browser);
    await resets(account);
    await browser.open('/dash/sign-in');
    await browser.press('Sign in', { email: account.email, password: chosen });
    await browser.open('/dash/me/apps');
    expect(browser.text).toContain('No site can see your data.');
    await browser.open(dash.asked(client, { prompt: 'none' }));
    expect(browser.url.searchParams.get('error')).toBe('consent_required');
    await browser.open(dash.asked(client));
    expect(browser.heading).toBe('Sign in to Harbour News?');
    await browser.press('Allow');
    expect(browser.url.searchParams.get('code')).toMatch(/^sac_/);
  });

  test('takes away the passkeys that somebody may have added, unless they are to stay', async () => {
    const { store, vault, personal } = dash.system;
    for (const kept of [false, true]) {
      const account = await dash.account();
      const passkey = { credential: 'a-passkey', publicKey: 'a-key', transports: [], label: 'My telephone' };
      await addPasskey({ store, vault, personal }, account.user, passkey, context());
      const owner = await dash.browser().open('/dash/reset');
      await owner.press('Ask for the link', { email: account.email });
      await owner.open(await dash.link(account.email));
      expect(owner.text).toContain('My telephone');
      await owner.press('Set the password', {
        password: chosen,
        ...(kept ? { 'remove-passkeys': false } : {}),
      });
      await owner.open('/dash/sign-in');
      await owner.press('Sign in', { email: account.email, password: chosen });
      await owner.open('/dash/me/passkeys');
      expect(owner.text.includes('My telephone'), String(kept)).toBe(kept);
    }
  });
});

describe('changing the password', () => {
  test('ends every site’s access where that is ticked, and not where it is not', async () => {
    for (const ticked of [true, false]) {
      const account = await dash.account();
      const browser = await dash.signedIn(account);
      const site = await siteOf(browser);
      await browser.open('/dash/me/password');
      await browser.press('Save', { password, new: chosen, ...(ticked ? {} : { 'end-access': false }) });
      expect(browser.text).toContain('Your password is changed.');
      expect(await site.reads()).toBe(ticked ? 401 : 200);
      expect(await site.refreshes()).toBe(ticked ? 'invalid_grant' : 'refreshed');
    }
  });
});
