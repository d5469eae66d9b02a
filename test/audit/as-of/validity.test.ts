import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LogUpTo } from '../../../src/audit/as-of/log-up-to.ts';
import { documentsOf, kindOf } from '../../../src/audit/as-of/read-models.ts';
import { validityOf, type Validity } from '../../../src/audit/as-of/validity.ts';
import { commandPerson, registerPerson, requirePerson } from '../../../src/commands/accounts/person.ts';
import { endSession, startSession } from '../../../src/commands/accounts/session.ts';
import { commandApiKey, createApiKey } from '../../../src/commands/keys.ts';
import { changeClient } from '../../../src/commands/oauth/client.ts';
import { grantConsent, revokeConsent } from '../../../src/commands/oauth/consent.ts';
import { redeemCode } from '../../../src/commands/oauth/tokens.ts';
import { inviteMember } from '../../../src/commands/teams/invitation.ts';
import { commandTeam } from '../../../src/commands/teams/team.ts';
import { newEvent } from '../../../src/events/new-event.ts';
import { aClock, aSite, nothingElse } from '../../support/sign-in.ts';
import { dataFolder, type DataFolder, type Stores } from '../../support/stores.ts';
import { memoryLimits } from '../../support/limits.ts';

const second = 1_000;
const day = 86_400 * second;

let folder: DataFolder;
let stores: Stores;
let clock: ReturnType<typeof aClock>;
beforeEach(() => {
  folder = dataFolder();
  stores = folder.open();
  clock = aClock();
});
afterEach(() => folder.dispose());

/** Where what a stream says stood at a position (default: now), by the clock or so many milliseconds later. */
async function standing(
  stream: string,
  {
    later = 0,
    position,
    model,
  }: { readonly later?: number; readonly position?: bigint; readonly model?: string } = {},
): Promise<Validity | undefined> {
  const log = new LogUpTo(stores.store, position ?? (await stores.store.head()));
  const events = await log.readStream(stream);
  const kind = kindOf(stream);
  const documents = kind ? documentsOf(kind, events) : [];
  const folded = documents.find(({ readModel }) => model === undefined || readModel === model);
  const newest = events.at(-1);
  if (!folded || !newest) throw new Error(`Nothing is folded from ${stream}.`);
  return validityOf(log, new Date(clock.now() + later), folded, newest);
}

const not = (because: string) => ({ valid: false, because });
const valid = { valid: true };

const aPerson = async () =>
  (await registerPerson(stores, { email: 'ada@example.org', profile: { name: 'Ada' } }, clock.command()))
    .userId;

describe('a session', () => {
  const aSession = async (user: string) => {
    const asked = { user, amr: ['pwd'], lifeSeconds: 3_600 };
    const { sessionId } = await startSession(stores.store, asked, new Uint8Array(32), clock.command());
    return { id: sessionId, stream: `session-${sessionId}` };
  };

  it('was good until its end, to the second', async () => {
    const { stream } = await aSession(await aPerson());
    expect(await standing(stream, { later: 3_600 * second - 1 })).toEqual(valid);
    expect(await standing(stream, { later: 3_600 * second })).toEqual(not('expired'));
  });

  it('was good until it was ended', async () => {
    const { id, stream } = await aSession(await aPerson());
    const before = await stores.store.head();
    await endSession(stores.store, id, 'signed_out', clock.command());
    expect(await standing(stream)).toEqual(not('ended'));
    expect(await standing(stream, { position: before })).toEqual(valid);
  });

  it('was good until all sessions of the person were ended, by what the log said of the person then', async () => {
    const user = await aPerson();
    const { stream } = await aSession(user);
    const before = await stores.store.head();
    await commandPerson(stores, user, { kind: 'end-sessions' }, clock.command());
    expect(await standing(stream)).toEqual(not('all sessions of the person were ended'));
    expect(await standing(stream, { position: before })).toEqual(valid);
    expect(await standing((await aSession(user)).stream)).toEqual(valid);
  });

  it('of a person who was erased was not good', async () => {
    const user = await aPerson();
    const { stream } = await aSession(user);
    const { email } = await requirePerson(stores, user);
    const erased = { type: 'UserErased', data: { email } } as const;
    await stores.store.append(`user-${user}`, [newEvent(`user-${user}`, erased, 0, clock.command())], 'any');
    expect(await standing(stream)).toEqual(not('no such person'));
  });
});

describe('a key', () => {
  it('was good until it was revoked', async () => {
    const wish = { kind: 'developer', scopes: ['resources:read'], domains: [] } as const;
    const { keyId } = await createApiKey(stores, wish, new Uint8Array(32), clock.command());
    expect(await standing(`api-key-${keyId}`, { later: 1_000 * day })).toEqual(valid);
    await commandApiKey(stores.store, keyId, { kind: 'revoke' }, clock.command());
    expect(await standing(`api-key-${keyId}`)).toEqual(not('revoked'));
  });
});

describe('an invitation', () => {
  it('was good until it expired, also where that was not recorded', async () => {
    await commandTeam(stores.store, { kind: 'create', team: 'harbour', name: 'Harbour' }, clock.command());
    const limits = memoryLimits({ 'invitations-team': 20 });
    const inviting = { ...stores, limits, lifeSeconds: 3_600 };
    const guest = { team: 'harbour', role: 'member', email: 'guest@example.org' } as const;
    await inviteMember(inviting, guest, clock.command());
    const model = 'invitations';
    const { events } = await stores.store.readAll({ after: -1n, limit: 100 });
    const { stream = '' } = events.find(({ type }) => type === 'MemberInvited') ?? {};
    expect(await standing(stream, { model, later: 3_600 * second - 1 })).toEqual(valid);
    expect(await standing(stream, { model, later: 3_600 * second })).toEqual(not('expired'));
    await inviteMember(inviting, { ...guest, role: 'admin' }, clock.command());
    expect(await standing(stream, { model })).toEqual(not('replaced'));
  });
});

describe('a grant', () => {
  /** A site to which a person who has an account gives their consent. */
  const theSite = async () => {
    const user = await aPerson();
    const site = await aSite(stores, clock);
    const { store } = stores;
    await grantConsent(store, { user, client: site.clientId }, ['openid', 'profile'], clock.command());
    const issued = await site.code({ user });
    const { events } = await store.readAll({ after: -1n, limit: 100 });
    const { stream = '' } = events.find(({ stream: name }) => name.startsWith('grant-')) ?? {};
    return {
      user,
      site,
      stream,
      redeem: () => redeemCode(site.parts, issued.exchange, clock.command(), nothingElse),
    };
  };

  it('was good for as long as its code, then for as long as its refresh token', async () => {
    const { stream, redeem } = await theSite();
    expect(await standing(stream, { later: 600 * second - 1 })).toEqual(valid);
    expect(await standing(stream, { later: 600 * second })).toEqual(not('expired'));
    await redeem();
    expect(await standing(stream, { later: 30 * day - 1 })).toEqual(valid);
    expect(await standing(stream, { later: 30 * day })).toEqual(not('expired'));
  });

  it('was good until the consent was revoked or the site was deactivated, by what the log said then', async () => {
    const { user, site, stream, redeem } = await theSite();
    await redeem();
    const before = await stores.store.head();
    await changeClient(stores.store, site.clientId, [{ kind: 'deactivate' }], clock.command());
    expect(await standing(stream)).toEqual(not('inactive client'));
    await changeClient(stores.store, site.clientId, [{ kind: 'reactivate' }], clock.command());
    expect(await standing(stream)).toEqual(not('client reactivated since'));
    await revokeConsent(stores.store, { user, client: site.clientId }, clock.command());
    expect(await standing(stream)).toEqual(not('revoked consent'));
    expect(await standing(stream, { position: before })).toEqual(valid);
  });
});

it('is not told of what cannot expire', async () => {
  await commandTeam(stores.store, { kind: 'create', team: 'harbour', name: 'Harbour' }, clock.command());
  expect(await standing('team-harbour')).toBeUndefined();
});
