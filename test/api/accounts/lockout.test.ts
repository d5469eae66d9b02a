import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { refusedSignIns } from '../../../src/api/accounts/sign-in/refused-sign-ins.ts';
import { linkLives } from '../../../src/commands/accounts/one-time-links.ts';
import { until } from '../../support/until.ts';
import { anAddress, password, startDashboard, type Account, type Dashboard } from './harness.ts';
import type { PlainBrowser } from './plain-browser.ts';
import { givePasskey } from './soft-passkey.ts';

let dash: Dashboard;
let clock: number;
beforeEach(async () => {
  clock = Date.now();
  dash = await startDashboard({ environment: { TRUST_PROXY: 'loopback' }, now: () => new Date(clock) });
});
afterEach(() => dash.stop());

/** A browser that never was here, at an address. */
function stranger(address: string): PlainBrowser {
  const browser = dash.browser();
  browser.headers = { 'x-forwarded-for': address };
  return browser;
}

async function signsIn(browser: PlainBrowser, email: string, secret = password): Promise<PlainBrowser> {
  await browser.open('/dash/sign-in');
  return browser.press('Sign in', { email, password: secret });
}

/** Wrong passwords from each of these addresses, at once. */
async function guesses(addresses: readonly string[], each: number, email: (n: number) => string) {
  await Promise.all(
    addresses.map(async (address, place) => {
      const browser = await stranger(address).open('/dash/sign-in');
      for (let n = 0; n < each; n++) {
        const guess = { email: email(place * each + n), password: `a guess, number ${n}` };
        await browser.press('Sign in', guess);
      }
    }),
  );
}

/** An owner whose browser has signed in once, and is signed out. */
async function ownerOf(account: Account, address: string): Promise<PlainBrowser> {
  const browser = stranger(address);
  await signsIn(browser, account.email);
  expect(browser.heading).toBe('Home');
  return browser.press('Sign out');
}

const networks = Array.from({ length: 17 }, (_, n) => `192.${n}.2.1`);

describe('whoever guesses at an account from seventeen networks', () => {
  test('keeps out strangers, and not the browsers and passkeys of its owner', async () => {
    const account = await dash.account();
    const passkey = await givePasskey(dash, account);
    const owner = await ownerOf(account, '203.0.113.9');
    await guesses(networks, 7, () => account.email);
    const fresh = await signsIn(stranger('198.51.100.7'), account.email);
    expect(fresh.status).toBe(429);
    expect(fresh.text).toContain('choose a new password');

    await signsIn(owner, account.email);
    expect(owner.heading).toBe('Home');

    const unlocked = await stranger('198.51.100.7').open('/dash/sign-in');
    await unlocked.post('/dash/sign-in/passkey', passkey.answerTo(unlocked));
    expect(unlocked.heading).toBe('Home');
  });

  test('keeps no reset mail from its owner, but the known browser alone gets it at once', async () => {
    const account = await dash.account();
    const owner = await ownerOf(account, '203.0.113.9');
    const asks = async (browser: PlainBrowser) => {
      await browser.open('/dash/reset');
      await browser.press('Ask for the link', { email: account.email });
      expect(browser.heading).toBe('Ask for your email');
    };
    for (let n = 0; n < 8; n++) await asks(stranger(networks[n] ?? ''));
    const waiting = await dash.mails(account.email);
    expect(waiting.filter(({ not_before }) => not_before === undefined)).toHaveLength(5);
    const [delayed, ...more] = waiting.filter(({ not_before }) => not_before !== undefined);
    expect(more).toEqual([]);
    expect(Date.parse(delayed?.not_before ?? '') - clock).toBe(15 * 60_000);

    await asks(owner);
    const now = await dash.mails(account.email);
    expect(now.filter(({ not_before }) => not_before === undefined)).toHaveLength(6);
    expect(now).toHaveLength(7);

    // The one that was delayed is as good, from when it goes out, as one that was not.
    const link = /(\/dash\/reset\S+)/.exec(delayed?.text ?? '')?.[1] ?? '';
    clock = Date.parse(delayed?.not_before ?? '') + (linkLives['reset-password'] - 1) * 1_000;
    const reader = await stranger('198.51.100.7').open(link);
    await reader.press('Set the password', { password: 'eleven loud magpies arguing' });
    expect(reader.text).toContain('Your new password is set.');
    // Who has chosen a new password is no stranger to the account, however many guess at it.
    await guesses(networks, 7, () => account.email);
    await signsIn(reader, account.email, 'eleven loud magpies arguing');
    expect(reader.heading).toBe('Home');
  });

  test('makes known browsers strangers no more than anybody: a new password does', async () => {
    const account = await dash.account();
    const owner = await ownerOf(account, '203.0.113.9');
    const marks = owner.cookies.get('commonweal-known');
    expect(marks).toMatch(/^[\w-]{65}$/);
    await signsIn(owner, account.email);
    expect(owner.cookies.get('commonweal-known')).toBe(marks);
    await owner.open('/dash/me/sessions');
    await owner.press('Sign out everywhere');
    await guesses(networks, 7, () => account.email);
    expect((await signsIn(owner, account.email)).status).toBe(429);
  });
});

describe('sixty wrong guesses from one network', () => {
  test('keep out its strangers, and nobody whose browser is known', async () => {
    const [account, neighbour] = [await dash.account(), await dash.account()];
    const owner = await ownerOf(account, '192.0.2.9');
    await guesses(['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'], 15, () => anAddress());
    expect((await signsIn(stranger('192.0.2.77'), neighbour.email)).status).toBe(429);
    await signsIn(owner, account.email);
    expect(owner.heading).toBe('Home');
    // Known to one account is not known to another.
    await owner.press('Sign out');
    expect((await signsIn(owner, neighbour.email)).status).toBe(429);
  });
});

describe('what is refused', () => {
  const recorded = async (): Promise<Record<string, unknown>[]> =>
    (await dash.events('refused-sign-ins-')).map(({ type, data }) => ({ type, ...data }));

  test('is recorded once for a burst: for an account, and for a network, without an address in clear', async () => {
    const account = await dash.account();
    // Of an account that nobody has, and too few from the network: nothing.
    const nobody = anAddress();
    await guesses(['192.0.9.1'], 12, () => nobody);
    await guesses(['192.0.2.1'], 14, () => account.email);
    await until(async () => (await recorded()).length === 1);
    await guesses(['192.0.2.1', '192.0.3.1'], 14, () => account.email);
    await guesses(['192.0.4.1'], 65, () => anAddress());
    await until(async () => (await recorded()).length === 2);
    const [ofAccount, ofNetwork] = await recorded();
    expect(ofAccount).toEqual({
      type: 'SignInsRefused',
      user: account.user,
      network: expect.stringMatching(/^[\w-]{43}$/) as string,
      from: 'network',
      attempts: 10,
      seconds: 900,
    });
    expect(ofNetwork).toEqual({
      type: 'SignInsRefused',
      network: expect.stringMatching(/^[\w-]{43}$/) as string,
      from: 'network',
      attempts: 60,
      seconds: 900,
    });
    expect(ofNetwork?.['network']).not.toBe(ofAccount?.['network']);
    expect(JSON.stringify(await recorded())).not.toMatch(/@|192\.0/);
  });

  test('fills no log, of however many accounts: 200 a day', async () => {
    const { store, limits } = dash.system;
    const faults: unknown[] = [];
    const record = refusedSignIns({
      store,
      limits,
      now: () => new Date(clock),
      onFault: (error) => faults.push(error),
    });
    const refused = { network: 'n', from: 'network', attempts: 10, seconds: 900 } as const;
    const accounts = Array.from({ length: 230 }, () => crypto.randomUUID());
    await Promise.all(accounts.map((user) => record({ ...refused, user })));
    expect(await recorded()).toHaveLength(200);
    expect(faults).toEqual([]);
  });
});
