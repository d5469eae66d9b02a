import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { derivedKey } from '../../stores/vault/seal.ts';

/** What a list is filtered by, in one spelling. */
export interface Filter {
  readonly category?: string | undefined;
  /** The words of `q`, each once. */
  readonly words?: string | undefined;
  /** ISO 8601 UTC in milliseconds. */
  readonly updatedSince?: string | undefined;
  readonly status?: string | undefined;
  /** Whose directory, where the list is of one. */
  readonly team?: string | undefined;
}

/** The values of the order's fields at the last entry of a page. */
export type Place = readonly (string | number)[];

export interface Cursor {
  readonly filter: Filter;
  readonly place: Place;
}

export interface Cursors {
  seal(cursor: Cursor): string;
  /** Undefined for anything that was not sealed here. */
  open(text: string): Cursor | undefined;
}

const tagBytes = 16;
/** Memory for cursors that were given out lately. */
const givenBytes = 1024 * 1024;
/** What a remembered cursor takes beside its text. */
const givenOverheadBytes = 512;

/**
 * Cursors: the query and the place, authenticated with a key that every node derives from the master key. They
 * carry no authority (who reads on must be let in again) and no position of any store. Those that this node gave out
 * lately are known again by their text: to check one costs a twentieth of a page, and who walks on comes back with it.
 */
export function cursors(masterKey: Buffer): Cursors {
  // As a key object: from bytes, each HMAC costs five times as much.
  const key = createSecretKey(derivedKey(masterKey, 'cursor'));
  const tagOf = (content: Buffer) => createHmac('sha256', key).update(content).digest().subarray(0, tagBytes);
  const given = new LRUCache<string, Cursor>({
    maxSize: givenBytes,
    sizeCalculation: (_, text) => 2 * text.length + givenOverheadBytes,
  });
  return {
    seal(cursor) {
      const { category, words, updatedSince, status, team } = cursor.filter;
      const content = Buffer.from(
        JSON.stringify([cursor.place, category, words, updatedSince, status, team]),
      );
      const text = Buffer.concat([tagOf(content), content]).toString('base64url');
      given.set(text, cursor);
      return text;
    },
    open(text) {
      const before = given.get(text);
      if (before) return before;
      const bytes = Buffer.from(text, 'base64url');
      // Decoding is lenient; only the one spelling that we would write is ours.
      if (bytes.length <= tagBytes || bytes.toString('base64url') !== text) return undefined;
      const content = bytes.subarray(tagBytes);
      if (!timingSafeEqual(bytes.subarray(0, tagBytes), tagOf(content))) return undefined;
      const [place, ...names] = JSON.parse(content.toString()) as [Place, ...(string | null)[]];
      const [category, words, updatedSince, status, team] = names.map((value) => value ?? undefined);
      return { filter: { category, words, updatedSince, status, team }, place };
    },
  };
}
