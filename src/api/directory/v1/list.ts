import { LRUCache } from 'lru-cache';
import { tierOf, type Caller } from '../../http/key-lookup.ts';
import { baseOf, type ServerDependencies } from '../../dependencies.ts';
import { etagOf } from '../../http/responses/etag.ts';
import {
  responseOf,
  responseOfChecked,
  ResponseCache,
  type CachedResponse,
} from '../../http/responses/cached-response.ts';
import { ReadOncePerTurn } from '../../http/responses/read-once-per-turn.ts';
import { cursors } from '../cursor.ts';
import { insufficientScope } from '../../http/key-guard.ts';
import { listPath } from '../../read-api.ts';
import { readListQuery, type ListQuery, type SearchListQuery } from '../list-query.ts';
import { ResourceQueries } from '../resource-queries.ts';
import { searchListOf } from './search-list.ts';

/** Memory for cached pages. */
const listedBytes = 24 * 1024 * 1024;
/** Memory for cached queries. */
const queriesBytes = 2 * 1024 * 1024;
/** The size of a cached query without its texts. */
const queryOverheadBytes = 512;

/** The form of a page around its records, in validators that are not made from the whole body. Raise it with the form. */
const frame = '1';

export interface List {
  /** The stamp of the collection, for a request over this connection. Call it when the request arrives. */
  stamp(connection: object): Promise<string | undefined>;
  /** Answers a request. `stamp` was read after the request had arrived. @throws Problem, BadQuery */
  answer(target: string, caller: Caller, stamp: string | undefined): Promise<CachedResponse>;
}

/**
 * The list. A page is joined from records that were rendered when they changed. Its response is cached by audience and
 * query until anything in the collection changes.
 */
export function listOf(dependencies: ServerDependencies): List {
  const sealing = cursors(dependencies.masterKey);
  const pages = new ResourceQueries(dependencies);
  const stamps = new ReadOncePerTurn(() => pages.stamp());
  const base = baseOf(dependencies) + listPath;
  const listed = new ResponseCache(listedBytes);
  const searches = searchListOf(dependencies);
  const queries = new LRUCache<string, ReadQuery>({
    maxSize: queriesBytes,
    sizeCalculation: (_, text) => 4 * text.length + queryOverheadBytes,
  });

  return { stamp: (connection) => stamps.for(connection), answer };

  async function answer(target: string, caller: Caller, stamp: string | undefined): Promise<CachedResponse> {
    const query = read(target, caller);
    if (query.search) return searches.answer(query.search, caller);
    const { key, list } = query;
    if (list.filter.status !== undefined && !caller.scopes.has('directory:manage')) {
      throw insufficientScope('directory:manage');
    }
    return listed.get(key, stamp) ?? make(key, caller, list, stamp);
  }

  /** Caches parsed queries: parsing a query and its cursor is a tenth of the cost of a cached page. */
  function read(target: string, caller: Caller): ReadQuery {
    const text = `${caller.audience} ${caller.team ?? ''} ${target}`;
    const before = queries.get(text);
    if (before) return before;
    const query = readListQuery(target, caller.team, { lists: sealing, searches: searches.cursors });
    const now = 'list' in query ? { ...query, key: keyOf(caller, query.list) } : query;
    queries.set(text, now);
    return now;
  }

  async function make(
    key: string,
    caller: Caller,
    query: ListQuery,
    stamp: string | undefined,
  ): Promise<CachedResponse> {
    const tier = tierOf(caller);
    const page = await pages.read({ ...query, tier });
    const next = page.next && sealing.seal({ filter: query.filter, place: page.next });
    const end = next === undefined ? 'false,"next_cursor":null' : `true,"next_cursor":"${next}"`;
    const body = `{"data":[${page.records.join(',')}],"has_more":${end}}`;
    const link = next && `<${base}?limit=${query.limit}&cursor=${next}>; rel="next"`;
    // From the content: the stamp also changes with what this caller cannot see, such as drafts of others.
    const answer =
      page.version === undefined
        ? responseOf(body, etagOf(tier, query, body), link)
        : responseOfChecked(body, etagOf(frame, tier, query, page.version, end), link);
    listed.put(key, stamp, answer);
    return answer;
  }
}

/** A query as it was read: of a list with the key of its answer, or of a search. */
type ReadQuery =
  | { readonly key: string; readonly list: ListQuery; readonly search?: undefined }
  | { readonly search: SearchListQuery };

/** The same for all callers that see the same, and for all spellings of a query. */
const keyOf = ({ audience }: Caller, { filter, place, limit }: ListQuery): string => {
  const { category, updatedSince, status, team } = filter;
  return JSON.stringify([audience, limit, place, category, updatedSince, status, team]);
};
