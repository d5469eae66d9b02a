import { z } from 'zod';

/** Scopes that any site may be registered for (interface 2.6). */
export const siteScopes = ['openid', 'profile', 'email', 'offline_access'] as const;
/** Scopes that only first-party clients may be registered for (interface 2.6). */
export const firstPartyScopes = [
  'phone',
  'teams:read',
  'wallet:read',
  'tasks:read',
  'purchases:read',
  'feeds:read',
] as const;
export const signInScopes = [...siteScopes, ...firstPartyScopes] as const;
export type SignInScope = (typeof signInScopes)[number];
export const signInScope = z.enum(signInScopes, { message: `must be one of ${signInScopes.join(', ')}` });

/** Identifies a person. It is the `sub` that every client sees (interface 2.5). */
export const userId = z.uuid();

/** `site_` and characters (interface 2.4). */
export const clientId = z
  .string()
  .regex(/^site_[0-9A-Za-z]{8,64}$/, { message: 'must be site_ and letters or digits' })
  .meta({ title: '`site_` and letters or digits' });

export const sessionId = z
  .string()
  .regex(/^[0-9A-Za-z]{22}$/)
  .meta({ title: '22 letters or digits' });

/**
 * Personal data, sealed under the data key of the person it is about. It cannot be read once that key is destroyed.
 */
export const sealed = z
  .string()
  .max(20_000)
  .regex(/^[A-Za-z0-9_-]+$/)
  .meta({ title: 'sealed under the person’s data key, base64url' });

/** HMAC of a normalised email address under a key in the vault. It identifies the address without revealing it. */
export const emailIndex = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ title: 'keyed hash of the address, hex' });

/** A time to the second, as tokens carry it (RFC 7519 section 2, NumericDate). */
export const seconds = z.int().nonnegative().meta({ title: 'Unix seconds' });

/**
 * How somebody authenticated (RFC 8176): `pwd` with a password, `hwk` or `swk` with a passkey, `user` with a presence
 * test.
 */
export const authenticationMethods = z.array(z.string().max(20)).max(10);
