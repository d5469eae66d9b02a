import type { Weekday } from '../../../events/directory/local-time.ts';
import type { Circle, Point } from '../../../ground/earth.ts';
import type { DefaultZones } from '../../../places/hours-zone.ts';
import type { ExpandedQuery } from './words/expand.ts';
import type { Least } from './ranking.ts';

/** Of which records a search is made. Texts are as people write them. */
export interface SearchFilters {
  readonly category?: string | undefined;
  readonly city?: string | undefined;
  readonly postalCode?: string | undefined;
  /** Its name or its ISO 639-1 code. */
  readonly language?: string | undefined;
  readonly organization?: string | undefined;
  readonly free?: boolean | undefined;
}

export type { Circle };

export const sorts = ['relevance', 'distance', 'id'] as const;
export type Sort = (typeof sorts)[number];

export interface SearchRequest extends SearchFilters {
  /** The slug of the team whose records they are. */
  readonly team?: string | undefined;
  /** What somebody typed. */
  readonly text?: string | undefined;
  /** Only records that are open at this instant, ISO 8601 UTC. */
  readonly openAt?: string | undefined;
  /** Only records that are open at some time of a day of the week, by their hours. */
  readonly openOn?: OpenOn | undefined;
  /** The zones of records that do not tell theirs. The search fills it in. */
  readonly zones?: DefaultZones | undefined;
  readonly near?: Circle | undefined;
  /** What is now, for words such as "open now". Without it the words of a text are not read for times. */
  readonly now?: Date | undefined;
  /** Too few records that match are filled with the best that match in part: on the first page. */
  readonly fill?: boolean | undefined;
  /** Only records that changed at or after this time (ISO 8601 UTC), in the order of their changes. */
  readonly updatedSince?: string | undefined;
  /** Default: by distance with `near`, else by relevance with `text`, else by id. */
  readonly sort?: Sort | undefined;
  readonly limit: number;
  /** Where the page begins: `next` of the page before. The rest of the request is the same. */
  readonly place?: SearchPlace | undefined;
  /** Leaves out this many of the first records. For paging by offset, without `openAt`. */
  readonly skip?: number | undefined;
  readonly facets?: readonly Facet[] | undefined;
  /** Counts all records found, up to this many and one more. Not with `openAt` or `near`. */
  readonly countUpTo?: number | undefined;
}

/** A day of the week, or that of an instant (ISO 8601 UTC) where the place is. */
export type OpenOn = { readonly day: Weekday } | { readonly instant: string };

/** What the words of a text said of where and when, as it was understood on the first page. */
export interface WordsRead {
  readonly openAt?: string | undefined;
  readonly openOn?: OpenOn | undefined;
  /** Around the place that the words name, where the pages are of that. */
  readonly around?: Circle | undefined;
}

/** A place that stands in a text, as words, and the text without it. */
export interface PlaceInWords {
  readonly name: string;
  readonly text: string;
}

/**
 * What the records of a page agree in: all that was typed; without the time or the place of the words, then around that
 * place; in some of the words.
 */
export type Agreement = 'all' | 'without time' | 'around' | 'part';

export const facetNames = ['category', 'city', 'language'] as const;
export type Facet = (typeof facetNames)[number];

/** The last record of a page in the order of its search, and the query as it was understood on the first page. */
export interface SearchPlace {
  readonly query?: ExpandedQuery | undefined;
  /** Set when no record has all words. */
  readonly least?: Least | undefined;
  readonly read?: WordsRead | undefined;
  /** The place that the words name. */
  readonly placeInWords?: PlaceInWords | undefined;
  /** Absent: all. */
  readonly agreement?: Agreement | undefined;
  /** The rank of the ranking. */
  readonly rank: number;
  readonly number: number;
  readonly distanceKm?: number | undefined;
  /** Of records at one distance, those of another kind than the words ask for come last. */
  readonly otherKind?: true | undefined;
  /** In the order of changes. */
  readonly updatedAt?: string | undefined;
  /** Records that changed later are left out, because they may have been on a page before. Not in the order of ids. */
  readonly newest?: string | undefined;
}

export interface Hit {
  /** The integer id. */
  readonly number: number;
  /** To its nearest place. With `near`. */
  readonly distanceKm?: number;
  /** Of that place only the postal code or the town is known. */
  readonly approximate?: true;
  /** The coordinates of that place, where it has some. */
  readonly point?: Point;
  /**
   * Its rank, or its distance and whether it is of a kind that the words ask for. Records that follow each other and have
   * this in common differ for the search by their ids alone. Absent in an order in which nothing is equal.
   */
  readonly equals?: string;
}

export interface SearchPage {
  readonly hits: readonly Hit[];
  /** Undefined on the last page. */
  readonly next: SearchPlace | undefined;
  /** The page ended at the bound of records examined: on the next pages there may be more, or none. */
  readonly mayHaveMore?: true;
  /** From this place in `hits` on, records agree only in a part of what was typed. Absent: all agree. */
  readonly partialFrom?: number | undefined;
  /** The words name a place close to whoever asks, and nobody said where that is. */
  readonly asksForHere?: boolean | undefined;
  /** The place that the words name. */
  readonly placeInWords?: PlaceInWords | undefined;
  /** The words ask for what is open now or today: a minute later the page may be another one. */
  readonly ofThisInstant?: boolean | undefined;
  /** The text in a better spelling, which was searched for as well. */
  readonly didYouMean?: string | undefined;
  /** More than `countUpTo` means: at least so many. */
  readonly total?: number | undefined;
  readonly facets?: Facets | undefined;
}

export type Facets = Readonly<Partial<Record<Facet, readonly FacetCount[]>>>;

export interface FacetCount {
  /** The value of the filter. */
  readonly value: string;
  readonly count: number;
}
