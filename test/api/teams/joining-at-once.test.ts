import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findByEmail } from '../../../src/commands/accounts/person.ts';
import { withdrawInvitation } from '../../../src/commands/teams/invitation.ts';
import { requireTeam } from '../../../src/commands/teams/team.ts';
import { eraseUnverified } from '../../../src/erasure/rounds.ts';
import { context } from '../harness.ts';
import {
  anAddress,
  password,
  redirectUri,
  startDashboard,
  verifier,
  type Account,
  type Dashboard,
} from '../accounts/harness.ts';
import type { PlainBrowser } from '../accounts/plain-browser.ts';
import { madePasskey } from '../accounts/soft-passkey.ts';

let dash: Dashboard;
let admin: Account;
let clock = Date.now();
beforeAll(async () => {
  dash = await startDashboard({
    environment: { INVITATIONS_PER_DAY: '1000' },
    now: () => new Date(clock),
  });
  admin = await dash.account();
  await dash.member('harbour', admin, 'admin');
});
afterAll(() => dash.stop());

const button = 'Join harbour as member';
const person = { name: 'Sample Person', password };
const found = (email: string) => findByEmail(dash.system, email);
const roleOf = async (email: string) =>
  (await requireTeam(dash.system.store, 'harbour')).members.get((await found(email))?.user ?? '');
const subjects = async (email: string) => (await dash.mails(email)).map(({ subject }) => subject);
const opened = async (email: string) => dash.browser().open(await dash.link(email));

/** Somebody is invited, and their link is as it was mailed. */
async function mailed(at = new Date(clock)): Promise<string> {
  const email = anAddress();
  await dash.invited('harbour', email, 'member', at);
  return email;
}

/** The same, and an admin has copied the link. */
async function copied(email = anAddress()): Promise<{ email: string; path: string; shown: PlainBrowser }> {
  await dash.invited('harbour', email, 'member', new Date(clock));
  const shown = await (await dash.signedIn(admin)).open('/dash/team?team=harbour');
  await shown.press(`Copy the link ${email}`);
  const { pathname, search } = new URL(/data-copied="([^"]+)"/.exec(shown.html)?.[1] ?? '');
  return { email, path: pathname + search, shown };
}

/** What a site is told of the address. */
async function toldToSite(browser: PlainBrowser): Promise<{ idToken: unknown; userinfo: unknown }> {
  const client = await dash.site();
  await browser.open(dash.asked(client));
  await browser.press('Allow');
  const answer = await fetch(`${dash.origin}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: client,
      grant_type: 'authorization_code',
      code: browser.url.searchParams.get('code') ?? '',
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }),
  });
  const tokens = (await answer.json()) as Record<string, string>;
  const userinfo = await fetch(`${dash.origin}/oauth/userinfo`, {
    headers: { authorization: `Bearer ${tokens['access_token'] ?? ''}` },
  });
  const claims = JSON.parse(
    Buffer.from(tokens['id_token']?.split('.')[1] ?? '', 'base64url').toString(),
  ) as Record<string, unknown>;
  const told = (await userinfo.json()) as Record<string, unknown>;
  return { idToken: claims['email_verified'], userinfo: told['email_verified'] };
}

describe('a link that was mailed', () => {
  test('joins on one page, with a confirmed address and one email', async () => {
    const email = await mailed();
    const browser = await opened(email);
    expect(browser.heading).toBe('Join harbour');
    expect(browser.text).toContain('You are invited to join harbour as a member.');
    expect(browser.text).toContain(email);
    expect(await subjects(email)).toEqual(['Invitation to harbour']);
    await browser.press(button, person);
    expect(browser.url.pathname + browser.url.search).toBe('/dash/me/teams?done=joined');
    expect(browser.text).toContain('You have joined the team.');
    expect(await roleOf(email)).toBe('member');
    expect(await found(email)).toMatchObject({ verified: true });
    expect(await subjects(email), 'used, and no other').toEqual([]);
    expect(await toldToSite(browser)).toEqual({ idToken: true, userinfo: true });
    expect((await dash.browser().open('/dash/sign-in')).heading).toBe('Sign in');
    await dash.signedIn({ user: '', email });
  });

  test('joins with a passkey in place of a password, which signs in from then on', async () => {
    const email = await mailed();
    const browser = await opened(email);
    const form = browser.forms().find(({ fields }) => fields.some(([name]) => name === 'challenge'));
    const link = new Map(form?.fields).get('link') ?? '';
    const sent = { ...madePasskey(browser), link, name: 'Sample Person' };
    await browser.post('/dash/join/harbour', { ...sent, name: '' });
    expect(browser.status).toBe(422);
    expect(browser.problem('name')).toContain('Enter a name');
    const again = { ...madePasskey(browser), link, name: 'Sample Person' };
    await browser.post('/dash/join/harbour', again);
    expect(browser.text).toContain('You have joined the team.');
    const account = await found(email);
    expect(account).toMatchObject({ verified: true, passwordVersion: 0 });
    expect(account?.passkeys).toHaveLength(1);
    const replay = await dash.browser().post('/dash/join/harbour', again);
    expect(replay.status, 'of another browser').toBe(403);
  });

  test('proves nothing when it is opened alone, nor a day later', async () => {
    const email = await mailed();
    for (let n = 0; n < 3; n++) await opened(email);
    expect(await found(email)).toBeUndefined();
    const old = await mailed(new Date(clock - 86_400_000));
    const browser = await opened(old);
    await browser.press(button, person);
    expect(browser.text).toContain('You have joined the team. Your address is not confirmed yet.');
    expect(await found(old)).toMatchObject({ verified: false, invited: true });
  });

  test('proves nothing once its email was shown in the outbox', async () => {
    const email = await mailed();
    const administrator = await dash.account({ role: 'administrator' });
    const outbox = await (await dash.signedIn(administrator)).open('/dash/outbox');
    expect(outbox.text).toContain('no longer confirms an address');
    const events = await dash.events('team-harbour');
    expect(events.at(-1)).toMatchObject({ type: 'InvitationLinkDisclosed' });
    await outbox.open('/dash/outbox');
    expect(await dash.events('team-harbour'), 'once').toHaveLength(events.length);
    const browser = await opened(email);
    await browser.press(button, person);
    expect(await found(email)).toMatchObject({ verified: false });
    expect(await roleOf(email)).toBe('member');
  });

  test('confirms the address of who is signed in with it', async () => {
    const { email, path } = await copied();
    const browser = await dash.browser().open(path);
    await browser.press(button, person);
    await dash.team('quay');
    await dash.invited('quay', email, 'reviewer', new Date(clock));
    await browser.open(await dash.link(email));
    await browser.press('Join quay as reviewer');
    expect(await found(email)).toMatchObject({ verified: true });
  });
});

describe('a link that an admin copied', () => {
  test('joins on one page, unconfirmed until the link of another email is opened', async () => {
    const { email, path, shown } = await copied();
    expect(shown.text).toContain(`Pass this link on to ${email}`);
    const browser = await dash.browser().open(path);
    await browser.press(button, person);
    expect(browser.text).toContain('You have joined the team. Your address is not confirmed yet.');
    expect(await roleOf(email)).toBe('member');
    expect(await toldToSite(browser)).toEqual({ idToken: false, userinfo: false });
    const back = await dash.signedIn({ user: '', email });
    await back.open('/dash/me');
    expect(back.text).toContain('not confirmed');
    expect(await subjects(email)).toEqual(['Confirm your email address']);
    await back.press('Confirm it');
    expect(back.text).toContain('an administrator finds the email with the link in the outbox');
    expect(await subjects(email)).toHaveLength(2);
    await back.open(await dash.link(email));
    expect(await found(email), 'a press is needed').toMatchObject({ verified: false });
    await back.press('Confirm the address');
    expect(back.text).toContain('Your email address is confirmed.');
    expect(await toldToSite(browser)).toEqual({ idToken: true, userinfo: true });
  });

  test('begins an account that keeps its address, until whoever reads its mail takes it over', async () => {
    const { email, path } = await copied();
    const browser = await dash.browser().open(path);
    await browser.press(button, person);
    clock += 4 * 86_400_000;
    const other = await dash.browser().open('/dash/register');
    await other.press('Create account', { name: 'Somebody Else', email, password });
    expect((await browser.open('/dash/me')).text).toContain('Sample Person');
    expect((await subjects(email)).at(-1)).toBe('Choose a new password');
    await other.open(await dash.link(email));
    await other.press('Set the password', { name: 'The Owner', password: 'nine patient otters diving' });
    expect((await browser.open('/dash/me')).heading).toBe('Sign in');
    expect(await found(email)).toMatchObject({ verified: true });
  });

  test('takes the address from an account that was registered and never used', async () => {
    const email = anAddress();
    const squatter = await dash.browser().open('/dash/register');
    await squatter.press('Create account', {
      name: 'A Squatter',
      email,
      password: 'nine patient otters diving',
    });
    const { path } = await copied(email);
    const browser = await dash.browser().open(path);
    await browser.press(button, person);
    expect(browser.text).toContain('You have joined the team.');
    await squatter.open('/dash/sign-in');
    await squatter.press('Sign in', { email, password: 'nine patient otters diving' });
    expect(squatter.status).toBe(422);
    await dash.signedIn({ user: '', email });
  });

  test('is not erased as one that nobody confirmed', async () => {
    const { email, path } = await copied();
    await (await dash.browser().open(path)).press(button, person);
    await dash.caughtUp();
    const config = { ...dash.system.config, smtpUrl: 'smtp://localhost:25' };
    await eraseUnverified({ ...dash.system, config }, new Date(clock + 400 * 86_400_000));
    expect(await found(email)).toBeDefined();
  });
});

describe('who has an account already', () => {
  test('joins with its password on the same page', async () => {
    const account = await dash.account();
    await dash.invited('harbour', account.email, 'member', new Date(clock));
    const browser = await opened(account.email);
    await browser.press(button, person);
    expect(browser.text).toContain('You have joined the team.');
    expect((await found(account.email))?.user).toBe(account.user);
  });

  test('is sent to sign in after another password, and their owner hears of it', async () => {
    const account = await dash.account();
    await dash.invited('harbour', account.email, 'member', new Date(clock));
    const free = await mailed();
    const pages = await Promise.all([opened(account.email), opened(free)]);
    const [taken, fresh] = pages.map(({ text }) => text.replace(/someone-\w+@/g, '@'));
    expect(taken, 'opening the link tells nothing').toBe(fresh);
    const [browser] = pages;
    await browser.press(button, { ...person, password: 'nine patient otters diving' });
    expect(browser.status).toBe(409);
    expect(browser.heading).toBe('Sign in to join');
    expect(await roleOf(account.email)).toBeUndefined();
    expect(await subjects(account.email)).toContain('You already have a Commonweal account');
    await browser.follow('Sign in');
    await browser.press('Sign in', { email: account.email, password });
    await browser.press(button);
    expect(browser.text).toContain('You have joined the team.');
  });
});

describe('what goes wrong', () => {
  test('two presses at once make one account and one member, and both are in', async () => {
    const email = await mailed();
    const browsers = [await opened(email), await opened(email)];
    await Promise.all(browsers.map((each) => each.press(button, person)));
    for (const browser of browsers) {
      if (browser.status === 409 || browser.status === 410) continue;
      expect(browser.heading).toBe('Your teams');
    }
    expect(browsers.some(({ heading }) => heading === 'Your teams')).toBe(true);
    const user = (await found(email))?.user;
    const joined = (await dash.events('team-harbour')).filter(
      ({ type, data }) => type === 'MemberJoined' && data['user'] === user,
    );
    expect(joined).toHaveLength(1);
  });

  test('an invitation that was withdrawn while the page was open says so, and makes no account', async () => {
    const email = anAddress();
    const { invitation } = await dash.invited('harbour', email, 'member', new Date(clock));
    const browser = await opened(email);
    await withdrawInvitation(dash.system, { team: 'harbour', invitation }, context());
    await browser.press(button, person);
    expect(browser.status).toBe(410);
    expect(browser.text).toContain('was withdrawn');
    expect(await found(email)).toBeUndefined();
  });

  test.each([
    ['a short password', { password: 'short' }, 'password'],
    ['the address as a password', { password: 'someone-someone@example.org' }, 'password'],
    ['no name', { name: '' }, 'name'],
    ['a name that turns the text', { name: 'a\u202eb' }, 'name'],
  ])('%s is said beside its field, and makes no account', async (_, wrong, field) => {
    const email = await mailed();
    const browser = await opened(email);
    await browser.press(button, { ...person, ...wrong });
    expect(browser.status).toBe(422);
    expect(browser.problem(field)).toBeDefined();
    expect(await found(email)).toBeUndefined();
    await browser.press(button, person);
    expect(browser.text).toContain('You have joined the team.');
  });

  test('rubbish in place of a passkey is refused, and the page can be used again', async () => {
    const email = await mailed();
    const browser = await opened(email);
    const link = browser.hidden('link');
    for (const answer of ['', '{}', 'rubbish', '{"id":"a","response":{}}']) {
      const sent = {
        token: browser.hidden('token'),
        link,
        name: 'A',
        challenge: browser.hidden('challenge'),
        answer,
      };
      await browser.post('/dash/join/harbour', sent);
      expect(browser.status).toBe(422);
      expect(browser.text).toContain('No passkey was made.');
    }
    expect(await found(email)).toBeUndefined();
  });

  test('the link of who is no admin is not shown, and of a used invitation neither', async () => {
    const member = await dash.account();
    await dash.member('harbour', member, 'member');
    const email = anAddress();
    const { invitation } = await dash.invited('harbour', email, 'member', new Date(clock));
    const browser = await dash.signedIn(member);
    await browser.open('/dash/team?team=harbour');
    expect(browser.text).not.toContain('Copy the link');
    await browser.open('/dash/me/password');
    const token = browser.hidden('token');
    await browser.post('/dash/team/invitation-link', { token, team: 'harbour', invitation });
    expect(browser.status).toBe(404);
    const own = await dash.signedIn(admin);
    await own.open('/dash/team?team=harbour');
    const adminToken = own.hidden('token');
    await (await opened(email)).press(button, person);
    await own.post('/dash/team/invitation-link', { token: adminToken, team: 'harbour', invitation });
    expect(own.status).toBe(409);
    expect(own.text).toContain('used already');
    await own.post('/dash/team/invitation-link', { token: adminToken, team: 'harbour', invitation: 'none' });
    expect(own.status).toBe(404);
  });

  test('presses from one network are limited as registering is', async () => {
    const limited = await startDashboard();
    try {
      const email = anAddress();
      await limited.invited('harbour', email, 'member');
      const browser = await limited.browser().open(await limited.link(email));
      for (let n = 0; n < 200 && browser.status !== 429; n++)
        await browser.press(button, { ...person, password: 'short' });
      expect(browser.status).toBe(429);
      expect(browser.text).toContain('Too many requests came from your network.');
    } finally {
      await limited.stop();
    }
  });
});
