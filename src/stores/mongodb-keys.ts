import { StoreError } from './errors.ts';

/**
 * Encodes a text as it is stored. Distinct texts get distinct keys in the order of their UTF-8 bytes, and texts with a
 * common prefix have keys with a common prefix.
 *
 * MongoDB accepts U+0000 and orders by UTF-8 bytes, so it needs no escapes. They remain because they are part of the
 * stored format: existing documents contain them before every character above U+FFFF.
 *
 * @throws StoreError misuse, for a lone surrogate: the driver would replace it, so that distinct texts become equal
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
