import type { ServerDependencies } from '../../dependencies.ts';
import { ResponseCache, responseOf, type CachedResponse } from '../../http/caching/cached-response.ts';
import { etagOf } from '../../http/caching/etag.ts';
import { StampedCache } from '../../http/caching/stamped-cache.ts';
import type { Filter } from '../cursor.ts';
import type { LegacyQuery } from './legacy-query.ts';
import { ResourceQueries, type Page } from '../resource-queries.ts';

const keptBytes = 16 * 1024 * 1024;
/** Totals that are cached while the collection does not change. */
const keptTotals = 1_000;
/** A search counts no more matches than this: each must be read, and many queries match everything. */
const countedMatches = 1_000;

/**
 * A page of the legacy list with its total, in the developer tier for every key, with names as their sources
 * write them (interface 2.1, 2.2).
 */
export function legacyListOf(
  dependencies: Pick<ServerDependencies, 'documents' | 'personal'>,
): (query: LegacyQuery) => Promise<CachedResponse> {
  const pages = new ResourceQueries(dependencies);
  const responses = new ResponseCache(keptBytes);
  const totals = new StampedCache<number>({ max: keptTotals });

  return async (query) => {
    const stamp = await pages.searchStamp();
    const key = JSON.stringify([query.filter, query.limit, query.offset]);
    const kept = responses.get(key, stamp);
    if (kept) return kept;

    const { records, next, total } = await (query.filter.words === undefined
      ? listed(query, stamp)
      : found(query));
    const counted = total === undefined ? '' : `,"total":${total}`;
    const body = `{"data":[${records.join(',')}],"has_more":${next !== undefined}${counted}}`;
    const response = responseOf(body, etagOf('legacy', key, body));
    responses.put(key, stamp, response);
    return response;
  };

  type PageAndTotal = Page & { readonly total: number | undefined };

  async function listed(
    { filter, limit, offset }: LegacyQuery,
    stamp: string | undefined,
  ): Promise<PageAndTotal> {
    const total = await totalOf(filter, stamp);
    // Past the end: nothing to read.
    if (offset >= total) return { records: [], next: undefined, total };
    return { ...(await pages.read({ filter, tier: 'legacy', limit, skip: offset })), total };
  }

  function found({ filter, limit, offset }: LegacyQuery): Promise<PageAndTotal> {
    return pages.foundAndCounted({ filter, tier: 'legacy', limit, skip: offset }, countedMatches);
  }

  /** The total for this stamp. */
  async function totalOf(filter: Filter, stamp: string | undefined): Promise<number> {
    const key = JSON.stringify(filter);
    const known = totals.get(key, stamp);
    if (known !== undefined) return known;
    const total = await pages.count(filter);
    totals.put(key, stamp, total);
    return total;
  }
}
