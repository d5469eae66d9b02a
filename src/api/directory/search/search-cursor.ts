import { SignedValue } from '../../../ground/signed-value.ts';
import type { MasterKey } from '../../../ground/master-key.ts';
import type { SearchQuery, Settled } from './search-query.ts';
import type { SearchPlace } from './request.ts';

/** Where the next page of a search begins. All pages have one place and one instant: those of the first page. */
export interface SearchCursor {
  readonly wanted: SearchQuery;
  readonly settled: Settled;
  readonly place: SearchPlace;
}

export interface SearchCursors {
  seal(cursor: SearchCursor): string;
  /** Undefined for a text that is not a sealed cursor of a search of this installation. */
  open(text: string): SearchCursor | undefined;
}

/** A cursor by the names that it has had since the first release: those given out before an update stay valid. */
interface WrittenCursor {
  readonly asked: SearchQuery;
  readonly settled: Settled;
  readonly place: Omit<SearchPlace, 'rank'> & { readonly level: number };
}

/** Cursors of searches. They grant no access and contain no position of a store. */
export const searchCursors = (masterKey: MasterKey): SearchCursors =>
  new SignedValue<SearchCursor, WrittenCursor>(masterKey, 'search-cursor', {
    write: ({ wanted, settled, place: { rank, ...place } }) => ({
      asked: wanted,
      settled,
      place: { ...place, level: rank },
    }),
    read: ({ asked, settled, place: { level, ...place } }) => ({
      wanted: asked,
      settled,
      place: { ...place, rank: level },
    }),
  });
