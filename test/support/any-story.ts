import fc from 'fast-check';
import { changeClient, registerClient } from '../../src/commands/oauth/client.ts';
import { grantConsent, revokeConsent } from '../../src/commands/oauth/consent.ts';
import { commandApiKey, createApiKey } from '../../src/commands/keys.ts';
import { CommandRefused } from '../../src/ground/refusals.ts';
import { lifetimes } from '../../src/commands/oauth/grant.ts';
import { OAuthRefused } from '../../src/commands/oauth/errors.ts';
import { changeEmail, commandPerson, registerPerson } from '../../src/commands/accounts/person.ts';
import { importResource } from '../../src/commands/directory/import-record.ts';
import {
  commandResource,
  eraseResourcePerson,
  peopleOfResource,
  type CommandOnResource,
} from '../../src/commands/directory/resource.ts';
import {
  commandSubscription,
  createSubscription,
  rotateSecret,
} from '../../src/commands/webhooks/subscription.ts';
import { user } from '../../src/commands/accounts/user.ts';
import { execute } from '../../src/commands/command-handler.ts';
import { startSession } from '../../src/commands/accounts/session.ts';
import { inviteMember } from '../../src/commands/teams/invitation.ts';
import { changeMemberRole, endMembership, joinTeam } from '../../src/commands/teams/member.ts';
import { commandTeam } from '../../src/commands/teams/team.ts';
import { TokenKeys } from '../../src/commands/oauth/token-keys.ts';
import { revokeToken } from '../../src/commands/oauth/token-revocation.ts';
import { issueCode, redeemCode, refreshTokens } from '../../src/commands/oauth/tokens.ts';
import { integerId, svcIdOf } from '../../src/events/ids.ts';
import type { CommandContext } from '../../src/events/metadata.ts';
import { memberRoles } from '../../src/events/teams.ts';
import { webhookEvents } from '../../src/events/webhooks/webhook-events.ts';
import { PersonalData } from '../../src/personal/personal-data.ts';
import { challengeOf, nothingElse, redirectUri } from './sign-in.ts';
import type { Stores } from './stores.ts';
import { memoryLimits } from './limits.ts';

const teamOf = fc.constantFrom('bay', 'harbour', 'inland');
const recordOf = fc.nat({ max: 4 });
const categoryOf = fc.constantFrom('food' as const, 'housing' as const);
const truth = fc.boolean();

/** One thing that somebody asks for; most are possible only after others, and are refused until then. */
export type Ask = (stores: Stores, made: Made) => Promise<unknown>;
/** What a story has made so far, and what its next command is. */
export interface Made {
  /** The context of the next command: who asks for it, and when. */
  readonly command: () => CommandContext;
  readonly keys: string[];
  readonly subscriptions: string[];
  readonly clients: string[];
  readonly people: string[];
  readonly codes: string[];
  readonly refreshTokens: string[];
}

const importing: fc.Arbitrary<Ask> = fc
  .tuple(recordOf, fc.nat({ max: 2 }), categoryOf, truth, truth)
  .map(([record, name, category, active, approve]) => (stores, made) => {
    const fields = {
      name: `Name ${name}`,
      category,
      ...(name === 1 ? { locations: [{ city: 'Miami' }] } : {}),
    };
    return importResource(stores, { ...sourceOf(record), fields, active, approve }, made.command());
  });

const deciding: fc.Arbitrary<Ask> = fc
  .tuple(recordOf, fc.constantFrom('approve', 'reject', 'deactivate', 'reactivate', 'revise', 'name'))
  .map(([record, kind]) => (stores, made) => {
    const command = {
      approve: { kind: 'approve' },
      reject: { kind: 'reject', reason: 'No.' },
      deactivate: { kind: 'deactivate' },
      reactivate: { kind: 'reactivate' },
      revise: { kind: 'revise', change: { city: null, phone: '305' } },
      name: { kind: 'revise', change: { contacts: [{ name: 'Ana' }, { name: 'Ben' }], verified_by: 'Ana' } },
    } satisfies Record<string, CommandOnResource>;
    return commandResource(stores, svcIdOf(numberOf(record)), command[kind], made.command());
  });

const erasing: fc.Arbitrary<Ask> = recordOf.map((record) => async (stores, made) => {
  const svcId = svcIdOf(numberOf(record));
  const named = await peopleOfResource(stores, svcId);
  const person = named.find(({ standing }) => standing !== 'erased')?.person ?? crypto.randomUUID();
  return eraseResourcePerson(stores, svcId, { person }, made.command());
});

/** A record is withdrawn and put back. By chance alone, the three seldom meet at one record. */
const comingBack: fc.Arbitrary<Ask> = recordOf.map((record) => async (stores, made) => {
  const fields = { name: 'Back again', category: 'food' } as const;
  const wish = { ...sourceOf(record), fields, active: true, approve: true };
  await importResource(stores, wish, made.command());
  for (const kind of ['deactivate', 'reactivate'] as const)
    await commandResource(stores, svcIdOf(numberOf(record)), { kind }, made.command());
});

const keys: fc.Arbitrary<Ask> = fc
  .tuple(fc.nat({ max: 2 }), fc.nat({ max: 3 }))
  .map(([which, what]) => async (stores, made) => {
    const { store } = stores;
    const keyId = made.keys[which];
    if (keyId === undefined) {
      const wish = { kind: 'developer', scopes: ['resources:read'], domains: [] } as const;
      made.keys.push((await createApiKey(stores, wish, new Uint8Array(32), made.command())).keyId);
      return;
    }
    const change =
      what === 0
        ? ({ kind: 'revoke' } as const)
        : ({ kind: 'change-domains', domains: [`d${what}.org`] } as const);
    await commandApiKey(store, keyId, change, made.command());
  });

const subscriptions: fc.Arbitrary<Ask> = fc
  .tuple(fc.nat({ max: 1 }), fc.nat({ max: 6 }), fc.subarray([...webhookEvents], { minLength: 1 }), teamOf)
  .map(([which, what, events, team]) => async (stores, made) => {
    const id = made.subscriptions[which];
    if (id === undefined) {
      const wish = { team, url: 'https://example.org/', events };
      made.subscriptions.push(
        (await createSubscription(stores, wish, 'whsec_x', made.command())).subscriptionId,
      );
      return;
    }
    if (what === 0) {
      await rotateSecret(stores, id, 'whsec_y', made.command());
      return;
    }
    const commands = [
      { kind: 'choose-events', events },
      { kind: 'change-url', url: `https://example.org/${events.length}` },
      { kind: 'pause' },
      { kind: 'auto-pause', reason: 'It answered 410.' },
      { kind: 'resume' },
      { kind: 'delete' },
    ] as const;
    await commandSubscription(stores, id, commands[(what - 1) as 0], made.command());
  });

const teamsToo: fc.Arbitrary<Ask> = fc.tuple(teamOf, truth).map(
  ([team, create]) =>
    ({ store }, made) =>
      commandTeam(
        store,
        create
          ? { kind: 'create', team, name: team }
          : { kind: 'enable-scopes', team, scopes: ['audit:read'] },
        made.command(),
      ),
);

async function registerSite({ store }: Stores, made: Made, team: string): Promise<void> {
  const site = { team, name: 'A site', redirectUris: [redirectUri] };
  made.clients.push((await registerClient(store, site, made.command())).clientId);
}

const clientsToo: fc.Arbitrary<Ask> = fc
  .tuple(fc.nat({ max: 1 }), fc.nat({ max: 3 }), teamOf)
  .map(([which, what, team]) => async (stores, made) => {
    const id = made.clients[which];
    if (id === undefined) {
      await registerSite(stores, made, team);
      return;
    }
    const commands = [
      { kind: 'change-details', name: `Site ${what}` },
      { kind: 'deactivate' },
      { kind: 'reactivate' },
      { kind: 'set-first-party', firstParty: true },
    ] as const;
    await changeClient(stores.store, id, [commands[what as 0]], made.command());
  });

async function register(stores: Stores, made: Made, email: string): Promise<void> {
  const parts = { ...stores, personal: new PersonalData(stores.vault) };
  const person = { email, profile: { name: 'A person' } };
  made.people.push((await registerPerson(parts, person, made.command())).userId);
}

const peopleToo: fc.Arbitrary<Ask> = fc
  .tuple(fc.nat({ max: 1 }), fc.nat({ max: 4 }))
  .map(([which, what]) => async (stores, made) => {
    const parts = { ...stores, personal: new PersonalData(stores.vault) };
    const id = made.people[which];
    const email = `person${what % 3}@example.org`;
    if (id === undefined) {
      await register(stores, made, email);
      return;
    }
    if (what < 3) await changeEmail(parts, id, { email }, made.command());
    else if (what === 3) await commandPerson(parts, id, { kind: 'end-sessions' }, made.command());
    else await startSession(stores.store, { user: id, amr: ['pwd'] }, new Uint8Array(32), made.command());
  });

const signingIn: fc.Arbitrary<Ask> = fc
  .tuple(fc.nat({ max: 1 }), fc.nat({ max: 1 }), fc.nat({ max: 5 }), truth)
  .map(([who, where, what, more]) => async (stores, made) => {
    const { store, vault } = stores;
    const [user, clientId] = [made.people[who], made.clients[where]];
    if (user === undefined || clientId === undefined) return;
    const parts = { store, personal: new PersonalData(vault), tokenKeys: new TokenKeys(vault), lifetimes };
    const whose = { user, client: clientId };
    const scopes = more ? (['openid', 'profile'] as const) : (['openid'] as const);
    if (what === 0) await grantConsent(store, whose, scopes, made.command());
    if (what === 1) await revokeConsent(store, whose, made.command());
    if (what === 2) {
      const request = { redirectUri, codeChallenge: challengeOf('verifier'), authTime: 1, amr: ['pwd'] };
      made.codes.push((await issueCode(parts, { ...whose, scopes, ...request }, made.command())).code);
    }
    const code = made.codes.at(-1);
    if (what === 3 && code !== undefined) {
      const exchange = { code, clientId, redirectUri, codeVerifier: 'verifier' };
      made.refreshTokens.push((await redeemCode(parts, exchange, made.command(), nothingElse)).refreshToken);
    }
    const refreshToken = made.refreshTokens.at(-1);
    if (what === 4 && refreshToken !== undefined) {
      made.refreshTokens.push(
        (await refreshTokens(parts, { refreshToken, clientId }, made.command(), nothingElse)).refreshToken,
      );
    }
    if (what === 5 && refreshToken !== undefined) {
      await revokeToken(parts, { token: refreshToken, clientId }, made.command());
    }
  });

/** A person allows a site to know them, and then ends the access of all sites with a new password. */
const endingAccess: fc.Arbitrary<Ask> = fc
  .tuple(fc.nat({ max: 1 }), fc.nat({ max: 1 }), teamOf)
  .map(([who, where, team]) => async (stores, made) => {
    if (made.people[who] === undefined)
      await register(stores, made, `access${made.people.length}@example.org`);
    if (made.clients[where] === undefined) await registerSite(stores, made, team);
    const [id, client] = [made.people[who], made.clients[where]];
    if (id === undefined || client === undefined) return;
    const { store } = stores;
    await grantConsent(store, { user: id, client }, ['openid'], made.command()).catch(unlessRefused);
    // Without a password: to hash it takes longer than all the rest of a story.
    const passwordId = crypto.randomUUID();
    await execute(store, user, id, { kind: 'change-password', passwordId, endAccess: true }, made.command());
  });

const membersToo: fc.Arbitrary<Ask> = fc
  .tuple(fc.nat({ max: 1 }), fc.nat({ max: 6 }), teamOf, fc.constantFrom(...memberRoles))
  .map(([which, what, team, role]) => async (stores, made) => {
    const user = made.people[which];
    const parts = { ...stores, personal: new PersonalData(stores.vault) };
    if (what > 4) {
      const limits = memoryLimits({ 'invitations-team': 20 });
      const inviting = { ...parts, limits, lifeSeconds: 3_600 };
      await inviteMember(inviting, { team, role, email: `guest${which}@example.org` }, made.command());
      return;
    }
    if (user === undefined) return;
    if (what < 2) await joinTeam(parts, { team, user, role }, made.command());
    if (what === 2) await changeMemberRole(parts, { team, user, role }, made.command());
    if (what === 3) await endMembership(parts, { team, user }, made.command());
    if (what === 4) await commandPerson(parts, user, { kind: 'end-sessions' }, made.command());
  });

/** A story of commands, as people and programs send them. */
export const aStory = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: importing },
    { weight: 4, arbitrary: deciding },
    { weight: 2, arbitrary: comingBack },
    { weight: 1, arbitrary: erasing },
    { weight: 2, arbitrary: keys },
    { weight: 3, arbitrary: subscriptions },
    { weight: 2, arbitrary: teamsToo },
    { weight: 2, arbitrary: clientsToo },
    { weight: 2, arbitrary: peopleToo },
    { weight: 2, arbitrary: membersToo },
    { weight: 6, arbitrary: signingIn },
    { weight: 2, arbitrary: endingAccess },
  ),
  { minLength: 10, maxLength: 80 },
);

/** A story that has not begun. */
export const nothingMade = (command: () => CommandContext): Made => ({
  command,
  keys: [],
  subscriptions: [],
  clients: [],
  people: [],
  codes: [],
  refreshTokens: [],
});

/** The rules may refuse what a story asks for. */
export function unlessRefused(error: unknown): void {
  if (!(error instanceof CommandRefused || error instanceof OAuthRefused)) throw error;
}

function sourceOf(record: number) {
  return {
    team: ['bay', 'harbour', 'inland'][record % 3] ?? 'bay',
    source: { system: 'city', id: `${record}` },
  };
}

function numberOf(record: number): number {
  const { team, source } = sourceOf(record);
  return integerId('import', team, source.system, source.id, '0');
}
