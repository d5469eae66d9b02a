import type { ServerDependencies } from '../../dependencies.ts';
import { StampedCache } from '../../http/responses/stamped-cache.ts';
import type { Filter, Place } from '../cursor.ts';
import { RecordSearch } from '../found-records.ts';
import { ResourceQueries, type Tier } from '../resource-queries.ts';
import type { ServicesQuery } from './query.ts';

export interface ServicesPage {
  /** Records as JSON. */
  readonly records: readonly string[];
  /** Of all pages. Undefined where it would cost too much to count. */
  readonly total: number | undefined;
  readonly hasMore: boolean;
}

/** Totals, and places at which pages begin, that are remembered while the collection does not change. */
const rememberedTotals = 1_000;
const rememberedPlaces = 20_000;
/** A search counts no more matches than this: each must be read, and many queries match everything. */
const countedMatches = 1_000;

/**
 * Pages by number. HSDS knows no cursors, so where a page begins is remembered when the one before it is read: a reader
 * who goes from page to page costs the same on each, and only a jump reads past what is skipped.
 */
export class ServicePages {
  readonly #queries: ResourceQueries;
  readonly #search: RecordSearch;
  readonly #totals = new StampedCache<number>({ max: rememberedTotals });
  readonly #places = new StampedCache<Place>({ max: rememberedPlaces });

  constructor(dependencies: Pick<ServerDependencies, 'documents' | 'personal' | 'config'>) {
    this.#queries = new ResourceQueries(dependencies);
    this.#search = new RecordSearch(dependencies);
  }

  /** What pages hold for. */
  stamp(): Promise<string | undefined> {
    return this.#search.stamp();
  }

  /** `stamp` was read after the request had arrived. */
  async read(
    { filter, text, page, perPage }: ServicesQuery,
    tier: Tier,
    stamp: string | undefined,
  ): Promise<ServicesPage> {
    if (filter === undefined) return { records: [], total: 0, hasMore: false };
    const skip = (page - 1) * perPage;
    if (text !== undefined) {
      const { category, updatedSince } = filter;
      const request = { text, category, updatedSince, limit: perPage, skip, countUpTo: countedMatches };
      const { records, next, total = 0 } = await this.#search.read(request, tier);
      // The total is that of the words: with a time there is none.
      const counted = updatedSince === undefined && total <= countedMatches ? total : undefined;
      return { records, total: counted, hasMore: next !== undefined };
    }
    const total = await this.#totalOf(filter, stamp);
    if (total !== undefined && skip >= total) return { records: [], total, hasMore: false };
    const place = this.#places.get(placeKey(filter, perPage, page), stamp);
    const start = place ? { place } : { skip };
    const { records, next } = await this.#queries.read({ filter, tier, limit: perPage, ...start });
    if (next) this.#places.put(placeKey(filter, perPage, page + 1), stamp, next);
    return { records, total, hasMore: next !== undefined };
  }

  async #totalOf(filter: Filter, stamp: string | undefined): Promise<number | undefined> {
    if (filter.updatedSince !== undefined) return undefined;
    const key = JSON.stringify([filter.category, filter.organization]);
    const cached = this.#totals.get(key, stamp);
    if (cached !== undefined) return cached;
    const total = await this.#queries.count(filter);
    this.#totals.put(key, stamp, total);
    return total;
  }
}

const placeKey = ({ category, organization, updatedSince }: Filter, perPage: number, page: number): string =>
  JSON.stringify([category, organization, updatedSince, perPage, page]);
