import { StoreError } from '../errors.ts';

/**
 * Any text as it may stand in an `_id`: every two told apart and ordered by their UTF-8 bytes, on every server.
 * Two kinds of peer would not do that of themselves: one that keeps its documents in PostgreSQL refuses U+0000,
 * and one that compares UTF-16 units has 🏠 before ～. The keys of texts that share a beginning share one too.
 *
 * @throws StoreError misuse, for a lone surrogate: UTF-8 has no bytes for it
 */
export function keyOf(text: string): string {
  if (!text.isWellFormed()) throw new StoreError('misuse', 'A name with a lone surrogate cannot be stored.');
  return text.replace(special, (found) => escapes.get(found) ?? `\uffff${found}`);
}

/** The text of a key. */
export const textOf = (key: string): string =>
  key.replace(escaped, (found) => escapedBy.get(found) ?? found.slice(1));

// Whatever needs U+0000 is moved up to U+0001, and what is greater than U+FFFF in bytes goes behind it.
const special = /[\u0000\u0001\uffff\u{10000}-\u{10ffff}]/gu; // eslint-disable-line no-control-regex
const escaped = /\u0001[\u0001\u0002]|\uffff[\u0001\u{10000}-\u{10ffff}]/gu; // eslint-disable-line no-control-regex

const escapes = new Map([
  ['\u0000', '\u0001\u0001'],
  ['\u0001', '\u0001\u0002'],
  ['\uffff', '\uffff\u0001'],
]);
const escapedBy = new Map([...escapes].map(([found, escape]) => [escape, found]));
