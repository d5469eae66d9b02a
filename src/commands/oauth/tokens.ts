import { hash } from 'node:crypto';
import { typesOf } from '../../events/define.ts';
import { uuidOf } from '../../events/ids.ts';
import type { CommandContext } from '../../events/metadata.ts';
import type { SignInScope } from '../../events/oauth/values.ts';
import { personOf, type PersonalData } from '../../personal/personal-data.ts';
import { beginning, type EventStore, type Position } from '../../stores/event-store/port.ts';
import type { Limits } from '../../stores/limits/port.ts';
import { loadServedClient } from './client.ts';
import { loadConsent, missingScopes } from './consent.ts';
import { currentAccessToken, grant, type GrantCommand, type GrantState, type Lifetimes } from './grant.ts';
import { execute } from '../command-handler.ts';
import { OAuthRefused } from './errors.ts';
import { takeCode, takeRefresh } from './exchange-limits.ts';
import type { TokenKeys } from './token-keys.ts';

/** What codes and tokens are made and checked with. */
export interface TokenParts {
  readonly store: EventStore;
  readonly personal: PersonalData;
  readonly tokenKeys: TokenKeys;
  readonly lifetimes: Lifetimes;
  /** Absent: nothing is limited, for commands of an operator. */
  readonly limits?: Limits;
}

/** An authorization request to which a signed-in person has consented. Its client and redirect URI are checked. */
export interface Authorized {
  readonly user: string;
  readonly client: string;
  readonly scopes: readonly SignInScope[];
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly nonce?: string;
  readonly session?: string;
  /** Unix seconds. */
  readonly authTime: number;
  readonly amr: readonly string[];
}

/** The answer of the token endpoint, before the id_token is signed (interface 4.1; RFC 6749 section 5.1). */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Seconds until the access token expires. */
  readonly expiresIn: number;
  readonly scopes: readonly SignInScope[];
  readonly user: string;
  readonly client: string;
  readonly grant: string;
  readonly session: string | undefined;
  /** Unix seconds. */
  readonly authTime: number;
  readonly amr: readonly string[];
  /** From the authorization request. Set for the exchange of a code only (OpenID Connect Core section 12.2). */
  readonly nonce: string | undefined;
}

/**
 * Issues an authorization code under the epoch of the person's consent (RFC 6749 section 4.1.2).
 * @throws OAuthRefused consent_required when the consent does not cover the scopes, temporarily_unavailable for too many
 */
export async function issueCode(
  { store, personal, tokenKeys, lifetimes, limits }: TokenParts,
  { user, client, scopes, redirectUri, codeChallenge, nonce, session, authTime, amr }: Authorized,
  context: CommandContext,
): Promise<{ code: string; grantId: string; position: Position }> {
  const [consent, site] = await Promise.all([
    loadConsent(store, { user, client }),
    loadServedClient(store, client),
  ]);
  if (consent?.status !== 'active' || missingScopes(consent, scopes).length > 0) {
    throw new OAuthRefused('consent_required', 'The person has not consented to these scopes.');
  }
  await takeCode(limits, { user, client });
  const grantId = uuidOf(context.commandId, 'grant');
  const tokenKey = await tokenKeys.current();
  const data = {
    grant: grantId,
    user,
    client,
    epoch: consent.epoch,
    ...(site?.activation === undefined ? {} : { activation: site.activation }),
    scopes: [...scopes],
    ...(session === undefined ? {} : { session }),
    auth_time: authTime,
    amr: [...amr],
    redirect_uri: redirectUri,
    code_challenge: codeChallenge,
    code_expires: Math.floor(context.at.getTime() / 1_000) + lifetimes.code,
    generation: 0,
    token_key: tokenKey,
    status: 'issued' as const,
    ...(nonce === undefined ? {} : { nonce: await personal.seal(personOf(user), nonce) }),
  };
  const { position } = await execute(store, grant, grantId, { kind: 'issue', data }, context, {
    from: 'no_stream',
  });
  const code = await tokenKeys.write({ kind: 'code', keyId: tokenKey, grantId, generation: 0 });
  return { code, grantId, position };
}

/** As the token endpoint receives it. Every field is present. */
export interface CodeExchange {
  readonly code: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly codeVerifier: string;
}

/** Reads what else the answer needs, before anything is appended. */
export type ReadAlso<Also> = (tokens: Tokens) => Promise<Also>;

/**
 * Exchanges a code for tokens. When several requests try, one succeeds (RFC 6749 section 4.1.3).
 * @throws OAuthRefused invalid_grant, invalid_client
 */
export async function redeemCode<Also>(
  parts: TokenParts,
  { code, clientId, redirectUri, codeVerifier }: CodeExchange,
  context: CommandContext,
  readAlso: ReadAlso<Also>,
): Promise<Tokens & Also> {
  const token = await parts.tokenKeys.read(code);
  if (token?.kind !== 'code') throw refused('This is no code of ours (RFC 6749 section 4.1.3).');
  const challenge = hash('sha256', codeVerifier, 'base64url');
  const input = { kind: 'redeem', redirectUri, challenge } as const;
  return exchange(parts, token.grantId, clientId, input, context, readAlso);
}

/** As the token endpoint receives it. */
export interface RefreshExchange {
  readonly refreshToken: string;
  readonly clientId: string;
  readonly scope?: string;
}

/**
 * Exchanges a refresh token for the next generation. Within the grace period, the token that was just replaced gets
 * the same tokens again (RFC 6749 section 6; RFC 9700 section 4.14.2).
 * @throws OAuthRefused invalid_grant, invalid_client, invalid_scope, temporarily_unavailable for too many
 */
export async function refreshTokens<Also>(
  parts: TokenParts,
  { refreshToken, clientId, scope }: RefreshExchange,
  context: CommandContext,
  readAlso: ReadAlso<Also>,
): Promise<Tokens & Also> {
  const token = await parts.tokenKeys.read(refreshToken);
  if (token?.kind !== 'refresh') throw refused('This is no refresh token of ours (RFC 6749 section 6).');
  const input = { kind: 'refresh', generation: token.generation, scope } as const;
  return exchange(parts, token.grantId, clientId, input, context, readAlso);
}

type Exchange = Extract<GrantCommand, { kind: 'redeem' | 'refresh' }>;
type ExchangeInput<Kind extends Exchange> = Kind extends Kind ? Omit<Kind, keyof DecidedBy> : never;
type DecidedBy = Awaited<ReturnType<typeof decidedBy>>;

/**
 * Decides an exchange, reads all that its answer needs, and appends last: when a read fails, the code or refresh
 * token can still be used. A refusal because the grant has ended carries the event that ended it.
 */
async function exchange<Also>(
  parts: TokenParts,
  grantId: string,
  clientId: string,
  input: ExchangeInput<Exchange>,
  context: CommandContext,
  readAlso: ReadAlso<Also>,
): Promise<Tokens & Also> {
  let found: GrantState;
  let foundAt = beginning;
  let giveBack: (() => Promise<void>) | undefined;
  try {
    const { events, position, types, prepared } = await execute(
      parts.store,
      grant,
      grantId,
      async (state, standsAt): Promise<GrantCommand> => {
        [found, foundAt] = [state, standsAt];
        return { ...input, ...(await decidedBy(parts, state, clientId, context)) };
      },
      context,
      {
        newestOnly: true,
        prepare: async ({ state, events: [event] }) => {
          if (state?.status !== 'active') return undefined;
          if (event?.type === 'TokensRefreshed') giveBack ??= await takeRefresh(parts.limits, state);
          const tokens = await tokensOf(parts, state, await nonceOf(parts, found), context.at);
          return { ...tokens, ...(await readAlso(tokens)) };
        },
      },
    );
    // Of requests that race for one refresh, one has appended it.
    if (events.length === 0) await giveBack?.();
    if (prepared) return prepared;
    throw refused(whyEnded[events[0]?.type ?? ''] ?? 'The grant has ended.', { types, position });
  } catch (error) {
    if (!(error instanceof OAuthRefused)) throw error;
    await giveBack?.();
    if (found?.status !== 'revoked') throw error;
    const after = { types: typesOf(grant.stream), position: foundAt };
    throw new OAuthRefused(error.code, error.message, { after });
  }
}

const whyEnded: Readonly<Record<string, string>> = {
  AuthorizationCodeReplayed:
    'The code was used already, and its tokens are now revoked (RFC 6749 section 4.1.2).',
  RefreshTokenReused:
    'The refresh token was used before, and its grant is now revoked (RFC 9700 section 4.14.2).',
};

/** What an exchange is decided by: the current consent, and the client of the request. */
async function decidedBy(
  { store, lifetimes, tokenKeys }: TokenParts,
  found: GrantState,
  clientId: string,
  { at }: CommandContext,
) {
  const [client, consent, tokenKey] = await Promise.all([
    loadServedClient(store, clientId),
    found ? loadConsent(store, found) : undefined,
    tokenKeys.current(),
  ]);
  return { client, consent, at, lifetimes, tokenKey };
}

/**
 * The nonce that is stored with a code.
 * @throws OAuthRefused when it cannot be opened because the person is erased
 */
async function nonceOf({ personal }: TokenParts, found: GrantState): Promise<string | undefined> {
  if (found?.status !== 'issued' || !('nonce' in found) || found.nonce === undefined) return undefined;
  const nonce = await personal.open<string>(personOf(found.user), found.nonce);
  if (nonce === undefined) throw refused('This account is erased.');
  return nonce;
}

/** The tokens of the current generation. They are the same each time, except for the remaining lifetime. */
async function tokensOf(
  { tokenKeys }: TokenParts,
  state: Extract<GrantState, { status: 'active' }>,
  nonce: string | undefined,
  at: Date,
): Promise<Tokens> {
  const { grant: grantId, generation, token_key: keyId } = state;
  const access = currentAccessToken(state);
  if (!access) throw refused('The access token of this refresh has expired (RFC 6749 section 6).');
  const { expires, scopes } = access;
  return {
    accessToken: await tokenKeys.write({ kind: 'access', keyId, grantId, generation, expires }),
    refreshToken: await tokenKeys.write({ kind: 'refresh', keyId, grantId, generation }),
    expiresIn: Math.max(0, expires - Math.floor(at.getTime() / 1_000)),
    scopes,
    user: state.user,
    client: state.client,
    grant: grantId,
    session: state.session,
    authTime: state.auth_time,
    amr: state.amr,
    nonce,
  };
}

const refused = (message: string, after?: OAuthRefused['after']) =>
  new OAuthRefused('invalid_grant', message, { after });
