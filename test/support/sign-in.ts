import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { registerClient, type NewClient } from '../../src/commands/oauth/client.ts';
import { grantConsent } from '../../src/commands/oauth/consent.ts';
import { lifetimes } from '../../src/commands/oauth/grant.ts';
import { commandTeam } from '../../src/commands/teams/team.ts';
import { TokenKeys } from '../../src/commands/oauth/token-keys.ts';
import { issueCode, redeemCode, type Authorized, type TokenParts } from '../../src/commands/oauth/tokens.ts';
import type { ClientSnapshot } from '../../src/events/oauth/client.ts';
import type { GrantData } from '../../src/events/oauth/grant.ts';
import type { SignInScope } from '../../src/events/oauth/values.ts';
import { PersonalData, personOf } from '../../src/personal/personal-data.ts';
import { aCommand } from './context.ts';
import type { Stores } from './stores.ts';

export const redirectUri = 'https://site.example/callback';

/** Where a client stands; every one of its events repeats all of this. */
export function aClient(rest: Partial<ClientSnapshot> = {}): ClientSnapshot {
  return {
    client: 'site_0123456789abcdefghij',
    team: 'harbour',
    name: 'Harbour News',
    redirect_uris: [redirectUri],
    post_logout_redirect_uris: [],
    scopes: ['openid', 'profile', 'email'],
    first_party: false,
    status: 'active',
    ...rest,
  };
}

/** For who needs the tokens of an exchange alone. */
export const nothingElse = () => Promise.resolve({});

type Issued = Extract<GrantData, { status: 'issued' }>;

/** A grant whose code waits to be exchanged. */
export function aCode(rest: Partial<Issued> = {}): Issued {
  return {
    grant: '1f0c1a52-6d3f-4c55-9a8e-3c8f2f0c7a11',
    user: '2f0c1a52-6d3f-4c55-9a8e-3c8f2f0c7a11',
    client: aClient().client,
    epoch: 1,
    scopes: ['openid', 'profile'],
    auth_time: 1_700_000_000,
    amr: ['pwd'],
    redirect_uri: redirectUri,
    code_challenge: challengeOf('verifier'),
    code_expires: 1_700_000_600,
    generation: 0,
    token_key: '00000001',
    status: 'issued',
    ...rest,
  };
}

export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url');

/** A clock that stands still until it is moved; milliseconds. */
export function aClock(start = Date.parse('2026-03-01T12:00:00.000Z')) {
  let now = start;
  return {
    now: () => now,
    at: () => new Date(now),
    pass: (ms: number) => void (now += ms),
    command: () => aCommand({ at: new Date(now) }),
  };
}

export type Clock = ReturnType<typeof aClock>;

/** A site, a person who lets it see something, and what issues codes and tokens at a clock's time. */
export async function aSite(stores: Stores, clock: Clock, client: Partial<NewClient> = {}) {
  const { store, vault } = stores;
  const personal = new PersonalData(vault, clock.now);
  const parts: TokenParts = { store, personal, tokenKeys: new TokenKeys(vault, clock.now), lifetimes };
  const { state } = await commandTeam(
    store,
    { kind: 'create', team: 'harbour', name: 'Harbour' },
    clock.command(),
  );
  if (!state) throw new Error('There is no team.');
  const { clientId } = await registerClient(
    store,
    { team: 'harbour', name: 'Harbour News', redirectUris: [redirectUri], ...client },
    clock.command(),
  );
  const user: string = randomUUID();
  await personal.begin(personOf(user));

  const consent = (...scopes: SignInScope[]) =>
    grantConsent(store, { user, client: clientId }, scopes, clock.command());

  /** A code, with the verifier that belongs to it. */
  const code = async (rest: Partial<Authorized> = {}) => {
    const codeVerifier = randomBytes(32).toString('base64url');
    const authorized = {
      user,
      client: clientId,
      scopes: ['openid', 'profile'] as const,
      redirectUri,
      codeChallenge: challengeOf(codeVerifier),
      authTime: Math.floor(clock.now() / 1_000),
      amr: ['pwd'],
      ...rest,
    };
    const issued = await issueCode(parts, authorized, clock.command());
    return { ...issued, exchange: { code: issued.code, clientId, redirectUri, codeVerifier } };
  };

  const tokens = async (rest: Partial<Authorized> = {}) =>
    redeemCode(parts, (await code(rest)).exchange, clock.command(), nothingElse);

  return { parts, clientId, user, consent, code, tokens };
}

export type Site = Awaited<ReturnType<typeof aSite>>;
