import { createHash } from 'node:crypto';
import { base62, checksum62 } from '../ids.ts';

/**
 * The content of the session cookie: `sss_`, then in base 62: 22 digits that name the session, 32 secret digits (190
 * bits) and a checksum of 6 digits over everything before it. A token with a wrong checksum is refused without
 * reading a store.
 */
const prefix = 'sss_';
const pattern = /^sss_([0-9A-Za-z]{22})[0-9A-Za-z]{38}$/;

export interface ParsedSession {
  readonly sessionId: string;
  readonly sha256: string;
}

/** The id of the session that a command starts. */
export const sessionIdOf = (commandId: string): string =>
  digitsOf(createHash('sha256').update(`session:${commandId}`).digest(), 22);

/** A new session's token in clear. `random`: 32 unguessable bytes. */
export function newSessionToken(sessionId: string, random: Uint8Array): string {
  const body = prefix + sessionId + digitsOf(random, 32);
  return body + checksum62(body);
}

/** The parts of a session token. Undefined for a text that is not a session token of ours. */
export function parseSessionToken(token: string): ParsedSession | undefined {
  const match = pattern.exec(token);
  if (!match || checksum62(token.slice(0, -6)) !== token.slice(-6)) return undefined;
  return { sessionId: match[1] as string, sha256: sessionSha256(token) };
}

export const sessionSha256 = (token: string): string => createHash('sha256').update(token).digest('hex');

const digitsOf = (bytes: Uint8Array, length: number): string =>
  base62(BigInt(`0x${Buffer.from(bytes).toString('hex')}`), length);
