import { createHash } from 'node:crypto';
import type { KeyKind } from './keys.ts';
import { base62, checksum62 } from './ids.ts';

/**
 * `api_pk_` or `api_tk_` (interface 2.3), or `api_ik_` for an installation key, then in base 62: 12 digits that name the
 * key, 32 secret digits (190 bits) and a checksum of 6 digits over everything before it. A key with a wrong checksum is
 * refused without reading a store.
 */
const prefixes: Readonly<Record<KeyKind, string>> = {
  developer: 'api_pk_',
  team: 'api_tk_',
  installation: 'api_ik_',
};
const kinds: Readonly<Record<string, KeyKind>> = { p: 'developer', t: 'team', i: 'installation' };
const idDigits = 12;
const secretDigits = 32;
const pattern = /^api_([pti])k_([0-9A-Za-z]{12})[0-9A-Za-z]{38}$/;

export interface ParsedKey {
  readonly kind: KeyKind;
  readonly keyId: string;
  readonly sha256: string;
}

/** The id of the key that a command creates. The same command gets the same id. */
export function keyIdOf(commandId: string): string {
  return digitsOf(createHash('sha256').update(`api-key:${commandId}`).digest(), idDigits);
}

/** A new key in clear, to be shown once. `random`: 32 unguessable bytes. */
export function newKey(kind: KeyKind, keyId: string, random: Uint8Array): string {
  const body = prefixes[kind] + keyId + digitsOf(random, secretDigits);
  return body + checksum62(body);
}

/** The parts of a key. Undefined for a text that is not a key of ours. */
export function parseKey(key: string): ParsedKey | undefined {
  const match = pattern.exec(key);
  const kind = kinds[match?.[1] ?? ''];
  if (!match || !kind || checksum62(key.slice(0, -6)) !== key.slice(-6)) return undefined;
  return { kind, keyId: match[2] as string, sha256: sha256Of(key) };
}

/** Looks at the prefix only. `parseKey` checks the key. */
export const looksLikeTeamKey = (key: string): boolean => key.startsWith(prefixes.team);

export const sha256Of = (key: string): string => createHash('sha256').update(key).digest('hex');

/** 62^n is no power of two. Over 192 bits the bias is far too small to help a guesser. */
function digitsOf(bytes: Uint8Array, length: number): string {
  return base62(BigInt(`0x${Buffer.from(bytes).toString('hex')}`), length);
}
