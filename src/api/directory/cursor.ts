import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
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

/**
 * Cursors: the query and the place, authenticated with a key that every node derives from the master key. They
 * carry no authority (who reads on must be let in again) and no position of any store.
 */
export function cursors(masterKey: Buffer): Cursors {
  // As a key object: from bytes, each HMAC costs five times as much.
  const key = createSecretKey(derivedKey(masterKey, 'cursor'));
  const tagOf = (content: Buffer) => createHmac('sha256', key).update(content).digest().subarray(0, tagBytes);
  return {
    seal({ filter: { category, words, updatedSince, status, team }, place }) {
      const content = Buffer.from(JSON.stringify([place, category, words, updatedSince, status, team]));
      return Buffer.concat([tagOf(content), content]).toString('base64url');
    },
    open(text) {
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
