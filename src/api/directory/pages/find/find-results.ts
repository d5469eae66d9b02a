import type { UnsealedFields } from '../../../../events/directory/resource-fields.ts';
import { defined } from '../../../../ground/defined.ts';
import { fieldsOfShown } from '../../../../projections/directory/document-fields.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import { hoursZoneMember } from '../../default-zones.ts';
import { RecordSearch, type FoundRecords } from '../../found-records.ts';
import { requestOf, settle, type SearchQuery, type Settled } from '../../search/search-query.ts';
import { facetNames, type Circle, type Facets, type PlaceInWords } from '../../search/request.ts';
import { searchCursors } from '../../search/search-cursor.ts';
import { searchQueryOf, type FindQuery } from './find-query.ts';
import type { Result } from './result.ts';
import type { Search } from '../../search/search.ts';
import { directoryOffers, type Offers } from './offers.ts';
import { waysOn, type WaysOn } from './ways-on.ts';

/** Results of one page. */
export const pageSize = 20;
/** More results are not counted. */
export const mostCounted = 1_000;
/** A page that goes on from one before shows what was open then. After this many milliseconds it begins again. */
const openForMs = 30 * 60_000;

/** What a page of results shows. */
export interface FindResults {
  readonly results: readonly Result[];
  readonly facets: Facets;
  /** The numbers of the facets are those of the search. */
  readonly facetsExact: boolean;
  /** Absent where it is not known. */
  readonly count?: { readonly atLeast: number; readonly more: boolean };
  /** The cursor of the next page. */
  readonly next?: string;
  /** The page ended at the bound of records examined. */
  readonly mayHaveMore: boolean;
  readonly didYouMean?: string;
  /** From this result on, they agree only in a part of what was typed. */
  readonly partialFrom?: number;
  /** The words ask for what is close, and nobody said where that is. */
  readonly asksForHere: boolean;
  /** What filters can find something. */
  readonly offers: Offers;
  /** Where nothing was found. */
  readonly waysOn?: WaysOn;
  /** Where it was searched. */
  readonly near?: Circle;
  /** The place that the words name. */
  readonly placeInWords?: PlaceInWords;
  /** Nobody knows the place that was asked for: it was searched everywhere. */
  readonly unknownPlace: boolean;
  /** Not the first page. */
  readonly continued: boolean;
  /** The address was of a later page whose results are too old: these are the first ones. */
  readonly expired: boolean;
}

type Dependencies = Pick<ServerDependencies, 'documents' | 'personal' | 'config' | 'masterKey'>;

/** Finds what an address asks for, with one search and one read of records. */
export function findResults(
  dependencies: Dependencies,
): (query: FindQuery, now: Date) => Promise<FindResults> {
  const records = new RecordSearch(dependencies);
  const cursors = searchCursors(dependencies.masterKey);
  const choices = directoryChoices(records.search);
  const offers = directoryOffers(records.search);

  return async (query, now) => {
    const whole = searchQueryOf(query);
    const after = query.cursor === undefined ? undefined : cursors.open(query.cursor);
    const continues = after !== undefined && isSame(after.wanted, whole);
    const expired = continues && isOld(after.settled, now);
    const continued = continues && !expired;
    const there = continued ? after.settled : await settle(whole, records.search, now);
    const wanted = there === undefined ? withoutPlace(whole) : whole;
    const unknownPlace = there === undefined;
    const marks = { unknownPlace, continued, expired };
    const offered = await offers(now);
    const ways = (near: Circle | undefined) => waysOn(query, near, offered, records.search, now);
    if (unknownPlace && Object.keys(wanted).length === 0)
      return { ...nothing, ...marks, offers: offered, waysOn: await ways(undefined) };
    const settled = there ?? (await settle(wanted, records.search, now)) ?? {};
    const counts = isCounted(wanted) && !continued;
    const found = await records.read(
      {
        ...requestOf(wanted, settled),
        limit: pageSize,
        place: continued ? after.place : undefined,
        now,
        fill: true,
        ...(counts && { facets: facetNames, countUpTo: mostCounted }),
      },
      'developer',
      { zoned: true },
    );
    return {
      ...marks,
      results: found.records.map((record) => resultOf(record, settled.near, records.search)),
      facets: found.facets ?? (await choices(now)),
      facetsExact: counts,
      ...countOf(found, wanted, continued),
      ...(found.next && { next: cursors.seal({ wanted, settled, place: found.next }) }),
      mayHaveMore: found.mayHaveMore === true,
      asksForHere: found.asksForHere === true,
      offers: offered,
      ...(found.records.length === 0 && !continued ? { waysOn: await ways(settled.near) } : {}),
      ...defined({ didYouMean: found.didYouMean, partialFrom: found.partialFrom, near: settled.near }),
      ...defined({ placeInWords: found.placeInWords }),
    };
  };
}

const nothing = { results: [], facets: {}, facetsExact: false, mayHaveMore: false, asksForHere: false };

const withoutPlace = ({ near: _near, radiusKm: _radius, sort: _sort, ...rest }: SearchQuery): SearchQuery =>
  rest;

const isSame = (one: SearchQuery, other: SearchQuery): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const isOld = ({ openAt }: Settled, now: Date): boolean =>
  openAt !== undefined && now.getTime() - Date.parse(openAt) > openForMs;

/**
 * Whether the search counts what it lists. What is open is not counted, and with words and a place the list leaves out
 * what only agrees in its description where something agrees better.
 */
const isCounted = ({ openAt, near, text }: SearchQuery): boolean =>
  openAt === undefined && (near === undefined || text === undefined);

function countOf(found: FoundRecords, wanted: SearchQuery, continued: boolean): Pick<FindResults, 'count'> {
  const { next, mayHaveMore, total, facets, records } = found;
  if (!continued && next === undefined && !mayHaveMore)
    return { count: { atLeast: found.partialFrom ?? records.length, more: false } };
  if (total === undefined) return {};
  const more = total > mostCounted;
  if (wanted.near === undefined) return { count: { atLeast: Math.min(total, mostCounted), more } };
  // The total is that of the cells around the place. Each record within the radius has one category.
  const within = (facets?.category ?? []).reduce((sum, { count }) => sum + count, 0);
  return { count: { atLeast: within, more } };
}

interface ShownRecord {
  readonly svc_id: string;
  readonly distance_km?: number;
  readonly distance_approximate?: true;
}

function resultOf(record: string, near: Circle | undefined, search: Search): Result {
  const shown = JSON.parse(record) as Readonly<Record<string, unknown>>;
  const {
    svc_id: svcId,
    distance_km: distanceKm,
    distance_approximate: approximate,
  } = shown as unknown as ShownRecord;
  const zone = shown[hoursZoneMember] as string | undefined;
  const fields: UnsealedFields = { ...fieldsOfShown(shown), ...defined({ time_zone: zone }) };
  const location = near && search.nearestLocation(fields.locations ?? [], near);
  return { svcId, fields, ...defined({ distanceKm, approximate, location }) };
}

/** How long the answer holds, in milliseconds. */
const keptMs = 10 * 60_000;

/**
 * The cities and languages of the directory, for filters of a search that counts none of its own: reading a thousand
 * records for their values costs as much as all the rest of a page.
 */
function directoryChoices(search: Search): (now: Date) => Promise<Facets> {
  let kept: { readonly facets: Facets; readonly until: number } | undefined;
  return async (now) => {
    if (kept && kept.until > now.getTime()) return kept.facets;
    const { hits, facets = {} } = await search.find({ limit: 1, facets: ['city', 'language'] });
    if (hits.length > 0) kept = { facets, until: now.getTime() + keptMs };
    return facets;
  };
}
