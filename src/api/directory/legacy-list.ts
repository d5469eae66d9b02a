import type { ServerDependencies } from '../dependencies.ts';
import { ResponseCache, responseOf, type CachedResponse } from '../http/responses/cached-response.ts';
import { etagOf } from '../http/responses/etag.ts';
import { StampedCache } from '../http/responses/stamped-cache.ts';
import { CurrentZones } from './default-zones.ts';
import { RecordSearch, type FoundRecords } from './found-records.ts';
import { ResourceQueries } from './resource-queries.ts';
import type { LegacyQuery } from './legacy-query.ts';
import { inWords } from './legacy-words.ts';
import { distanceUnits } from './pages/find/distance-units.ts';
import { defaultRadiusKm } from './search/search-query.ts';
import { defined } from '../../ground/defined.ts';
import type { Searched } from './upkeep/search-counting.ts';
import type { Circle } from './search/request.ts';

const keptBytes = 16 * 1024 * 1024;
/** Totals that are cached while the collection does not change. */
const keptTotals = 1_000;
/** A search counts no more matches than this: many queries match everything. */
const countedMatches = 1_000;
/** Around a place no more records are passed over: they are found anew for each page. */
const mostPassedNear = 1_000;

/** A page, and what is counted of its search where there was one. */
export interface LegacyAnswer extends CachedResponse {
  readonly searched?: Omit<Searched, 'text' | 'near' | 'category'>;
}

interface LegacyPage {
  readonly records: readonly string[];
  readonly searched?: LegacyAnswer['searched'];
  readonly hasMore: boolean;
  /** Left out where it would cost too much to count. */
  readonly total: number | undefined;
}

/**
 * A page of the legacy list with its total, in the developer tier for every key, with names as their sources
 * write them (interface 2.1, 2.2); with a language, as the pages show them.
 */
export function legacyListOf(
  dependencies: Pick<ServerDependencies, 'documents' | 'personal' | 'config' | 'now'>,
): (query: LegacyQuery) => Promise<LegacyAnswer> {
  const queries = new ResourceQueries(dependencies);
  const search = new RecordSearch(dependencies);
  const zones = new CurrentZones(dependencies);
  const { documents, now = () => new Date() } = dependencies;
  const staleAfter = dependencies.config.staleAfterDays;
  const unitFor = distanceUnits({ documents, now });
  const responses = new ResponseCache(keptBytes);
  const totals = new StampedCache<number>({ max: keptTotals });

  return async (query) => {
    const { category, text, near, team, language, limit, offset } = query;
    const isPlain = text === undefined && near === undefined && team === undefined;
    const stamp = await (isPlain ? stampOfList() : search.stamp());
    // What is said of a confirmation in words changes with the day.
    const day = language === undefined ? undefined : Math.floor(now().getTime() / dayMs);
    const key = JSON.stringify([category, text, near, team, language, limit, offset, day]);
    const kept = responses.get(key, stamp);
    if (kept) return kept;
    const circle = near === undefined ? undefined : await circleNamed(near);
    const { records, hasMore, total, searched } = await (text === undefined && team === undefined && !circle
      ? listed(query, stamp)
      : found(query, circle));
    const shown =
      language === undefined
        ? records
        : inWords(records, language, await unitFor(), circle, search.search, { staleAfter, now: now() });
    const more = {
      ...(total === undefined ? {} : { total }),
      ...(near === undefined ? {} : { near: circle ? placeOf(circle) : null }),
    };
    const rest = JSON.stringify(more).slice(1, -1);
    const body = `{"data":[${shown.join(',')}],"has_more":${hasMore}${rest === '' ? '' : `,${rest}`}}`;
    const response: LegacyAnswer = {
      ...responseOf(body, etagOf('legacy', key, body)),
      ...defined({ searched }),
    };
    responses.put(key, stamp, response);
    return response;
  };

  async function stampOfList(): Promise<string | undefined> {
    const [records, teams] = await Promise.all([queries.stamp(), zones.stamp()]);
    return records === undefined || teams === undefined ? undefined : `${records} ${teams}`;
  }

  async function listed(
    { category, language, limit, offset }: LegacyQuery,
    stamp: string | undefined,
  ): Promise<LegacyPage> {
    const total = await totalOf(category, stamp);
    // Past the end: nothing to read.
    if (offset >= total) return { records: [], hasMore: false, total };
    const page = await queries.read({
      filter: { category },
      tier: formFor(language),
      limit,
      skip: offset,
      zones: await zones.now(),
    });
    return { records: page.records, hasMore: page.next !== undefined, total };
  }

  async function circleNamed(near: string): Promise<Circle | undefined> {
    const place = await search.search.placeNamed(near);
    return place && { latitude: place.latitude, longitude: place.longitude, radiusKm: defaultRadiusKm };
  }

  async function found(
    { category, text, team, language, limit, offset }: LegacyQuery,
    near?: Circle,
  ): Promise<LegacyPage> {
    if (near) {
      if (offset > mostPassedNear) return { records: [], hasMore: false, total: undefined };
      const around = { category, text, team, near, limit, skip: offset };
      const found = await search.read(around, formFor(language), { zoned: true });
      const { records, next, mayHaveMore } = found;
      return {
        records,
        searched: searchedOf(found, near),
        hasMore: (next !== undefined || mayHaveMore === true) && offset + limit <= mostPassedNear,
        total: undefined,
      };
    }
    const request = { category, text, team, limit, skip: offset, countUpTo: countedMatches };
    const found = await search.read(request, formFor(language), { zoned: true });
    const { records, next, total = 0 } = found;
    return {
      records,
      searched: searchedOf(found),
      hasMore: next !== undefined,
      total: total > countedMatches ? undefined : total,
    };
  }

  /** The total for this stamp. */
  async function totalOf(category: string | undefined, stamp: string | undefined): Promise<number> {
    const key = category ?? '';
    const cached = totals.get(key, stamp);
    if (cached !== undefined) return cached;
    const total = await queries.count({ category });
    totals.put(key, stamp, total);
    return total;
  }
}

const searchedOf = (
  { records, partialFrom, didYouMean, placeInWords }: FoundRecords,
  at?: Circle,
): NonNullable<LegacyAnswer['searched']> => ({
  found: records.length > 0 && partialFrom !== 0,
  ...defined({ didYouMean, placeInWords, at }),
});

const dayMs = 86_400_000;

const placeOf = ({ latitude, longitude, radiusKm }: Circle) => ({ latitude, longitude, radius_km: radiusKm });

/** What is said in a language is for people: names are as the pages show them. */
const formFor = (language: string | undefined) => (language === undefined ? 'legacy' : 'developer');
