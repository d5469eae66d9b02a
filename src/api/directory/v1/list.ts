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
import { cursors, type Place } from '../cursor.ts';
import { insufficientScope } from '../../http/key-guard.ts';
import { listPath } from '../../read-api.ts';
import { readListQuery, type ListQuery, type SearchListQuery } from '../list-query.ts';
import { ResourceQueries, type Page, type Tier } from '../resource-queries.ts';
import { DeveloperPages, type RenderedPage, type RenderedRecord } from './developer-pages.ts';
import { searchListOf } from './search-list.ts';

/** Memory for cached pages. */
const listedBytes = 24 * 1024 * 1024;

/** Memory for the queries of cached pages. */
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
  const developerPages = new DeveloperPages(pages);
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
    const text = `${caller.audience} ${caller.team ?? ''} ${target}`;
    const before = queries.get(text);
    const query = before ?? read(target, caller);
    if (query.search) return searches.answer(query.search, caller);
    const { key, list } = query;
    if (list.filter.status !== undefined && !caller.scopes.has('directory:manage')) {
      throw insufficientScope('directory:manage');
    }
    const kept = listed.get(key, stamp);
    if (!kept) return make(key, caller, list, stamp);
    // To read a query and its cursor is a tenth of the cost of a cached page, and of one that nobody asks for again lost.
    if (!before) queries.set(text, query);
    return kept;
  }

  function read(target: string, caller: Caller): ReadQuery {
    const query = readListQuery(target, caller.team, { lists: sealing, searches: searches.cursors });
    return 'list' in query ? { ...query, key: keyOf(caller, query.list) } : query;
  }

  async function make(
    key: string,
    caller: Caller,
    query: ListQuery,
    stamp: string | undefined,
  ): Promise<CachedResponse> {
    const tier = tierOf(caller);
    const answer =
      tier === 'developer' && query.filter.status === undefined
        ? rendered(query, await developerPages.read(query, stamp))
        : joined(tier, query, await pages.read({ ...query, tier }));
    listed.put(key, stamp, answer);
    return answer;
  }

  // Validators are made from the content: the stamp also changes with what a caller cannot see, such as drafts of others.

  function rendered(query: ListQuery, { records, next }: RenderedPage): CachedResponse {
    const { end, link } = endOf(query, next);
    const version = records.map((each) => each.version).join('');
    const etag = etagOf(frame, 'developer', query, version, end);
    return responseOfChecked(bytesOf(records, end), etag, link);
  }

  function joined(tier: Tier, query: ListQuery, { records, next }: Page): CachedResponse {
    const { end, link } = endOf(query, next);
    const body = `${beginning}${records.join(',')}${end}`;
    return responseOf(body, etagOf(tier, query, body), link);
  }

  /** What follows the records of a page, and its Link header. */
  function endOf({ filter, limit }: ListQuery, next: Place | undefined) {
    if (!next) return { end: '],"has_more":false,"next_cursor":null}', link: undefined };
    const cursor = sealing.seal({ filter, place: next });
    const end = `],"has_more":true,"next_cursor":"${cursor}"}`;
    return { end, link: `<${base}?limit=${limit}&cursor=${cursor}>; rel="next"` };
  }
}

const beginning = '{"data":[';
const comma = 0x2c;

/** The page as it is sent. */
function bytesOf(records: readonly RenderedRecord[], end: string): Buffer {
  let length = beginning.length + end.length + Math.max(0, records.length - 1);
  for (const { bytes } of records) length += bytes.length;
  const page = Buffer.allocUnsafe(length);
  let at = page.write(beginning, 'latin1');
  records.forEach(({ bytes }, index) => {
    if (index > 0) page[at++] = comma;
    page.set(bytes, at);
    at += bytes.length;
  });
  page.write(end, at, 'latin1');
  return page;
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
