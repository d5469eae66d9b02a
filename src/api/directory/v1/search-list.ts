import { defined } from '../../../ground/defined.ts';
import { tierOf, type Caller } from '../../http/key-lookup.ts';
import { baseOf, type ServerDependencies } from '../../dependencies.ts';
import { resourceProblem } from '../../http/responses/api-errors.ts';
import { etagOf } from '../../http/responses/etag.ts';
import { responseOf, ResponseCache, type CachedResponse } from '../../http/responses/cached-response.ts';
import { RecordSearch, type FoundRecords } from '../found-records.ts';
import type { SearchListQuery } from '../list-query.ts';
import { listPath } from '../../read-api.ts';
import { requestOf, settle, type Settled } from '../search/search-query.ts';
import { searchCursors, type SearchCursors } from '../search/search-cursor.ts';

/** Memory for cached pages of searches. */
const keptBytes = 8 * 1024 * 1024;

export interface SearchList {
  readonly cursors: SearchCursors;
  /** @throws Problem unknown_place */
  answer(query: SearchListQuery, caller: Caller): Promise<CachedResponse>;
}

/** The list of resources where a search answers it. */
export function searchListOf(dependencies: ServerDependencies): SearchList {
  const cursors = searchCursors(dependencies.masterKey);
  const records = new RecordSearch(dependencies);
  const kept = new ResponseCache(keptBytes);
  const base = baseOf(dependencies) + listPath;
  const { now = () => new Date() } = dependencies;

  return {
    cursors,
    async answer(query, caller) {
      const key = JSON.stringify([caller.audience, query]);
      const stamp = await records.stamp();
      const before = kept.get(key, stamp);
      if (before) return before;
      const { wanted, after, facets, limit } = query;
      const settled = after?.settled ?? (await settle(wanted, records.search, now()));
      if (!settled) {
        throw resourceProblem(
          'unknown_place',
          'Nobody knows the place that near names. Look for it with q, or give latitude,longitude.',
        );
      }
      const tier = tierOf(caller);
      const found = await records.read(
        { ...requestOf(wanted, settled), limit, place: after?.place, facets, now: now(), fill: true },
        tier,
      );
      const next = found.next && cursors.seal({ wanted, settled, place: found.next });
      const body = bodyOf(found, settled, next);
      const link = next && `<${base}?limit=${limit}&cursor=${next}>; rel="next"`;
      const answer = responseOf(body, etagOf(tier, query, body), link);
      // "Now" is another instant with every request.
      if ((wanted.openAt !== 'now' && !found.ofThisInstant) || after) kept.put(key, stamp, answer);
      return answer;
    },
  };
}

function bodyOf(found: FoundRecords, { near }: Settled, next: string | undefined): string {
  const end = next === undefined ? 'false,"next_cursor":null' : `true,"next_cursor":"${next}"`;
  const place = near && { latitude: near.latitude, longitude: near.longitude, radius_km: near.radiusKm };
  const more = {
    ...(found.mayHaveMore ? { more_may_match: true } : {}),
    ...defined({
      partial_from: found.partialFrom,
      did_you_mean: found.didYouMean,
      near: place,
      facets: found.facets,
    }),
  };
  const rest = JSON.stringify(more).slice(1, -1);
  return `{"data":[${found.records.join(',')}],"has_more":${end}${rest === '' ? '' : `,${rest}`}}`;
}
