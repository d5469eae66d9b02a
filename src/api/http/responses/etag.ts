import { hash } from 'node:crypto';

/**
 * A validator over everything that a response depends on. Weak (RFC 9110 section 8.8.1): the bytes differ by
 * Content-Encoding.
 */
export const etagOf = (...parts: readonly unknown[]): string =>
  `W/"${hash('sha256', parts.map(textOf).join('\0'), 'base64url').slice(0, 27)}"`;

/** JSON, except for strings, which may be whole bodies. */
const textOf = (part: unknown): string => (typeof part === 'string' ? part : JSON.stringify(part));

/** If-None-Match (RFC 9110 section 13.1.2): weak comparison, lists and `*`. */
export function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === opaque);
}
