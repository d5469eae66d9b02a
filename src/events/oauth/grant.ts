import { z } from 'zod';
import { event, line, stream, text, type EventOf } from '../define.ts';
import { activation } from './client.ts';
import {
  authenticationMethods,
  clientId,
  sealed,
  seconds,
  sessionId,
  signInScope,
  userId,
} from './values.ts';

const time = z.iso.datetime();

/** Every grant event repeats the whole state, so that the newest event alone decides about a code or token. */
const grantState = {
  grant: z.uuid(),
  user: userId,
  client: clientId,
  epoch: z.int().positive().describe('The epoch of the consent when the grant was issued.'),
  activation: activation
    .optional()
    .describe(
      'The `activation` of the client when the grant was issued. Absent: the client was never reactivated.',
    ),
  scopes: z.array(signInScope).min(1).describe('The scopes that the grant’s tokens may have.'),
  session: sessionId.optional().describe('The session in which it was requested.'),
  auth_time: seconds.describe('When the person last authenticated.'),
  amr: authenticationMethods.describe('How the person authenticated (RFC 8176).'),
  redirect_uri: text(2_000),
  code_challenge: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/)
    .meta({ title: 'SHA-256 of the code_verifier, base64url' }),
  code_expires: seconds,
  generation: z
    .int()
    .nonnegative()
    .describe('0 for the code, 1 for the first tokens. Rises by one with each refresh.'),
  token_key: z
    .string()
    .regex(/^[0-9a-f]{8}$/)
    .meta({ title: 'id of a token key, hex' })
    .describe('The key in the vault that authenticates the code or the tokens of this generation.'),
};

const accessToken = z.strictObject({
  generation: z.int().positive(),
  expires: seconds,
  scopes: z.array(signInScope),
  revoked: z.literal(true).optional(),
});
export type AccessTokenRecord = z.output<typeof accessToken>;

const active = {
  ...grantState,
  status: z.literal('active'),
  redeemed_at: time.describe('When the code was exchanged.'),
  rotated_at: time.describe('When the tokens of the current generation were issued.'),
  refresh_expires: seconds.describe('When the current refresh token expires.'),
  ends: seconds.describe('When the grant ends. A refresh does not extend it.'),
  access_tokens: z.array(accessToken).describe('The access tokens that have not expired, oldest first.'),
};

const revoked = { ...grantState, status: z.literal('revoked') };

export const grantStream = stream('grant', {
  AuthorizationCodeIssued: event(
    'An authorization code was issued: the person is signed in and has consented.',
    z.strictObject({
      ...grantState,
      status: z.literal('issued'),
      nonce: sealed.optional().describe('The nonce of the authorization request. The id_token repeats it.'),
    }),
  ),
  TokensIssued: event('The code was exchanged for the first tokens.', z.strictObject(active)),
  TokensRefreshed: event(
    'The refresh token was exchanged for tokens of the next generation.',
    z.strictObject(active),
  ),
  TokenRevoked: event(
    'One access token was revoked. The grant stays valid.',
    z.strictObject({ ...active, revoked_generation: z.int().positive() }),
  ),
  AuthorizationCodeReplayed: event(
    'A code was used again, with its verifier, some time after it had been exchanged. It may have been stolen, so the grant is revoked.',
    z.strictObject(revoked),
  ),
  RefreshTokenReused: event(
    'A refresh token was used again after it had been replaced. It may have been stolen, so the grant is revoked.',
    z.strictObject({ ...revoked, reused_generation: z.int().positive() }),
  ),
  GrantRevoked: event(
    'The grant was revoked. Its code and tokens are invalid.',
    z.strictObject({ ...revoked, reason: line(500).optional() }),
  ),
});
export type GrantEvent = EventOf<typeof grantStream>;
/** The state of a grant. `status` tells the variants apart. */
export type GrantData = GrantEvent['data'];
