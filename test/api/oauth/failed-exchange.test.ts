import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildServer } from '../../../src/api/server.ts';
import { erasePerson } from '../../../src/commands/accounts/erasure.ts';
import { SigningKeys } from '../../../src/commands/oauth/signing-keys.ts';
import { TokenKeys } from '../../../src/commands/oauth/token-keys.ts';
import type { System } from '../../../src/container.ts';
import { PersonalData } from '../../../src/personal/personal-data.ts';
import { StoreError } from '../../../src/stores/errors.ts';
import { people } from '../../../src/projections/accounts-people.ts';
import type { Documents } from '../../../src/stores/documents/port.ts';
import type { Vault } from '../../../src/stores/vault/port.ts';
import { altered } from '../../support/altered.ts';
import {
  context,
  issuer,
  redirectUri,
  startProvider,
  verifier,
  type Provider,
  type TestPerson,
  type TokenBody,
} from './harness.ts';

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.stop());

type Fields = Readonly<Record<string, string>>;

/** What somebody new holds of the site, to be exchanged: a code, and a refresh token. */
async function held(person?: TestPerson): Promise<Readonly<Record<string, Fields>>> {
  const whose = person ?? (await provider.newPerson());
  const browser = await whose.signIn();
  await provider.consent(['openid', 'profile', 'email'], { user: whose.user });
  const { refresh_token } = await provider.tokens({}, browser);
  const code = await provider.code({}, browser);
  return {
    'a code': { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier },
    'a refresh token': { grant_type: 'refresh_token', refresh_token },
  };
}

const exchange = (fields: Fields, server?: FastifyInstance) =>
  provider.token({ ...fields, client_id: provider.clientId }, {}, server);

async function eventsSince(head: bigint): Promise<string[]> {
  const { events } = await provider.system.store.readAll({ after: head, limit: 1_000 });
  return events.map(({ type }) => type);
}

/** A server of the same installation in which something is away. */
const serverWith = (parts: Partial<System>) => {
  const { system } = provider;
  const config = { ...system.config, authUrl: issuer };
  return buildServer({ ...system, config, ...parts, ready: () => Promise.resolve({ ready: true }) });
};

const away = () => Promise.reject(new StoreError('unavailable', 'The store is away.'));
/** The vault without the secrets of one kind. */
const vaultWithout = (kind: string): Vault =>
  altered(provider.system.vault, {
    get: async (name) => (name.startsWith(kind) ? undefined : provider.system.vault.get(name)),
    putIfAbsent: async (name, secret) =>
      name.startsWith(kind) ? secret : provider.system.vault.putIfAbsent(name, secret),
    names: async (prefix) => (prefix.startsWith(kind) ? [] : provider.system.vault.names(prefix)),
  });
const peopleAway = (): Documents => {
  const { documents } = provider.system;
  const collection: Documents['collection'] = (spec) =>
    spec.name === people.collection.name
      ? altered(documents.collection(spec), { get: away })
      : documents.collection(spec);
  return altered(documents, { collection });
};

const missing: Readonly<Record<string, () => Partial<System>>> = {
  'the read model of people is away': () => ({ documents: peopleAway() }),
  'the vault is away': () => ({ personal: new PersonalData(altered(provider.system.vault, { get: away })) }),
  'there is no signing key': () => ({
    signingKeys: new SigningKeys({ ...provider.system, vault: vaultWithout('signing-key/') }),
  }),
  'the private half of the signing key is missing': () => ({
    signingKeys: new SigningKeys({
      ...provider.system,
      vault: altered(provider.system.vault, { get: () => Promise.resolve(undefined) }),
    }),
  }),
};

describe.each(['a code', 'a refresh token'])('%s', (what) => {
  test.each(Object.entries(missing))(
    'is as good as before when %s: 503, and nothing is appended',
    async (_name, parts) => {
      const fields = (await held())[what] as Fields;
      const server = await serverWith(parts());
      const head = await provider.system.store.head();
      const refused = await exchange(fields, server);
      expect(refused.json()).toMatchObject({ error: 'temporarily_unavailable' });
      expect(refused.statusCode).toBe(503);
      expect(refused.headers['retry-after']).toBeDefined();
      expect(await eventsSince(head)).toEqual([]);
      const answer = await exchange(fields);
      expect(answer.statusCode).toBe(200);
      expect((await provider.userinfo(answer.json<TokenBody>().access_token)).statusCode).toBe(200);
      await server.close();
    },
  );

  test('of a person who is erased is invalid_grant, whether or not any read model shows it', async () => {
    const person = await provider.newPerson();
    const fields = (await held(person))[what] as Fields;
    const { store, vault, personal } = provider.system;
    await provider.withoutProjector(async () => {
      await erasePerson({ store, vault, personal }, person.user, context());
      const head = await store.head();
      const refused = await exchange(fields);
      expect(refused.json()).toMatchObject({ error: 'invalid_grant' });
      expect(refused.statusCode).toBe(400);
      expect(await eventsSince(head)).toEqual([]);
    });
    await provider.caughtUp();
    const head = await store.head();
    expect((await exchange(fields)).json()).toMatchObject({ error: 'invalid_grant' });
    expect(await eventsSince(head)).toEqual([]);
  });
});

test('what a process finds no token key for is invalid_grant there, and as good as before elsewhere', async () => {
  const both = await held();
  const empty = new TokenKeys(vaultWithout('token-key/'));
  const server = await serverWith({ tokenKeys: empty });
  const head = await provider.system.store.head();
  for (const fields of Object.values(both)) {
    expect((await exchange(fields, server)).json()).toMatchObject({ error: 'invalid_grant' });
  }
  expect(await eventsSince(head)).toEqual([]);
  for (const fields of Object.values(both)) expect((await exchange(fields)).statusCode).toBe(200);
  await server.close();
});
