import { hash } from 'node:crypto';
import { uuidOf } from '../events/ids.ts';
import type { CommandContext } from '../events/metadata.ts';
import type { SignInScope } from '../events/sign-in.ts';
import { personOf, type PersonalData } from '../personal/personal-data.ts';
import type { EventStore, Position } from '../stores/event-store/port.ts';
import { loadClient } from './client.ts';
import { loadConsent, missingScopes } from './consent.ts';
import { currentAccessToken, grant, type GrantCommand, type GrantState, type Lifetimes } from './grant.ts';
import { executeNew, executeNewest } from './kernel.ts';
import { OAuthRefused } from './oauth-errors.ts';
import type { Token } from './token-format.ts';
import type { TokenKeys } from './token-keys.ts';

/** What codes and tokens are made with and decided by. */
export interface TokenParts {
  readonly store: EventStore;
  readonly personal: PersonalData;
  readonly tokenKeys: TokenKeys;
  readonly lifetimes: Lifetimes;
}

/** An authorization request that a signed-in person has consented to; its client and redirect URI are checked. */
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

/** What the token endpoint answers with, the id_token still to be signed (interface 4.1; RFC 6749 section 5.1). */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Seconds that the access token has left. */
  readonly expiresIn: number;
  readonly scopes: readonly SignInScope[];
  readonly user: string;
  readonly client: string;
  readonly grant: string;
  readonly session: string | undefined;
  /** Unix seconds. */
  readonly authTime: number;
  readonly amr: readonly string[];
  /** Of the authorization request, at the exchange of its code only (OpenID Connect Core section 12.2). */
  readonly nonce: string | undefined;
  readonly position: Position;
}

/**
 * Issues an authorization code at the epoch of the person's consent (RFC 6749 section 4.1.2).
 * @throws OAuthRefused consent_required where the consent does not cover the scopes
 */
export async function issueCode(
  { store, personal, tokenKeys, lifetimes }: TokenParts,
  { user, client, scopes, redirectUri, codeChallenge, nonce, session, authTime, amr }: Authorized,
  context: CommandContext,
): Promise<{ code: string; grantId: string; position: Position }> {
  const consent = await loadConsent(store, { user, client });
  if (consent?.status !== 'active' || missingScopes(consent, scopes).length > 0) {
    throw new OAuthRefused(
      'consent_required',
      'The person has not consented to these scopes (interface 7.1).',
    );
  }
  const grantId = uuidOf(context.commandId, 'grant');
  const tokenKey = await tokenKeys.current();
  const data = {
    grant: grantId,
    user,
    client,
    epoch: consent.epoch,
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
  const { position } = await executeNew(store, grant, grantId, { kind: 'issue', data }, context);
  const code = await tokenKeys.write({ kind: 'code', keyId: tokenKey, grantId, generation: 0 });
  return { code, grantId, position };
}

/** As the token endpoint receives it; every field is there. */
export interface CodeExchange {
  readonly code: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly codeVerifier: string;
}

/**
 * Exchanges a code for tokens; of many who try one succeeds (RFC 6749 section 4.1.3).
 * @throws OAuthRefused invalid_grant, invalid_client
 */
export async function redeemCode(
  parts: TokenParts,
  { code, clientId, redirectUri, codeVerifier }: CodeExchange,
  context: CommandContext,
): Promise<Tokens> {
  const token = await parts.tokenKeys.read(code);
  if (token?.kind !== 'code') throw refused('This is no code of ours (RFC 6749 section 4.1.3).');
  const challenge = hash('sha256', codeVerifier, 'base64url');
  const tokenKey = await parts.tokenKeys.current();
  let nonce: string | undefined;
  const { state, events, position } = await executeNewest(
    parts.store,
    grant,
    token.grantId,
    async (found): Promise<GrantCommand> => {
      nonce = found?.status === 'issued' && 'nonce' in found ? found.nonce : undefined;
      return {
        kind: 'redeem',
        redirectUri,
        challenge,
        ...(await exchangeOf(parts, found, clientId, context)),
        tokenKey,
      };
    },
    context,
  );
  if (events[0]?.type === 'AuthorizationCodeReplayed') {
    throw refused('The code was used already, and its tokens are now revoked (RFC 6749 section 4.1.2).');
  }
  const tokens = await tokensOf(parts, state, context.at, position);
  const opened =
    nonce === undefined ? undefined : await parts.personal.open<string>(personOf(tokens.user), nonce);
  return { ...tokens, nonce: opened };
}

/** As the token endpoint receives it. */
export interface RefreshExchange {
  readonly refreshToken: string;
  readonly clientId: string;
  readonly scope?: string;
}

/**
 * Exchanges a refresh token for the next generation. Who comes within the grace with the one just replaced gets
 * the very same tokens (RFC 6749 section 6; RFC 9700 section 4.14.2).
 * @throws OAuthRefused invalid_grant, invalid_client, invalid_scope
 */
export async function refreshTokens(
  parts: TokenParts,
  { refreshToken, clientId, scope }: RefreshExchange,
  context: CommandContext,
): Promise<Tokens> {
  const token = await parts.tokenKeys.read(refreshToken);
  if (token?.kind !== 'refresh') throw refused('This is no refresh token of ours (RFC 6749 section 6).');
  const { grantId, generation } = token;
  const tokenKey = await parts.tokenKeys.current();
  const { state, events, position } = await executeNewest(
    parts.store,
    grant,
    grantId,
    async (found): Promise<GrantCommand> => ({
      kind: 'refresh',
      generation,
      scope,
      ...(await exchangeOf(parts, found, clientId, context)),
      tokenKey,
    }),
    context,
  );
  if (events[0]?.type === 'RefreshTokenReused') {
    throw refused(
      'The refresh token was used before, and its grant is now revoked (RFC 9700 section 4.14.2).',
    );
  }
  return tokensOf(parts, state, context.at, position);
}

/**
 * Revokes a token on its client's wish: an access token alone, a refresh token with its whole grant. What is no
 * living token of ours needs no revocation (RFC 7009 section 2.2). Answers the position to wait for in the read
 * model `grants`, when something happened.
 * @throws OAuthRefused invalid_grant for another client's token
 */
export async function revokeToken(
  { store, tokenKeys }: Pick<TokenParts, 'store' | 'tokenKeys'>,
  { token: text, clientId }: { readonly token: string; readonly clientId: string },
  context: CommandContext,
): Promise<Position | undefined> {
  const token = await tokenKeys.read(text);
  if (!token || token.kind === 'code') return undefined;
  const command = revocationOf(token, clientId, context.at);
  const { position } = await executeNewest(store, grant, token.grantId, () => command, context);
  return position;
}

/** Ends a grant, whoever wishes it. */
export async function revokeGrant(
  store: EventStore,
  {
    grantId,
    clientId,
    reason,
  }: { readonly grantId: string; readonly clientId: string; readonly reason?: string },
  context: CommandContext,
): Promise<Position> {
  const command = { kind: 'revoke', client: clientId, ...(reason === undefined ? {} : { reason }) } as const;
  const { position } = await executeNewest(store, grant, grantId, () => command, context);
  return position;
}

const revocationOf = (token: Token, client: string, at: Date): GrantCommand =>
  token.kind === 'access'
    ? { kind: 'revoke-token', client, generation: token.generation, at }
    : { kind: 'revoke', client, reason: 'The client revoked its refresh token.' };

/** What an exchange is decided by: the consent as it is now, and the client of the request. */
async function exchangeOf(
  { store, lifetimes }: TokenParts,
  found: GrantState,
  clientId: string,
  { at }: CommandContext,
) {
  const [client, consent] = await Promise.all([
    loadClient(store, clientId),
    found ? loadConsent(store, found) : undefined,
  ]);
  return { client, consent, at, lifetimes };
}

/** The tokens of the current generation: the same whenever they are asked for, but for the time they have left. */
async function tokensOf(
  { tokenKeys }: TokenParts,
  state: GrantState,
  at: Date,
  position: Position,
): Promise<Tokens> {
  if (state?.status !== 'active') throw new Error(`A ${state?.status ?? 'missing'} grant has no tokens.`);
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
    nonce: undefined,
    position,
  };
}

const refused = (message: string) => new OAuthRefused('invalid_grant', message);
