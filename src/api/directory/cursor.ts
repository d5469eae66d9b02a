import { SignedValue } from '../../ground/signed-value.ts';
import type { MasterKey } from '../../ground/master-key.ts';

/** The filter of a list, normalised. */
export interface Filter {
  readonly category?: string | undefined;
  /** The key of the organization that offers it: see `organizationKey`. In no cursor. */
  readonly organization?: string | undefined;
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

/**
 * Cursors: the query and the place. They grant no access (each request is authorised again) and contain no position of a
 * store.
 */
export function cursors(masterKey: MasterKey): Cursors {
  const texts = new SignedValue<Cursor, SealedCursor>(masterKey, 'cursor', {
    write({ place, filter: { category, updatedSince, status, team } }) {
      return [place, category, updatedSince, status, team];
    },
    read([place, ...names]) {
      const [category, updatedSince, status, team] = names.map((value) => value ?? undefined);
      return { filter: { category, updatedSince, status, team }, place };
    },
  });
  return { seal: (cursor) => texts.seal(cursor), open: (text) => texts.open(text) };
}

/** What of a filter is not given is null in JSON. */
type SealedCursor = [Place, ...(string | null | undefined)[]];
