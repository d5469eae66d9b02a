import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { derivedKey } from '../../stores/vault/seal.ts';

/** The filter of a list, normalised. */
export interface Filter {
  readonly category?: string | undefined;
  /** The words of `q`, each once. */
  readonly words?: string | undefined;
  /** ISO 8601 UTC in milliseconds. */
  readonly updatedSince?: string | undefined;
  readonly status?: string | undefined;
  /** The team whose directory is listed. Undefined for all directories. */
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
  /** Undefined for a text that is not a sealed cursor of this installation. */
  open(text: string): Cursor | undefined;
}

const tagBytes = 16;
/** Memory for recent cursors. */
const givenBytes = 1024 * 1024;
/** The size of a recent cursor without its text. */
const givenOverheadBytes = 512;

/**
 * Cursors: the query and the place, authenticated with a key that every node derives from the master key. They grant no
 * access (each request is authorised again) and contain no position of a store. Recent cursors of this node are kept in
 * memory: verifying one costs a twentieth of a page, and most callers soon send it back.
 */
export function cursors(masterKey: Buffer): Cursors {
  // A key object: with bytes each HMAC would cost five times as much.
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
      // Decoding is lenient. Only the canonical encoding is accepted.
      if (bytes.length <= tagBytes || bytes.toString('base64url') !== text) return undefined;
      const content = bytes.subarray(tagBytes);
      if (!timingSafeEqual(bytes.subarray(0, tagBytes), tagOf(content))) return undefined;
      const [place, ...names] = JSON.parse(content.toString()) as [Place, ...(string | null)[]];
      const [category, words, updatedSince, status, team] = names.map((value) => value ?? undefined);
      return { filter: { category, words, updatedSince, status, team }, place };
    },
  };
}
