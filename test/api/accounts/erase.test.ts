import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeProfile, commandPerson } from '../../../src/commands/accounts/person.ts';
import { createApiKey } from '../../../src/commands/keys.ts';
import { changeMemberRole } from '../../../src/commands/teams/member.ts';
import { createSubscription } from '../../../src/commands/webhooks/subscription.ts';
import { schedule } from '../../../src/dispatch/schedule.ts';
import { ownData } from '../../../src/erasure/own-data.ts';
import type { CommandContext } from '../../../src/events/metadata.ts';
import { Outbox } from '../../../src/mail/outbox.ts';
import { subscriptions } from '../../../src/projections/webhooks/subscriptions.ts';
import type { RecordedEvent } from '../../../src/stores/event-store/port.ts';
import { placeHold } from '../../../src/commands/accounts/erasure.ts';
import { grantConsent } from '../../../src/commands/oauth/consent.ts';
import { recordPayment } from '../../../src/commands/payments.ts';
import { context } from '../harness.ts';
import { password, startDashboard, type Account, type Dashboard } from './harness.ts';

let dash: Dashboard;
beforeAll(async () => {
  dash = await startDashboard({ environment: { SMTP_URL: 'smtp://localhost:2525' } });
});
afterAll(() => dash.stop());

const typesOf = async ({ user }: Account) => (await dash.events(`user-${user}`)).map(({ type }) => type);

describe('the page that erases an account', () => {
  test('says what will happen, asks for the password, and lets the person change their mind', async () => {
    const account = await dash.account();
    const browser = await dash.signedIn(account);
    await browser.open('/dash/me');
    await browser.follow('Erase the account Member');
    expect(browser.heading).toBe('Erase your account');
    expect(browser.text).toContain('after 7 days');
    expect(browser.text).toContain('in our backups once those from before are removed');
    await browser.press('Erase my account', { password: 'not my password at all' });
    expect(browser.status).toBe(422);
    expect(await typesOf(account)).not.toContain('ErasureRequested');

    await browser.press('Erase my account', { password });
    expect(browser.text).toContain('Your account will be erased on');
    const [mail] = (await dash.mails(account.email)).slice(-1);
    expect(mail?.subject).toBe('Your Commonweal account will be erased');
    expect(mail?.text).toContain(`${dash.origin}/dash/me/erase`);

    await browser.open('/dash/me/erase');
    await browser.press('Keep my account');
    expect(browser.text).toContain('Your account stays as it is.');
    expect((await typesOf(account)).slice(-2)).toEqual(['ErasureRequested', 'ErasureWithdrawn']);
  });

  test('says that a legal hold delays it, and takes the request all the same', async () => {
    const account = await dash.account();
    await placeHold(dash.system, account.user, { reason: 'A case at court.' }, context());
    await dash.caughtUp();
    const browser = await dash.signedIn(account);
    await browser.open('/dash/me/erase');
    expect(browser.text).toContain('must be kept for a legal reason');
    expect(browser.text).not.toContain('court');
    await browser.press('Erase my account', { password });
    expect(browser.text).toContain('Your account will be erased on');
    expect(browser.text).toContain('must be kept for a legal reason');
  });

  test('says what to do first where nobody could stand in, and what stays', async () => {
    const [ada, ben] = [await dash.account(), await dash.account()];
    await dash.team('quay');
    await dash.member('quay', ada, 'admin');
    await dash.member('quay', ben, 'member');
    const browser = await dash.signedIn(ada);
    await browser.open('/dash/me/erase');
    expect(browser.text).toContain('You are the only admin of the team quay.');
    await browser.post('/dash/me/erase', { token: browser.hidden('token'), password });
    expect(browser.status).toBe(409);
    expect(await typesOf(ada)).not.toContain('ErasureRequested');
  });
});

describe('the download of one’s own data', () => {
  test('has everything in clear, and is an event', async () => {
    const account = await dash.account({ profile: { name: 'Ada Lovelace', phone: '+1 555 0100' } });
    await dash.member('harbour', account, 'member');
    const site = await dash.site();
    const consenting = { user: account.user, client: site };
    await grantConsent(dash.system.store, consenting, ['openid', 'email'], context());
    const payment = {
      member_id: account.user,
      amount_minor: 1_250,
      currency: 'USD',
      memo: 'For the spring term',
    };
    await recordPayment(dash.system, 'harbour', payment, context());
    await placeHold(dash.system, account.user, { reason: 'A case at court.' }, context());
    await dash.caughtUp();
    const browser = await dash.signedIn(account);
    await browser.open('/dash/me');
    await browser.follow('Download Your data');
    await browser.press('Download', { password: 'not my password at all' });
    expect(browser.status).toBe(422);
    expect(await typesOf(account)).not.toContain('OwnDataExported');
    const answer = await fetch(`${dash.origin}/dash/me/data`, {
      method: 'POST',
      body: new URLSearchParams({ token: browser.hidden('token'), password }),
      headers: {
        cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'sec-fetch-site': 'same-origin',
      },
    });
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="my-data.json"');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const text = await answer.text();
    expect(text).not.toContain('court');
    const data = JSON.parse(text) as Record<string, unknown>;
    expect(data).toMatchObject({
      account: { user: account.user, name: 'Ada Lovelace', email: account.email, phone: '+1 555 0100' },
      sites: [{ client: site, name: 'Harbour News', status: 'active', scopes: ['openid', 'email'] }],
      teams: [{ team: 'harbour', role: 'member', status: 'member' }],
      payments: [{ amount_minor: 1_250, currency: 'USD', memo: 'For the spring term' }],
    });
    expect(data['sessions']).toHaveLength(1);
    expect((data['events'] as { type: string; by: string }[]).at(-1)).toMatchObject({
      type: 'OwnDataExported',
      by: 'yourself',
    });
    expect(await typesOf(account)).toContain('OwnDataExported');
  });

  test('has what lies outside of the account: roles, webhooks, emails, keys, and what was done by and about the person', async () => {
    const { store, documents } = dash.system;
    const url = 'https://books.example/in/secret-path';
    const wish = { team: 'harbour', url, events: ['member.joined', 'payment.received'] } as const;
    await createSubscription(dash.system, wish, 'whsec_x', context());
    const [account, other] = [
      await dash.account({ profile: { name: 'Grace Hopper' } }),
      await dash.account({ profile: { name: 'Somebody Else' } }),
    ];
    const by = (): CommandContext => ({ ...context(), actor: { kind: 'user', id: account.user } });
    await dash.member('harbour', account, 'member');
    await dash.member('harbour', other, 'member');
    await changeMemberRole({ store }, { team: 'harbour', user: account.user, role: 'admin' }, context());
    await commandPerson(dash.system, account.user, { kind: 'change-role', role: 'administrator' }, context());
    await changeProfile(dash.system, account.user, { name: 'Rear Admiral Hopper' }, by());
    const paid = { member_id: account.user, amount_minor: 900, currency: 'USD', memo: 'Paper tape' };
    await recordPayment(dash.system, 'harbour', paid, context());
    await createApiKey(
      dash.system,
      { kind: 'developer', label: 'Grace’s compiler', scopes: ['resources:read'], domains: [] },
      randomBytes(32),
      by(),
    );
    await changeProfile(dash.system, other.user, { name: 'Somebody Else' }, by());
    await dash.invited('harbour', 'guest@example.org', 'member');
    const state = { id: 'i', team: 'harbour', phase: 'imported', uploaded_at: '2026-01-01T00:00:00Z' };
    const imports = dash.system.side.table('directory-imports');
    await imports.put('harbour/1', { ...state, file: 'mine.zip', by: account.user });
    await imports.put('harbour/2', { ...state, file: 'theirs.zip', by: other.user });
    await new Outbox(dash.system).put(
      {
        to: account.email.toUpperCase(),
        subject: 'A new password',
        text: 'Open https://x.example/reset?key=1 now.',
      },
      3_600,
    );
    await dash.caughtUp();
    const chosen = documents.collection(subscriptions.collection);
    for (const { event } of [
      ...(await eventsOfType('MemberJoined')),
      ...(await eventsOfType('PaymentRecorded')),
    ])
      for (const doc of (await chosen.page({ orderBy: ['subscription'], limit: 10 })).slice(-1))
        await schedule({ ...dash.system, now: () => new Date() }, doc, event);
    await dash.caughtUp();

    const pieces: string[] = [];
    for await (const piece of await ownData(dash.system, account.user, by())) pieces.push(piece);
    const text = pieces.join('');
    const data = JSON.parse(text) as Record<string, Record<string, unknown>[]>;
    expect(data['account']).toMatchObject({ roles: [{ role: 'person' }, { role: 'administrator' }] });
    expect(data['teams']).toMatchObject([
      { team: 'harbour', roles: [{ role: 'member' }, { role: 'admin' }] },
    ]);
    expect(data['keys']).toMatchObject([{ kind: 'developer', label: 'Grace’s compiler', status: 'active' }]);
    expect(data['webhooks']?.map(({ event, to, team }) => ({ event, to, team }))).toEqual([
      { event: 'member.joined', to: 'books.example', team: 'harbour' },
      { event: 'payment.received', to: 'books.example', team: 'harbour' },
    ]);
    expect(data['imports']).toMatchObject([{ file: 'mine.zip', team: 'harbour' }]);
    expect(data['emails_waiting']).toMatchObject([
      { subject: 'A new password', text: 'Open (a link, left out) now.' },
    ]);
    const types = data['events']?.map(({ type }) => type);
    expect(types).toEqual(
      expect.arrayContaining([
        'UserRegistered',
        'UserProfileChanged',
        'MemberJoined',
        'MemberRoleChanged',
        'PaymentRecorded',
        'ApiKeyCreated',
        'EmailClaimed',
      ]),
    );
    expect(types).toHaveLength(new Set(data['events']?.map(({ id }) => id)).size);
    for (const words of ['Grace Hopper', 'Rear Admiral Hopper', 'Paper tape']) expect(text).toContain(words);
    for (const words of ['Somebody Else', other.user, 'guest@', 'secret-path', 'key=1', '_sealed', 'sha256'])
      expect(text, words).not.toContain(words);
  });

  test('is whole while the index of the audit log is behind', async () => {
    const account = await dash.account();
    await dash.member('harbour', account, 'member');
    await dash.withoutProjector(async () => {
      await changeMemberRole(dash.system, { team: 'harbour', user: account.user, role: 'admin' }, context());
      const pieces: string[] = [];
      for await (const piece of await ownData(dash.system, account.user, context())) pieces.push(piece);
      const { events } = JSON.parse(pieces.join('')) as { events: { type: string }[] };
      expect(events.map(({ type }) => type).slice(-3)).toEqual([
        'MemberJoined',
        'MemberRoleChanged',
        'OwnDataExported',
      ]);
    });
  });
});

/** Events of the log of one type, as the fan-out gets them. */
async function eventsOfType(type: string): Promise<{ event: RecordedEvent }[]> {
  const { events } = await dash.system.store.readAll({ after: -1n, filter: { types: [type] }, limit: 1_000 });
  return events.map((event) => ({ event }));
}
