import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { erasePerson } from '../../../src/commands/accounts/erasure.ts';
import { commandPerson, registerPerson, type PersonParts } from '../../../src/commands/accounts/person.ts';
import { setPassword } from '../../../src/commands/accounts/person-password.ts';
import { endSession, session, startSession } from '../../../src/commands/accounts/session.ts';
import { parseSessionToken } from '../../../src/events/accounts/session-format.ts';
import type { SessionEvent } from '../../../src/events/accounts/session.ts';
import { PersonalData } from '../../../src/personal/personal-data.ts';
import { sessionIdleSeconds, SessionValidity } from '../../../src/projections/accounts-session-validity.ts';
import { given } from '../../support/decider.ts';
import { caughtUp, startProjector } from '../../support/projector.ts';
import { aClock, type Clock } from '../../support/sign-in.ts';
import { dataFolder, type DataFolder, type Stores } from '../../support/stores.ts';

const data = {
  session: '0'.repeat(22),
  user: '2f0c1a52-6d3f-4c55-9a8e-3c8f2f0c7a11',
  epoch: 1,
  auth_time: 1_700_000_000,
  amr: ['pwd'],
  ends: 1_800_000_000,
  secret_sha256: '0'.repeat(64),
};
const started: SessionEvent = { type: 'SessionStarted', data };
const ended: SessionEvent = {
  type: 'SessionEnded',
  data: { session: data.session, user: data.user, reason: 'signed_out' },
};

describe('a session', () => {
  it('is started once, and ended once', () => {
    const end = { kind: 'end', session: data.session, reason: 'signed_out' } as const;
    given(session).when({ kind: 'start', data }).then(started);
    given(session, started).when({ kind: 'start', data }).thenRefused('conflict');
    given(session, started).when(end).then(ended);
    given(session, started, ended).when(end).thenNothing();
    given(session).when(end).thenNothing();
  });
});

describe('being signed in', () => {
  let folder: DataFolder;
  let stores: Stores;
  let clock: Clock;
  let parts: PersonParts;
  let userId: string;
  let projector: ReturnType<typeof startProjector>;
  let sessionValidity: SessionValidity;

  beforeEach(async () => {
    folder = dataFolder();
    stores = folder.open();
    // The side store lets entries expire by the time of day.
    clock = aClock(Date.now());
    parts = { store: stores.store, vault: stores.vault, personal: new PersonalData(stores.vault) };
    const ada = { email: 'ada@example.org', profile: { name: 'Ada' } };
    ({ userId } = await registerPerson(parts, ada, clock.command()));
    projector = startProjector(stores);
    await caughtUp(stores);
    sessionValidity = new SessionValidity(stores);
  });
  afterEach(async () => {
    await projector.stop();
    await folder.dispose();
  });

  const start = () =>
    startSession(stores.store, { user: userId, amr: ['pwd'] }, randomBytes(32), clock.command());
  const whoHolds = async (token: string) => {
    await caughtUp(stores);
    const held = parseSessionToken(token);
    return held && (await sessionValidity.of(held, clock.at()));
  };

  it('is holding the token of a session that is open', async () => {
    const { token, sessionId, authTime } = await start();
    expect(token).toMatch(/^sss_[0-9A-Za-z]{60}$/);
    expect(await whoHolds(token)).toMatchObject({
      session: { session: sessionId, user: userId, auth_time: authTime, amr: ['pwd'] },
      person: { user: userId },
    });
    const { events } = await stores.store.readAll({ after: -1n, limit: 100 });
    expect(JSON.stringify(events.map(({ data }) => data))).not.toContain(token.slice(26, 58));
  });

  it('takes the right secret, not just the name of a session', async () => {
    const { sessionId } = await start();
    const { token } = await start();
    await caughtUp(stores);
    const held = parseSessionToken(token);
    expect(await sessionValidity.of({ sessionId, sha256: held?.sha256 ?? '' }, clock.at())).toBeUndefined();
    for (const rubbish of [
      '',
      'sss_',
      `${token}0`,
      `${token.slice(0, -1)}!`,
      token.replace('sss_', 'ssr_'),
    ]) {
      expect(parseSessionToken(rubbish)).toBeUndefined();
    }
  });

  it('ends with signing out, of that session alone', async () => {
    const [one, two] = [await start(), await start()];
    await endSession(stores.store, one.sessionId, 'signed_out', clock.command());
    expect(await whoHolds(one.token)).toBeUndefined();
    expect(await whoHolds(two.token)).toBeDefined();
  });

  it('ends everywhere with one event, and a session started afterwards is good', async () => {
    const [one, two] = [await start(), await start()];
    const { events } = await commandPerson(parts, userId, { kind: 'end-sessions' }, clock.command());
    expect(events.map(({ type }) => type)).toEqual(['UserSessionsEnded']);
    for (const { token } of [one, two]) expect(await whoHolds(token)).toBeUndefined();
    expect(await whoHolds((await start()).token)).toBeDefined();
  });

  it('ends with another password, and with erasure', async () => {
    const one = await start();
    await setPassword(parts, userId, { password: 'correct horse battery' }, clock.command());
    expect(await whoHolds(one.token)).toBeUndefined();
    const two = await start();
    await erasePerson(parts, userId, clock.command());
    expect(await whoHolds(two.token)).toBeUndefined();
    await expect(start()).rejects.toMatchObject({ code: 'not_found' });
  });

  it('ends when it is not used for thirty days, however young, and after ninety however used', async () => {
    const idle = await start();
    const used = await start();
    for (let days = 29; days < 90; days += 29) {
      clock.pass(29 * 86_400_000);
      expect(await whoHolds(used.token), `day ${days}`).toBeDefined();
    }
    expect(await whoHolds(idle.token)).toBeUndefined();
    clock.pass(3 * 86_400_000);
    expect(await whoHolds(used.token)).toBeUndefined();
    const unused = await start();
    clock.pass(sessionIdleSeconds * 1_000);
    expect(await whoHolds(unused.token)).toBeUndefined();
  });

  it('ends for good when the clock is set back behind its start, also when the clock comes there again', async () => {
    clock.pass(40 * 86_400_000);
    const ahead = await start();
    expect(await whoHolds(ahead.token)).toBeDefined();
    clock.pass(-40 * 86_400_000);
    expect(await whoHolds(ahead.token)).toBeUndefined();
    expect(await whoHolds((await start()).token)).toBeDefined();
    clock.pass(41 * 86_400_000);
    expect(await whoHolds(ahead.token)).toBeUndefined();
  });

  it('ends when the clock is set back behind its last use, however often that happens', async () => {
    const { token } = await start();
    clock.pass(86_400_000);
    expect(await whoHolds(token)).toBeDefined();
    clock.pass(-86_400_000);
    expect(await whoHolds(token)).toBeUndefined();
    clock.pass(2 * 86_400_000);
    expect(await whoHolds(token)).toBeUndefined();
  });

  it('bears clocks that differ by less than five minutes', async () => {
    const { token } = await start();
    clock.pass(-299_000);
    expect(await whoHolds(token)).toBeDefined();
    clock.pass(-2_000);
    expect(await whoHolds(token)).toBeUndefined();
  });

  it('notes when it was last seen, no more than once a minute', async () => {
    const { token } = await start();
    const first = await whoHolds(token);
    if (!first) throw new Error('Nobody is signed in.');
    const seen = clock.now();
    clock.pass(30_000);
    await whoHolds(token);
    expect(await sessionValidity.lastSeen(first.session)).toBe(seen);
    clock.pass(30_000);
    await whoHolds(token);
    expect(await sessionValidity.lastSeen(first.session)).toBe(clock.now());
  });
});
