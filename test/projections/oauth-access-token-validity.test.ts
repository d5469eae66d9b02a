import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeClient, type ClientChange } from '../../src/commands/oauth/client.ts';
import { grantConsent, revokeConsent } from '../../src/commands/oauth/consent.ts';
import { refreshGraceMs } from '../../src/commands/oauth/grant.ts';
import { erasePerson } from '../../src/commands/accounts/erasure.ts';
import { registerPerson } from '../../src/commands/accounts/person.ts';
import { revokeToken } from '../../src/commands/oauth/token-revocation.ts';
import { redeemCode, refreshTokens, type Tokens } from '../../src/commands/oauth/tokens.ts';
import { AccessTokenValidity } from '../../src/projections/oauth-access-token-validity.ts';
import { people } from '../../src/projections/accounts-people.ts';
import type { EventStore } from '../../src/stores/event-store/port.ts';
import { altered } from '../support/altered.ts';
import { caughtUp, startProjector } from '../support/projector.ts';
import { aClock, aSite, nothingElse, type Clock, type Site } from '../support/sign-in.ts';
import { dataFolder, type DataFolder, type Stores } from '../support/stores.ts';

/** How often a race is run; 1,000 when asked for (RACE_ROUNDS=1000). */
const rounds = Number(process.env['RACE_ROUNDS'] ?? 30);

let folder: DataFolder;
let stores: Stores;
let clock: Clock;
let site: Site;
let user: string;
let projector: ReturnType<typeof startProjector> | undefined;
let living: AccessTokenValidity;

beforeEach(async () => {
  folder = dataFolder();
  stores = folder.open();
  clock = aClock();
  site = await aSite(stores, clock);
  const ada = { email: 'ada@example.org', profile: { name: 'Ada Lovelace' } };
  const parts = { ...stores, ...site.parts };
  ({ userId: user } = await registerPerson(parts, ada, clock.command()));
  site = { ...site, user };
  await consent();
  projector = startProjector(stores);
  living = new AccessTokenValidity(stores);
  await caughtUp(stores);
});
afterEach(async () => {
  await projector?.stop();
  await folder.dispose();
});

async function consent(): Promise<void> {
  const whose = { user: site.user, client: site.clientId };
  await grantConsent(stores.store, whose, ['openid', 'profile'], clock.command());
}
const tokens = () => site.tokens({ user });
const refresh = ({ refreshToken }: Pick<Tokens, 'refreshToken'>, store: EventStore = stores.store) =>
  refreshTokens(
    { ...site.parts, store },
    { refreshToken, clientId: site.clientId },
    clock.command(),
    nothingElse,
  );
const revoke = () => revokeConsent(stores.store, { user, client: site.clientId }, clock.command());

/** The scopes of a valid token, or why it is invalid. */
async function stateOf(accessToken: string): Promise<string> {
  const token = await site.parts.tokenKeys.read(accessToken);
  if (token?.kind !== 'access') return 'no access token';
  const found = await living.of(token, clock.at());
  return found.status === 'invalid' ? found.because : found.scopes.join(' ');
}
const after = async (accessToken: string): Promise<string> => {
  await caughtUp(stores);
  return stateOf(accessToken);
};

describe('an access token', () => {
  it('is good the instant it is returned, whether or not any read model shows it', async () => {
    await projector?.stop();
    projector = undefined;
    const first = await tokens();
    expect(await stateOf(first.accessToken)).toBe('openid profile');
    const second = await refresh(first);
    expect(await stateOf(second.accessToken)).toBe('openid profile');
    await revoke();
    await consent();
    const third = await tokens();
    expect(await stateOf(third.accessToken), 'of an epoch that no read model shows').toBe('openid profile');
  });

  it('is whose it says, once the read models show it, without a look at any stream', async () => {
    const { accessToken } = await tokens();
    await caughtUp(stores);
    const blind = altered<EventStore>(stores.store, {
      readStream: () => {
        throw new Error('a stream was read');
      },
    });
    const token = await site.parts.tokenKeys.read(accessToken);
    if (token?.kind !== 'access') throw new Error('This is no access token.');
    const found = await new AccessTokenValidity({ store: blind, documents: stores.documents }).of(
      token,
      clock.at(),
    );
    expect(found).toMatchObject({
      status: 'valid',
      scopes: ['openid', 'profile'],
      person: { user },
      client: { client: site.clientId },
      grant: { auth_time: clock.now() / 1_000 },
    });
  });

  it('expires after an hour', async () => {
    const { accessToken } = await tokens();
    clock.pass(3_600_000 - 1);
    expect(await after(accessToken)).toBe('openid profile');
    clock.pass(1);
    expect(await after(accessToken)).toBe('expired');
  });

  it('outlives its refresh, and dies with a revocation of its own', async () => {
    const first = await tokens();
    const second = await refresh(first);
    expect(await after(first.accessToken)).toBe('openid profile');
    await revokeToken(site.parts, { token: first.accessToken, clientId: site.clientId }, clock.command());
    expect(await after(first.accessToken)).toBe('revoked token');
    expect(await after(second.accessToken)).toBe('openid profile');
  });

  it('dies with its grant, whatever ended it', async () => {
    const reused = await tokens();
    const next = await refresh(reused);
    clock.pass(refreshGraceMs + 1);
    await expect(refresh(reused)).rejects.toThrow();
    for (const { accessToken } of [reused, next]) expect(await after(accessToken)).toBe('revoked grant');

    const { exchange } = await site.code({ user });
    const stolen = await redeemCode(site.parts, exchange, clock.command(), nothingElse);
    clock.pass(10_000);
    await expect(redeemCode(site.parts, exchange, clock.command(), nothingElse)).rejects.toThrow();
    expect(await after(stolen.accessToken)).toBe('revoked grant');
  });

  it('dies with the consent, and no later consent wakes it', async () => {
    const { accessToken } = await tokens();
    await caughtUp(stores);
    await revoke();
    expect(await after(accessToken)).toBe('revoked consent');
    await consent();
    expect(await after(accessToken)).toBe('revoked consent');
    expect(await after((await tokens()).accessToken)).toBe('openid profile');
  });

  it('is dead while its client is inactive, and may do no more than its client now', async () => {
    const { accessToken } = await tokens();
    const change = async (command: ClientChange) => {
      await changeClient(stores.store, site.clientId, [command], clock.command());
    };
    await change({ kind: 'change-scopes', scopes: ['openid'] });
    expect(await after(accessToken)).toBe('openid');
    await change({ kind: 'deactivate' });
    expect(await after(accessToken)).toBe('inactive client');
    await change({ kind: 'reactivate' });
    expect(await after(accessToken)).toBe('client reactivated since');
    await change({ kind: 'change-redirect-uris', uris: ['https://another.example/'] });
    expect(await after(accessToken)).toBe('client reactivated since');
  });

  it('issued after its client was put back into service is good at once, and dies with the next time', async () => {
    const change = async (kind: 'deactivate' | 'reactivate') =>
      changeClient(stores.store, site.clientId, [{ kind }], clock.command());
    const first = await tokens();
    await caughtUp(stores);
    await projector?.stop();
    projector = undefined;
    await change('deactivate');
    await change('reactivate');
    const second = await tokens();
    expect(await stateOf(second.accessToken), 'no read model shows the client as it is').toBe(
      'openid profile',
    );
    projector = startProjector(stores);
    expect(await after(second.accessToken)).toBe('openid profile');
    expect(await stateOf(first.accessToken)).toBe('client reactivated since');
    await change('deactivate');
    await change('reactivate');
    expect(await after(second.accessToken)).toBe('client reactivated since');
  });

  it('dies with an erasure', async () => {
    const { accessToken } = await tokens();
    await erasePerson({ ...stores, ...site.parts }, user, clock.command());
    expect(await after(accessToken)).toBe('no such person');
  });

  it('of a grant that never was is dead', async () => {
    const grantId = '00000000-0000-4000-8000-000000000000';
    const expires = clock.now() / 1_000 + 60;
    const found = await living.of({ grantId, generation: 1, expires }, clock.at());
    expect(found).toEqual({ status: 'invalid', because: 'unknown grant' });
  });

  it('that a refresh made while the consent was being revoked is dead', async () => {
    for (let round = 0; round < rounds; round++) {
      await consent();
      const first = await tokens();
      const slipping = altered<EventStore>(stores.store, {
        append: async (stream, events, expected) => {
          await revoke();
          return stores.store.append(stream, events, expected);
        },
      });
      const slipped = await refresh(first, slipping);
      for (const { accessToken } of [first, slipped])
        expect(await after(accessToken)).toBe('revoked consent');
    }
  }, 600_000);

  it('that came from racing a revocation with refreshes is dead, whoever won', async () => {
    for (let round = 0; round < rounds; round++) {
      await consent();
      const first = await tokens();
      const race = await Promise.allSettled([
        ...Array.from({ length: 5 }, () => refresh(first)),
        revoke(),
        ...Array.from({ length: 5 }, () => refresh(first)),
      ]);
      const won = race.filter((each) => each.status === 'fulfilled').map(({ value }) => value);
      for (const each of [first, ...won]) {
        if ('accessToken' in each) expect(await after(each.accessToken)).toBe('revoked consent');
      }
    }
  }, 600_000);
});

it('nothing sealed is opened by a read model', async () => {
  await caughtUp(stores);
  const person = await stores.documents.collection(people.collection).get(user);
  expect(person).toBeDefined();
  // Long enough not to come up in a hash by chance.
  expect(JSON.stringify(person)).not.toMatch(/lovelace|ada@|example/i);
});
