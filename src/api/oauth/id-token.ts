import { hash, sign } from 'node:crypto';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { createLocalJWKSet } from 'jose/jwks/local';
import { compactVerify } from 'jose/jws/compact/verify';
import { decodeJwt } from 'jose/jwt/decode';
import { OAuthRefused } from '../../commands/oauth/errors.ts';
import type { Signer, SigningKeys } from '../../commands/oauth/signing-keys.ts';
import type { Tokens } from '../../commands/oauth/tokens.ts';
import { defined } from '../../ground/defined.ts';
import type { Claims } from './claims.ts';
import { promisify } from 'node:util';

// What is used of jose alone: the whole has 46 modules, which every start would load.

/** The lifetime of an id_token, in seconds: clients check it once, when they get it. */
export const idTokenSeconds = 3_600;

/**
 * The authentication context class for RFC 8176 methods: a passkey is phishing-resistant (OpenID EAP ACR Values
 * section 2).
 */
export const acrOf = (amr: readonly string[]): string =>
  amr.includes('hwk') || amr.includes('swk') ? 'phr' : '1';

export const acrValues = ['1', 'phr'] as const;

/**
 * The id_token of a token response (OpenID Connect Core sections 2 and 3.1.3.6).
 */
export async function signIdToken(
  signer: Signer,
  issuer: string,
  { user, client, accessToken, authTime, amr, nonce, session }: Tokens,
  claims: Claims,
  at: Date,
): Promise<string> {
  const now = Math.floor(at.getTime() / 1_000);
  const payload = {
    iss: issuer,
    sub: user,
    aud: client,
    exp: now + idTokenSeconds,
    iat: now,
    auth_time: authTime,
    ...defined({ nonce }),
    at_hash: halfHash(accessToken),
    acr: acrOf(amr),
    amr,
    ...defined({ sid: session }),
    ...claims,
  };
  return signCompact(signer, JSON.stringify(payload));
}

/** The left half of the SHA-256, base64url (OpenID Connect Core section 3.1.3.6). */
const halfHash = (text: string): string =>
  hash('sha256', text, 'buffer').subarray(0, 16).toString('base64url');

/** The content of an id_token_hint. */
export interface Hint {
  /** False when the key that signed it is no longer known, or never was: then anybody could have written it. */
  readonly verified: boolean;
  readonly user: string | undefined;
  readonly client: string | undefined;
  readonly session: string | undefined;
}

/**
 * Reads an id_token of ours. An expired one is accepted (OpenID Connect Core section 3.1.2.1, RP-Initiated Logout
 * section 2). A client may keep one longer than we keep the key that signed it.
 * @throws OAuthRefused invalid_request for a token that we did not sign
 */
export async function readHint(signingKeys: SigningKeys, issuer: string, hint: string): Promise<Hint> {
  const { keys } = await signingKeys.jwks();
  let claims: ReturnType<typeof decodeJwt>;
  let verified = false;
  try {
    claims = decodeJwt(hint);
    const { alg, kid } = decodeProtectedHeader(hint);
    if (alg !== 'RS256') throw notOurs();
    if (keys.some((key) => key.kid === kid)) {
      await compactVerify(hint, createLocalJWKSet({ keys: [...keys] }), { algorithms: ['RS256'] });
      verified = true;
    }
  } catch {
    throw notOurs();
  }
  if (claims.iss !== issuer) throw notOurs();
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return { verified, user: text(claims.sub), client: text(claims.aud), session: text(claims['sid']) };
}

/**
 * The person whom the id_token_hint of a client names. A hint that cannot be verified is refused, not ignored:
 * otherwise the client could get an answer about another person than it asked for.
 * @throws OAuthRefused invalid_request for a token that we did not sign, can no longer verify, or signed for another client
 */
export async function hintedUser(
  signingKeys: SigningKeys,
  issuer: string,
  hint: string,
  clientId: string,
): Promise<string> {
  const { verified, user, client } = await readHint(signingKeys, issuer, hint);
  if (!verified || user === undefined) {
    throw new OAuthRefused(
      'invalid_request',
      'The key that signed the id_token_hint is unknown or was retired. Send a newer id_token, or none (OpenID Connect Core section 3.1.2.1).',
    );
  }
  if (client !== clientId) {
    throw new OAuthRefused(
      'invalid_request',
      'The id_token_hint was issued to another client (OpenID Connect Core section 3.1.2.1).',
    );
  }
  return user;
}

const notOurs = () =>
  new OAuthRefused(
    'invalid_request',
    'The id_token_hint was not issued here (OpenID Connect Core section 3.1.2.1).',
  );

/**
 * A JWS in compact form (RFC 7515 section 7.1), RS256 (RFC 7518 section 3.3). The signature is made in libuv's
 * pool. By hand: jose's CompactSign took 53 µs of the main thread for each. With webcrypto, of which the call alone
 * was 29, it took 39; the same signature by node:crypto takes 20 for the call. Whatever verifies is jose.
 */
export async function signCompact({ kid, key }: Signer, payload: string): Promise<string> {
  const input = `${headerOf(kid)}.${Buffer.from(payload).toString('base64url')}`;
  const signature = await signInPool('sha256', Buffer.from(input, 'latin1'), key);
  return `${input}.${signature.toString('base64url')}`;
}

const signInPool = promisify(sign);

/** The header of the newest key. Keys change after weeks. */
let newest = { kid: '', header: '' };

function headerOf(kid: string): string {
  if (newest.kid !== kid) {
    const header = JSON.stringify({ alg: 'RS256', kid, typ: 'JWT' });
    newest = { kid, header: Buffer.from(header).toString('base64url') };
  }
  return newest.header;
}
