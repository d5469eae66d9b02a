import { z } from 'zod';
import { event, stream, type EventOf } from '../define.ts';

const base64url = z
  .string()
  .regex(/^[A-Za-z0-9_-]+$/)
  .max(2_000)
  .meta({ title: 'base64url' });

/** The public half of a key, as in the JWKS (RFC 7517, RFC 7518 section 6.3.1). */
export const publicJwk = z.strictObject({
  kty: z.literal('RSA'),
  use: z.literal('sig'),
  alg: z.literal('RS256'),
  kid: base64url,
  n: base64url,
  e: base64url,
});
export type PublicJwk = z.output<typeof publicJwk>;

const kid = base64url.describe('The key’s thumbprint (RFC 7638).');

export const signingKeyStream = stream('signing-key', {
  SigningKeyPublished: event(
    'A key was added to the JWKS. It does not sign yet, so that clients have time to fetch it.',
    z.strictObject({ kid, jwk: publicJwk }),
  ),
  SigningKeyActivated: event('The key now signs id_tokens.', z.strictObject({ kid })),
  SigningKeyRetired: event(
    'The key was removed from the JWKS. The tokens that it signed have expired or must not be trusted.',
    z.strictObject({ kid }),
  ),
});
export type SigningKeyEvent = EventOf<typeof signingKeyStream>;
