import { SignedValue } from '../../../ground/signed-value.ts';
import type { MasterKey } from '../../../ground/master-key.ts';
import type { AskedSearch, Settled } from './asked-search.ts';
import type { SearchPlace } from './request.ts';

/** Where the next page of a search begins. All pages have one place and one instant: those of the first page. */
export interface SearchCursor {
  readonly asked: AskedSearch;
  readonly settled: Settled;
  readonly place: SearchPlace;
}

export interface SearchCursors {
  seal(cursor: SearchCursor): string;
  /** Undefined for a text that is not a sealed cursor of a search of this installation. */
  open(text: string): SearchCursor | undefined;
}

/** Cursors of searches. They grant no access and contain no position of a store. */
export const searchCursors = (masterKey: MasterKey): SearchCursors =>
  new SignedValue<SearchCursor, SearchCursor>(masterKey, 'search-cursor', {
    write: (cursor) => cursor,
    read: (cursor) => cursor,
  });
