import {
  grantStream,
  type AccessTokenRecord,
  type GrantEvent,
  type GrantData,
} from '../../events/oauth/grant.ts';
import type { SignInScope } from '../../events/oauth/values.ts';
import { defined } from '../../ground/defined.ts';
import { allowedScopes, narrowedScopes, requireClient, type RegisteredClient } from './authorization.ts';
import type { ConsentState } from './consent.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import type { Decider } from '../command-handler.ts';
import { OAuthRefused } from './errors.ts';

/** How long codes, tokens and grants are valid, in seconds. Interface 8 sets the code's; DESIGN 5 the others. */
export interface Lifetimes {
  readonly code: number;
  readonly access: number;
  /** Of an unused refresh token. */
  readonly refreshIdle: number;
  /** Of the grant, however often it is refreshed. */
  readonly refresh: number;
}

export const lifetimes: Lifetimes = {
  code: 600,
  access: 3_600,
  refreshIdle: 30 * 86_400,
  refresh: 180 * 86_400,
};

/**
 * Milliseconds after a refresh in which the previous refresh token gets the same answer again: for lost answers and
 * two tabs.
 */
export const refreshGraceMs = 30_000;
/**
 * Milliseconds after its exchange in which a code that is used again counts as a double submit. Later it counts as
 * stolen.
 */
export const doubleSubmitMs = 10_000;
/** The most unexpired access tokens of one grant. The oldest end early, so that an event stays small. */
export const accessTokensAtMost = 16;

export type GrantState = GrantData | undefined;
type Issued = Extract<GrantEvent, { type: 'AuthorizationCodeIssued' }>['data'];
type Active = Extract<GrantEvent, { type: 'TokensIssued' }>['data'];

/** What an exchange depends on besides the grant. All of it is read for this decision. */
interface Exchange {
  /** The client of the request's client_id. */
  readonly client: RegisteredClient | undefined;
  /** Of the grant's person to the grant's client. */
  readonly consent: ConsentState;
  readonly at: Date;
  readonly lifetimes: Lifetimes;
  /** Id of the key that will authenticate the tokens. */
  readonly tokenKey: string;
}

export type GrantCommand =
  | { readonly kind: 'issue'; readonly data: Issued }
  /** `challenge`: the base64url SHA-256 of the code_verifier that was sent. */
  | (Exchange & { readonly kind: 'redeem'; readonly redirectUri: string; readonly challenge: string })
  /** `scope`: as sent, to narrow the access token. */
  | (Exchange & { readonly kind: 'refresh'; readonly generation: number; readonly scope: string | undefined })
  | { readonly kind: 'revoke-token'; readonly client: string; readonly generation: number; readonly at: Date }
  | { readonly kind: 'revoke'; readonly client: string; readonly reason?: string };

/**
 * The rules for codes and tokens. A refusal that ends the grant is an event (AuthorizationCodeReplayed,
 * RefreshTokenReused). Other refusals are thrown. A refresh within the grace period appends nothing and returns the
 * tokens of the current generation.
 */
export const grant: Decider<GrantState, GrantCommand, GrantEvent> = {
  stream: grantStream,
  initial: undefined,
  // Every event repeats the whole state, so the newest one is enough.
  evolve: (_state, event) => event.data,
  decide(command, state) {
    switch (command.kind) {
      case 'issue':
        if (state) throw new CommandRefused('conflict', 'This grant exists already.');
        return [{ type: 'AuthorizationCodeIssued', data: command.data }];
      case 'redeem':
        return redeem(command, state);
      case 'refresh':
        return refresh(command, state);
      case 'revoke-token':
        return revokeToken(command, state);
      case 'revoke':
        if (!state || state.status === 'revoked') return [];
        requireOwn(command.client, state, 'RFC 7009 section 2.1');
        return [
          {
            type: 'GrantRevoked',
            data: { ...revoked(state), ...defined({ reason: command.reason }) },
          },
        ];
    }
  },
};

/** RFC 6749 section 4.1.3, RFC 7636 section 4.6. */
function redeem(command: Extract<GrantCommand, { kind: 'redeem' }>, state: GrantState): GrantEvent[] {
  const client = requireClient(command.client);
  if (!state) throw refused('There is no such code (RFC 6749 section 4.1.2).');
  requireOwn(client.client, state, 'RFC 6749 section 4.1.3');
  if (command.redirectUri !== state.redirect_uri) {
    throw refused('The redirect_uri is not the one of the authorization request (RFC 6749 section 4.1.3).');
  }
  // Before "already used": a code stolen without its verifier must not end the owner's grant (RFC 9700 section 4.5).
  if (command.challenge !== state.code_challenge) {
    throw refused('The code_verifier does not match the code_challenge (RFC 7636 section 4.6).');
  }
  if (state.status === 'active') {
    if (command.at.getTime() - Date.parse(state.redeemed_at) < doubleSubmitMs) {
      throw refused('The code was used already (RFC 6749 section 4.1.2).');
    }
    return [{ type: 'AuthorizationCodeReplayed', data: revoked(state) }];
  }
  if (state.status === 'revoked') throw refused('The code is revoked (RFC 6749 section 4.1.2).');
  const now = secondOf(command.at);
  if (now >= state.code_expires) throw refused('The code has expired (RFC 6749 section 4.1.2).');
  // Its code may be in wrong hands: that is why a team removes a redirect URI at once.
  if (!client.redirect_uris.includes(state.redirect_uri)) {
    throw refused('The redirect_uri is no longer registered for this client (RFC 6749 section 3.1.2.3).');
  }

  const scopes = effective(state, command.consent, client);
  const { nonce: _, status: __, ...current } = state;
  const ends = now + command.lifetimes.refresh;
  const generation = next({ ...current, access_tokens: [], ends }, command, scopes);
  return [
    {
      type: 'TokensIssued',
      data: { ...current, ...generation, status: 'active', redeemed_at: generation.rotated_at, ends },
    },
  ];
}

/** RFC 6749 section 6, RFC 9700 section 4.14.2. */
function refresh(command: Extract<GrantCommand, { kind: 'refresh' }>, state: GrantState): GrantEvent[] {
  const client = requireClient(command.client);
  if (!state || state.status === 'issued')
    throw refused('There is no such refresh token (RFC 6749 section 6).');
  requireOwn(client.client, state, 'RFC 6749 section 6');
  if (state.status === 'revoked') throw refused('The refresh token is revoked (RFC 6749 section 6).');
  if (command.generation < 1 || command.generation > state.generation) {
    throw refused('There is no such refresh token (RFC 6749 section 6).');
  }
  const current = command.generation === state.generation;
  if (!current && !inGrace(command.generation, state, command.at)) {
    return [
      { type: 'RefreshTokenReused', data: { ...revoked(state), reused_generation: command.generation } },
    ];
  }
  const now = secondOf(command.at);
  if (now >= Math.min(state.refresh_expires, state.ends)) {
    throw refused('The refresh token has expired (RFC 6749 section 6).');
  }
  const granted = effective(state, command.consent, client);
  const requested = command.scope === undefined ? state.scopes : narrowedScopes(state.scopes, command.scope);
  if (!current) return repeated(requested, state);
  const scopes = requested.filter((scope) => granted.includes(scope));
  if (scopes.length === 0) {
    throw new OAuthRefused(
      'invalid_scope',
      'Nothing of the scope asked for is allowed any more (RFC 6749 section 6).',
    );
  }
  const { revoked_generation: _, ...active } = state as Active & { revoked_generation?: number };
  return [{ type: 'TokensRefreshed', data: { ...active, ...next(active, command, scopes) } }];
}

/**
 * Within the grace period the answer is the access token of the current generation again, and nothing is appended. A
 * narrower scope is refused then (RFC 9700 section 2.3), because that token has the scope of the first answer. The
 * next refresh may narrow it.
 */
function repeated(requested: readonly SignInScope[], state: Active): [] {
  const access = currentAccessToken(state);
  if (access?.revoked) throw refused('The token was revoked (RFC 7009 section 2.1).');
  if (access?.scopes.every((scope) => requested.includes(scope)) === false) {
    throw new OAuthRefused(
      'invalid_scope',
      'This refresh token was exchanged a moment ago for a wider scope. Repeat the request without scope, and narrow it with the refresh token of the answer (RFC 6749 section 6).',
    );
  }
  return [];
}

/** RFC 7009 section 2.1, for an access token. Expired and unknown ones are revoked too. */
function revokeToken(
  { client, generation, at }: Extract<GrantCommand, { kind: 'revoke-token' }>,
  state: GrantState,
): GrantEvent[] {
  if (state?.status !== 'active') return [];
  requireOwn(client, state, 'RFC 7009 section 2.1');
  const now = secondOf(at);
  const unexpired = state.access_tokens.filter(({ expires }) => expires > now);
  if (!unexpired.some((each) => each.generation === generation && !each.revoked)) return [];
  const access_tokens = unexpired.map((each) =>
    each.generation === generation ? { ...each, revoked: true as const } : each,
  );
  return [{ type: 'TokenRevoked', data: { ...state, access_tokens, revoked_generation: generation } }];
}

/** The access token of the current generation. Expired ones may be missing. */
export const currentAccessToken = (
  state: Pick<Active, 'generation' | 'access_tokens'>,
): AccessTokenRecord | undefined =>
  state.access_tokens.find(({ generation }) => generation === state.generation);

/** The fields of the state that are new in the next generation. */
function next(
  {
    generation,
    access_tokens,
    ends,
  }: { readonly generation: number; readonly access_tokens: Active['access_tokens']; readonly ends: number },
  { at, lifetimes, tokenKey }: Exchange,
  scopes: SignInScope[],
): Pick<Active, 'generation' | 'token_key' | 'rotated_at' | 'refresh_expires' | 'access_tokens'> {
  const now = secondOf(at);
  // No token outlives the grant.
  const made = { generation: generation + 1, expires: Math.min(now + lifetimes.access, ends), scopes };
  const unexpired = access_tokens.filter(({ expires }) => expires > now);
  return {
    generation: made.generation,
    token_key: tokenKey,
    rotated_at: at.toISOString(),
    refresh_expires: Math.min(now + lifetimes.refreshIdle, ends),
    access_tokens: [...unexpired, made].slice(-accessTokensAtMost),
  };
}

/**
 * The scopes of a grant that its consent and its client still allow.
 * @throws OAuthRefused invalid_grant when the consent or the client has ended, or the grant belongs to another client
 */
function effective(
  { scopes, epoch, activation = 0 }: GrantData,
  consent: ConsentState,
  client: RegisteredClient,
): SignInScope[] {
  if (activation !== (client.activation ?? 0)) {
    throw refused('The client was taken out of service since (RFC 6749 section 5.2).');
  }
  if (consent?.status !== 'active' || consent.epoch !== epoch) {
    throw refused('The person has taken the consent back (RFC 6749 section 5.2).');
  }
  const allowed = allowedScopes(client);
  const left = scopes.filter((scope) => consent.scopes.includes(scope) && allowed.includes(scope));
  if (left.length === 0)
    throw refused('Nothing of what was granted is allowed any more (RFC 6749 section 5.2).');
  return left;
}

const inGrace = (generation: number, state: Active, at: Date): boolean =>
  generation === state.generation - 1 && at.getTime() - Date.parse(state.rotated_at) <= refreshGraceMs;

function requireOwn(client: string, state: GrantData, rule: string): void {
  if (client !== state.client) throw refused(`It was issued to another client (${rule}).`);
}

/** The state of a revoked grant. */
const revoked = (state: GrantData) => ({
  grant: state.grant,
  user: state.user,
  client: state.client,
  epoch: state.epoch,
  ...defined({ activation: state.activation }),
  scopes: state.scopes,
  ...defined({ session: state.session }),
  auth_time: state.auth_time,
  amr: state.amr,
  redirect_uri: state.redirect_uri,
  code_challenge: state.code_challenge,
  code_expires: state.code_expires,
  generation: state.generation,
  token_key: state.token_key,
  status: 'revoked' as const,
});

const refused = (message: string) => new OAuthRefused('invalid_grant', message);
const secondOf = (at: Date): number => Math.floor(at.getTime() / 1_000);
