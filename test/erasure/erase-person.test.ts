import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grantConsent, loadConsent } from '../../src/commands/oauth/consent.ts';
import { liftHold, placeHold, requestErasure, withdrawErasure } from '../../src/commands/accounts/erasure.ts';
import { findByEmail } from '../../src/commands/accounts/person.ts';
import { user as userDecider } from '../../src/commands/accounts/user.ts';
import { load } from '../../src/commands/command-handler.ts';
import { askForErasure, eraseNow } from '../../src/erasure/erase-person.ts';
import { obstacleSentences, obstaclesOf } from '../../src/erasure/obstacles.ts';
import type { ErasureParts } from '../../src/erasure/parts.ts';
import { eraseDue, eraseUnverified, finishErasures } from '../../src/erasure/rounds.ts';
import { Outbox } from '../../src/mail/outbox.ts';
import { PersonalData, personOf } from '../../src/personal/personal-data.ts';
import { members, memberId } from '../../src/projections/teams-members.ts';
import type { SideTable } from '../../src/stores/side/port.ts';
import { startDashboard, type Account, type Dashboard } from '../api/accounts/harness.ts';
import { context } from '../api/harness.ts';
import { altered } from '../support/altered.ts';
import { mailTime } from '../../src/tables/shown-time.ts';

let dash: Dashboard;
let parts: ErasureParts;
let site: string;
beforeAll(async () => {
  dash = await startDashboard({ environment: { SMTP_URL: 'smtp://localhost:2525' } });
  parts = dash.system;
  site = await dash.site();
});
afterAll(() => dash.stop());

const dayMs = 86_400_000;
const statusOf = async (id: string) => (await load(dash.system.store, userDecider, id)).state?.status;
const hasKey = async (id: string) => (await dash.system.vault.get(personOf(id))) !== undefined;
const mailsTo = async ({ email }: Account) => (await dash.mails(email)).map(({ subject }) => subject);

/** Somebody with everything that an erasure has to end. */
async function withEverything(): Promise<Account> {
  const account = await dash.account();
  await dash.member('harbour', account, 'member');
  await grantConsent(
    dash.system.store,
    { user: account.user, client: site },
    ['openid', 'profile'],
    context(),
  );
  await new Outbox(dash.system).put(
    { to: account.email.toUpperCase(), subject: 'Reset', text: `Hello ${account.email}` },
    3_600,
  );
  await dash.caughtUp();
  return account;
}

async function expectGone({ user, email }: Account): Promise<void> {
  const { vault, personal, store, documents } = dash.system;
  await dash.caughtUp();
  expect(await statusOf(user)).toBe('erased');
  expect(await hasKey(user)).toBe(false);
  expect(await vault.names(`password/${user}/`)).toEqual([]);
  expect(await findByEmail({ store, personal }, email)).toBeUndefined();
  expect((await loadConsent(store, { user, client: site }))?.status).toBe('revoked');
  const membership = await documents.collection(members.collection).get(memberId('harbour', user));
  expect(membership?.status).toBe('left');
  const waiting = (await dash.mails()).filter(({ to }) => to.toLowerCase() === email.toLowerCase());
  expect(waiting.map(({ subject }) => subject)).toEqual(['Your Commonweal account is erased']);
}

describe('an erasure', () => {
  it('ends sessions, consents, memberships, emails and passwords, and frees the address', async () => {
    const account = await withEverything();
    const browser = await dash.signedIn(account);
    await eraseNow(parts, account.user, context());
    await expectGone(account);
    await browser.open('/dash/me');
    expect(browser.heading).toBe('Sign in');
    await dash.account({ email: account.email });
  });

  it('is finished by the next run, wherever it was interrupted', async () => {
    // Counted without a fault first, so that each call is one of the places.
    const counting = faulty(Infinity);
    await eraseNow(counting.parts, (await withEverything()).user, context());
    const calls = counting.calls();
    expect(calls).toBeGreaterThan(8);
    for (let call = 1; call <= calls; call++) {
      const account = await withEverything();
      const failing = faulty(call);
      await expect(eraseNow(failing.parts, account.user, context()), `call ${call}`).rejects.toThrow(
        'killed',
      );
      await dash.caughtUp();
      await finishErasures(parts, new Date(), { everybody: true });
      await expectGone(account);
    }
  });
});

/**
 * Parts that are killed at a call that changes something, after it has had its effect: before it has one is the same as
 * after the call before.
 */
function faulty(at: number): { parts: ErasureParts; calls: () => number } {
  let calls = 0;
  const dying =
    <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      if (++calls > at) throw new Error('killed');
      const result = await work(...args);
      if (calls >= at) throw new Error('killed');
      return result;
    };
  const { store, vault, side, erasureLedger } = dash.system;
  const of = {
    store: altered(store, { append: dying(store.append.bind(store)) }),
    vault: altered(vault, { delete: dying(vault.delete.bind(vault)) }),
    ledger: altered(erasureLedger, { record: dying(erasureLedger.record.bind(erasureLedger)) }),
    side: altered(side, {
      scrub: dying(side.scrub.bind(side)),
      table: <Value>(name: string): SideTable<Value> => {
        const table = side.table<Value>(name);
        return altered(table, {
          putIfAbsent: dying(table.putIfAbsent.bind(table)),
          put: dying(table.put.bind(table)),
          delete: dying(table.delete.bind(table)),
        });
      },
    }),
  };
  const { ledger, ...stores } = of;
  const personal = new PersonalData(of.vault, undefined, ledger);
  const { documents, masterKey, config } = dash.system;
  return { parts: { ...stores, personal, documents, masterKey, config }, calls: () => calls };
}

describe('a request', () => {
  it('takes effect after the grace, and its person is told how to withdraw it and when it is done', async () => {
    const account = await dash.account();
    const at = new Date();
    const { dueAt } = await askForErasure(parts, account.user, { ...context(), at });
    expect(Date.parse(dueAt) - at.getTime()).toBe(7 * dayMs);
    const [mail] = await dash.mails(account.email);
    expect(mail?.text).toContain('/dash/me/erase');
    expect(mail?.text).toContain(`erased after ${mailTime(dueAt)}.`);
    await dash.caughtUp();
    expect(await eraseDue(parts, new Date(Date.parse(dueAt) - 1))).toBe(0);
    expect(await statusOf(account.user)).toBe('active');
    expect(await eraseDue(parts, new Date(dueAt))).toBe(1);
    expect(await statusOf(account.user)).toBe('erased');
    expect(await mailsTo(account)).toEqual(['Your Commonweal account is erased']);
  });

  it('that is repeated puts nothing off and sends no second email', async () => {
    const account = await dash.account();
    const first = await askForErasure(parts, account.user, context());
    const again = await askForErasure(parts, account.user, {
      ...context(),
      at: new Date(Date.now() + dayMs),
    });
    expect(again.dueAt).toBe(first.dueAt);
    expect(await mailsTo(account)).toHaveLength(1);
  });

  it('that is withdrawn does nothing', async () => {
    const { user } = await dash.account();
    await askForErasure(parts, user, context());
    await withdrawErasure(parts, user, context());
    await dash.caughtUp();
    await eraseDue(parts, new Date(Date.now() + 30 * dayMs));
    expect(await statusOf(user)).toBe('active');
  });

  it('waits for a legal hold, and takes effect after it is lifted', async () => {
    const { user } = await dash.account();
    const { hold } = await placeHold(parts, user, { reason: 'A case at court.' }, context());
    await requestErasure(parts, user, { graceSeconds: 0 }, context());
    await dash.caughtUp();
    const later = new Date(Date.now() + dayMs);
    expect(await eraseDue(parts, later)).toBe(0);
    await expect(eraseNow(parts, user, context())).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('legal hold') as string,
    });
    expect(await hasKey(user)).toBe(true);
    await liftHold(parts, user, { hold }, context());
    await dash.caughtUp();
    expect(await eraseDue(parts, later)).toBe(1);
    expect(await hasKey(user)).toBe(false);
  });

  it('is decided by the stream where the read model does not know of a hold yet', async () => {
    const { user } = await dash.account();
    await requestErasure(parts, user, { graceSeconds: 0 }, context());
    await dash.caughtUp();
    await placeHold(parts, user, { reason: 'A case at court.' }, context());
    await eraseDue(parts, new Date(Date.now() + dayMs));
    expect(await statusOf(user)).toBe('active');
  });
});

describe('an account that was never verified', () => {
  const month = 30 * dayMs;
  const soon = () => new Date(Date.now() + month + 60_000);

  it('is erased after its time when nothing depends on it, without an email', async () => {
    const forgotten = await dash.account({ confirmed: false });
    const verified = await dash.account();
    const member = await dash.account({ confirmed: false });
    await dash.member('harbour', member, 'member');
    const administrator = await dash.account({ confirmed: false, role: 'administrator' });
    const held = await dash.account({ confirmed: false });
    await placeHold(parts, held.user, { reason: 'A case at court.' }, context());
    await dash.caughtUp();
    expect(await eraseUnverified(parts, new Date(Date.now() + month - 60_000))).toBe(0);
    const config = { ...parts.config, smtpUrl: undefined };
    expect(await eraseUnverified({ ...parts, config, ...rest() }, soon()), 'nobody could verify').toBe(0);
    await eraseUnverified(parts, soon());
    expect(await statusOf(forgotten.user)).toBe('erased');
    expect(await mailsTo(forgotten)).toEqual([]);
    for (const { user } of [verified, member, administrator, held])
      expect(await statusOf(user)).toBe('active');
  });

  /** The getters of the system are not spread. */
  const rest = () => {
    const { store, vault, personal, documents, side, masterKey } = dash.system;
    return { store, vault, personal, documents, side, masterKey };
  };
});

describe('who nobody could stand in for', () => {
  it('is told what to do first', async () => {
    const [ada, ben] = [await dash.account(), await dash.account({ role: 'administrator' })];
    await dash.team('quay');
    await dash.member('quay', ada, 'admin');
    expect(await obstaclesOf(parts, ada.user), 'alone in the team').toEqual({
      lastAdministrator: false,
      onlyAdminOf: [],
    });
    await dash.member('quay', ben, 'member');
    const obstacles = await obstaclesOf(parts, ada.user);
    expect(obstacleSentences(obstacles)).toEqual([
      'This is the only admin of the team quay. Make another member an admin of it first.',
    ]);
    const third = await dash.account({ role: 'administrator' });
    expect((await obstaclesOf(parts, ben.user)).lastAdministrator).toBe(false);
    await eraseNow(parts, third.user, context());
    await dash.caughtUp();
  });
});
