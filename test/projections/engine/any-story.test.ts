import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeClient, registerClient } from '../../../src/commands/oauth/client.ts';
import { grantConsent, revokeConsent } from '../../../src/commands/oauth/consent.ts';
import { commandApiKey, createApiKey } from '../../../src/commands/keys/api-key.ts';
import { CommandRefused } from '../../../src/commands/errors.ts';
import { lifetimes } from '../../../src/commands/oauth/grant.ts';
import { OAuthRefused } from '../../../src/commands/oauth/errors.ts';
import { changeEmail, commandPerson, registerPerson } from '../../../src/commands/accounts/person.ts';
import {
  commandResource,
  eraseResourcePerson,
  importResource,
  peopleOfResource,
  type CommandOnResource,
} from '../../../src/commands/directory/resource.ts';
import {
  commandSubscription,
  createSubscription,
  rotateSecret,
} from '../../../src/commands/webhooks/subscription.ts';
import { startSession } from '../../../src/commands/accounts/session.ts';
import { commandTeam } from '../../../src/commands/teams/team.ts';
import { TokenKeys } from '../../../src/commands/oauth/token-keys.ts';
import { issueCode, redeemCode, refreshTokens, revokeToken } from '../../../src/commands/oauth/tokens.ts';
import { integerId, svcIdOf } from '../../../src/events/ids.ts';
import { webhookEvents } from '../../../src/events/webhooks/webhook.ts';
import { PersonalData } from '../../../src/personal/personal-data.ts';
import { nameOf, type AnyProjection } from '../../../src/projections/engine/define.ts';
import { foldLog } from '../../support/fold-log.ts';
import type { CollectionWriter } from '../../../src/stores/documents/port.ts';
import { altered } from '../../support/altered.ts';
import { aCommand } from '../../support/context.ts';
import { all, foldOf } from '../../support/fold.ts';
import { everything, sorted } from '../../support/projector.ts';
import { challengeOf, nothingElse, redirectUri } from '../../support/sign-in.ts';
import { dataFolder, type Stores } from '../../support/stores.ts';

const teamOf = fc.constantFrom('bay', 'harbour', 'inland');
const recordOf = fc.nat({ max: 4 });
const categoryOf = fc.constantFrom('food' as const, 'housing' as const);
const truth = fc.boolean();

/** One thing that somebody asks for; most are possible only after others, and are refused until then. */
type Ask = (stores: Stores, made: Made) => Promise<unknown>;
interface Made {
  readonly keys: string[];
  readonly subscriptions: string[];
  readonly clients: string[];
  readonly people: string[];
  readonly codes: string[];
  readonly refreshTokens: string[];
}

const importing: fc.Arbitrary<Ask> = fc
  .tuple(recordOf, fc.nat({ max: 2 }), categoryOf, truth, truth)
  .map(([record, name, category, active, approve]) => (stores) => {
    const fields = {
      name: `Name ${name}`,
      category,
      ...(name === 1 ? { locations: [{ city: 'Miami' }] } : {}),
    };
    return importResource(stores, { ...sourceOf(record), fields, active, approve }, aCommand());
  });

const deciding: fc.Arbitrary<Ask> = fc
  .tuple(recordOf, fc.constantFrom('approve', 'reject', 'deactivate', 'reactivate', 'revise', 'name'))
  .map(([record, kind]) => (stores) => {
    const command = {
      approve: { kind: 'approve' },
      reject: { kind: 'reject', reason: 'No.' },
      deactivate: { kind: 'deactivate' },
      reactivate: { kind: 'reactivate' },
      revise: { kind: 'revise', change: { city: null, phone: '305' } },
      name: { kind: 'revise', change: { contacts: [{ name: 'Ana' }, { name: 'Ben' }], verified_by: 'Ana' } },
    } satisfies Record<string, CommandOnResource>;
    return commandResource(stores, svcIdOf(numberOf(record)), command[kind], aCommand());
  });

const erasing: fc.Arbitrary<Ask> = recordOf.map((record) => async (stores) => {
  const svcId = svcIdOf(numberOf(record));
  const named = await peopleOfResource(stores, svcId);
  const person = named.find(({ standing }) => standing !== 'erased')?.person ?? crypto.randomUUID();
  return eraseResourcePerson(stores, svcId, { person }, aCommand());
});

const keys: fc.Arbitrary<Ask> = fc
  .tuple(fc.nat({ max: 2 }), fc.nat({ max: 3 }))
  .map(([which, what]) => async ({ store }, made) => {
    const keyId = made.keys[which];
    if (keyId === undefined) {
      const wish = { kind: 'developer', scopes: ['resources:read'], domains: [] } as const;
      made.keys.push((await createApiKey(store, wish, new Uint8Array(32), aCommand())).keyId);
      return;
    }
    const change =
      what === 0
        ? ({ kind: 'revoke' } as const)
        : ({ kind: 'change-domains', domains: [`d${what}.org`] } as const);
    await commandApiKey(store, keyId, change, aCommand());
  });

const subscriptions: fc.Arbitrary<Ask> = fc
  .tuple(fc.nat({ max: 1 }), fc.nat({ max: 6 }), fc.subarray([...webhookEvents], { minLength: 1 }), teamOf)
  .map(([which, what, events, team]) => async (stores, made) => {
    const id = made.subscriptions[which];
    if (id === undefined) {
      const wish = { team, url: 'https://example.org/', events };
      made.subscriptions.push((await createSubscription(stores, wish, 'whsec_x', aCommand())).subscriptionId);
      return;
    }
    if (what === 0) {
      await rotateSecret(stores, id, 'whsec_y', aCommand());
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
    await commandSubscription(stores, id, commands[(what - 1) as 0], aCommand());
  });

const teamsToo: fc.Arbitrary<Ask> = fc.tuple(teamOf, truth).map(
  ([team, create]) =>
    ({ store }) =>
      commandTeam(
        store,
        create
          ? { kind: 'create', team, name: team }
          : { kind: 'enable-scopes', team, scopes: ['audit:read'] },
        aCommand(),
      ),
);

const clientsToo: fc.Arbitrary<Ask> = fc
  .tuple(fc.nat({ max: 1 }), fc.nat({ max: 3 }), teamOf)
  .map(([which, what, team]) => async ({ store }, made) => {
    const id = made.clients[which];
    if (id === undefined) {
      const site = { team, name: 'A site', redirectUris: [redirectUri] };
      made.clients.push((await registerClient(store, site, aCommand())).clientId);
      return;
    }
    const commands = [
      { kind: 'change-details', name: `Site ${what}` },
      { kind: 'deactivate' },
      { kind: 'reactivate' },
      { kind: 'set-first-party', firstParty: true },
    ] as const;
    await changeClient(store, id, [commands[what as 0]], aCommand());
  });

const peopleToo: fc.Arbitrary<Ask> = fc
  .tuple(fc.nat({ max: 1 }), fc.nat({ max: 4 }))
  .map(([which, what]) => async (stores, made) => {
    const parts = { ...stores, personal: new PersonalData(stores.vault) };
    const id = made.people[which];
    const email = `person${what % 3}@example.org`;
    if (id === undefined) {
      const person = { email, profile: { name: 'A person' } };
      made.people.push((await registerPerson(parts, person, aCommand())).userId);
      return;
    }
    if (what < 3) await changeEmail(parts, id, { email }, aCommand());
    else if (what === 3) await commandPerson(parts, id, { kind: 'end-sessions' }, aCommand());
    else await startSession(stores.store, { user: id, amr: ['pwd'] }, new Uint8Array(32), aCommand());
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
    if (what === 0) await grantConsent(store, whose, scopes, aCommand());
    if (what === 1) await revokeConsent(store, whose, aCommand());
    if (what === 2) {
      const request = { redirectUri, codeChallenge: challengeOf('verifier'), authTime: 1, amr: ['pwd'] };
      made.codes.push((await issueCode(parts, { ...whose, scopes, ...request }, aCommand())).code);
    }
    const code = made.codes.at(-1);
    if (what === 3 && code !== undefined) {
      const exchange = { code, clientId, redirectUri, codeVerifier: 'verifier' };
      made.refreshTokens.push((await redeemCode(parts, exchange, aCommand(), nothingElse)).refreshToken);
    }
    const refreshToken = made.refreshTokens.at(-1);
    if (what === 4 && refreshToken !== undefined) {
      made.refreshTokens.push(
        (await refreshTokens(parts, { refreshToken, clientId }, aCommand(), nothingElse)).refreshToken,
      );
    }
    if (what === 5 && refreshToken !== undefined) {
      await revokeToken(parts, { token: refreshToken, clientId }, aCommand());
    }
  });

const aStory = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: importing },
    { weight: 4, arbitrary: deciding },
    { weight: 1, arbitrary: erasing },
    { weight: 2, arbitrary: keys },
    { weight: 3, arbitrary: subscriptions },
    { weight: 2, arbitrary: teamsToo },
    { weight: 2, arbitrary: clientsToo },
    { weight: 2, arbitrary: peopleToo },
    { weight: 6, arbitrary: signingIn },
  ),
  { minLength: 10, maxLength: 80 },
);

/** How a read model's folding goes on: this many events in a batch, this many batches, and how it ends. */
const aStretch = fc.record({
  batchSize: fc.integer({ min: 1, max: 7 }),
  batches: fc.integer({ min: 1, max: 5 }),
  dies: truth,
});

describe('whatever happens', () => {
  it('comes to the same documents in one go, in any batches with any restarts, and folded by hand', async () => {
    await fc.assert(
      fc.asyncProperty(aStory, fc.array(aStretch, { maxLength: 12 }), async (story, stretches) => {
        const folder = dataFolder();
        try {
          const stores = folder.open();
          const made: Made = {
            keys: [],
            subscriptions: [],
            clients: [],
            people: [],
            codes: [],
            refreshTokens: [],
          };
          for (const ask of story) await ask(stores, made).catch(unlessRefused);
          await foldAll(stores, []);
          const inOneGo = await everything(stores.documents);
          await foldAll(stores, stretches);
          expect(await everything(stores.documents)).toEqual(inOneGo);
          const { events } = await stores.store.readAll({ after: -1n, limit: 10_000 });
          for (const each of all)
            expect(inOneGo[nameOf(each)]).toEqual(sorted(foldOf(each, events).values()));
        } finally {
          await folder.dispose();
        }
      }),
      { numRuns: 25 },
    );
  }, 120_000);
});

function unlessRefused(error: unknown): void {
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

/** Fills a new generation of every read model, in stretches and then to the end, and lets it serve. */
async function foldAll(
  stores: Stores,
  stretches: readonly { batchSize: number; batches: number; dies: boolean }[],
) {
  for (const each of all) {
    const { generation } = await stores.documents.build(each.collection, each.version);
    const open = () => stores.documents.writer(each.collection, generation);
    for (const stretch of stretches) await fold(stores, each, await open(), stretch);
    await fold(stores, each, await open(), { batchSize: 1_000, batches: Infinity, dies: false });
    await stores.documents.serve(nameOf(each), generation);
  }
}

/** Folds some batches and stops; or dies between writing the last one's documents and its checkpoint. */
async function fold(
  { store, documents }: Stores,
  each: AnyProjection,
  writer: CollectionWriter<object>,
  { batchSize, batches, dies }: { batchSize: number; batches: number; dies: boolean },
): Promise<void> {
  const stop = new AbortController();
  let written = 0;
  const counting = altered(documents, {
    commit: async (writes, checkpoint) => {
      written += 1;
      const last = written >= batches;
      await documents.commit(writes, last && dies ? writer.checkpoint : checkpoint);
      if (last) stop.abort();
    },
  });
  await foldLog(each, {
    store: altered(store, { subscribe: (options) => store.subscribe({ ...options, batchSize }) }),
    documents: counting,
    writer,
    signal: stop.signal,
  });
}
