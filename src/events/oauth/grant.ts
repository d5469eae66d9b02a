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
const standing = {
  grant: z.uuid(),
  user: userId,
  client: clientId,
  epoch: z.int().positive().describe('Of the consent it was issued under.'),
  activation: activation.optional().describe('The client’s when it was issued; absent as there.'),
  scopes: z.array(signInScope).min(1).describe('All that its tokens may ever have.'),
  session: sessionId.optional().describe('The session in which it was asked for.'),
  auth_time: seconds.describe('When the person last proved who they are.'),
  amr: authenticationMethods.describe('How they proved it (RFC 8176).'),
  redirect_uri: text(2_000),
  code_challenge: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/)
    .meta({ title: 'SHA-256 of the code_verifier, base64url' }),
  code_expires: seconds,
  generation: z
    .int()
    .nonnegative()
    .describe('0 for the code; the tokens have 1 and one more with each refresh.'),
  token_key: z
    .string()
    .regex(/^[0-9a-f]{8}$/)
    .meta({ title: 'id of a token key, hex' })
    .describe('The vault’s key that authenticates the code or tokens of this generation.'),
};

const accessToken = z.strictObject({
  generation: z.int().positive(),
  expires: seconds,
  scopes: z.array(signInScope),
  revoked: z.literal(true).optional(),
});
export type AccessTokenRecord = z.output<typeof accessToken>;

const active = {
  ...standing,
  status: z.literal('active'),
  redeemed_at: time.describe('When the code was exchanged.'),
  rotated_at: time.describe('When the current generation came to be.'),
  refresh_expires: seconds.describe('The current refresh token’s.'),
  ends: seconds.describe('No refresh reaches beyond.'),
  access_tokens: z.array(accessToken).describe('The unexpired ones, oldest first.'),
};

const revoked = { ...standing, status: z.literal('revoked') };

export const grantStream = stream('grant', {
  AuthorizationCodeIssued: event(
    'A person, signed in and consenting, was sent back to the client with a code.',
    z.strictObject({
      ...standing,
      status: z.literal('issued'),
      nonce: sealed.optional().describe('The request’s nonce, for the id_token.'),
    }),
  ),
  TokensIssued: event('The code was exchanged for the first tokens.', z.strictObject(active)),
  TokensRefreshed: event('The refresh token was exchanged for the next generation.', z.strictObject(active)),
  TokenRevoked: event(
    'One access token ends; the grant goes on.',
    z.strictObject({ ...active, revoked_generation: z.int().positive() }),
  ),
  AuthorizationCodeReplayed: event(
    'A code came again, with its verifier, long after it was exchanged: two hold it. The grant is revoked.',
    z.strictObject(revoked),
  ),
  RefreshTokenReused: event(
    'A refresh token came again after it had been replaced: two hold it. The grant is revoked.',
    z.strictObject({ ...revoked, reused_generation: z.int().positive() }),
  ),
  GrantRevoked: event(
    'The grant was revoked: its code and tokens are invalid.',
    z.strictObject({ ...revoked, reason: line(500).optional() }),
  ),
});
export type GrantEvent = EventOf<typeof grantStream>;
/** The state of a grant. `status` tells the variants apart. */
export type GrantStanding = GrantEvent['data'];
