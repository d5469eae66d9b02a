import { StoreError } from '../errors.ts';

/**
 * Encodes any text as an `_id`. Distinct texts get distinct keys, ordered by their UTF-8 bytes, on every server.
 * Two kinds of compatible servers need this: one stores documents in PostgreSQL and refuses U+0000; one compares
 * UTF-16 units and sorts 🏠 before ～. Texts with a common prefix have keys with a common prefix.
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

// U+0000 is escaped with U+0001. Characters above U+FFFF are prefixed with U+FFFF, so that they sort after it.
const special = /[\u0000\u0001\uffff\u{10000}-\u{10ffff}]/gu; // eslint-disable-line no-control-regex
const escaped = /\u0001[\u0001\u0002]|\uffff[\u0001\u{10000}-\u{10ffff}]/gu; // eslint-disable-line no-control-regex

const escapes = new Map([
  ['\u0000', '\u0001\u0001'],
  ['\u0001', '\u0001\u0002'],
  ['\uffff', '\uffff\u0001'],
]);
const escapedBy = new Map([...escapes].map(([found, escape]) => [escape, found]));
