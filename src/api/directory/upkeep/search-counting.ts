import type { FastifyInstance, FastifyRequest } from 'fastify';
import { flushSeconds, SearchCounts } from '../../../needs/search-counts.ts';
import { otherWords } from '../../../needs/need.ts';
import { cityKey } from '../../../projections/directory/search-keys.ts';
import { resourceSearch } from '../../../projections/directory/resource-search.ts';
import type { ServerDependencies } from '../../dependencies.ts';
import { SearchIndex } from '../search/search-index.ts';
import { needOfSearch, type SearchedFor } from './need-of-search.ts';

/** A search that was made, and whether something has all that was asked for. */
export interface Searched extends SearchedFor {
  readonly found: boolean;
}

/** Counts what people look for on the public pages and in the widget. No cookie, and no text that somebody typed. */
export interface SearchCounting {
  /**
   * Counts a search on a page, and returns what its links to records say of it. Undefined: it is not counted. `again`: a
   * later page of a search that was counted.
   */
  onPage(request: FastifyRequest, searched: Searched, again: boolean): Promise<string | undefined>;
  /** Counts what somebody typed into the widget. Whose words nobody knows are mostly not typed to their end. */
  inWidget(request: FastifyRequest, searched: Searched): Promise<void>;
  /** Counts that a record was opened from a list of results. */
  opened(request: FastifyRequest, via: string | null): void;
}

/** Programs that say so of themselves. Others count as people do: once for each network, thing and day. */
const program = /bot\b|crawl|spider|slurp|preview|archiver/i;

const isPerson = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' &&
  !program.test(headers['user-agent'] ?? '') &&
  // A browser that fetches a page before somebody opens it.
  headers['sec-purpose'] === undefined &&
  headers['purpose'] !== 'prefetch';

/** Counts of a server: written every few seconds while it runs, and once more when it closes. */
export function countSearches(
  server: FastifyInstance,
  { side, masterKey, documents, config, now = () => new Date() }: ServerDependencies,
): SearchCounting {
  const counts = new SearchCounts({ side, masterKey, now, counts: config.countSearches });
  const index = new SearchIndex(documents.collection(resourceSearch.collection));
  const hasTown = (name: string): Promise<boolean> => {
    const key = cityKey(name);
    return key === '' ? Promise.resolve(false) : index.hasAny([`y${key}`]);
  };
  let failing = false;
  /** People search whether or not the searches can be counted. */
  const trying = async <Result>(work: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      const done = await work();
      failing = false;
      return done;
    } catch (error) {
      if (!failing) server.log.warn(error, 'What people look for could not be counted or written yet.');
      failing = true;
      return undefined;
    }
  };
  const flushing = setInterval(() => void trying(() => counts.flush()), flushSeconds * 1_000).unref();
  server.addHook('onClose', async () => {
    clearInterval(flushing);
    await trying(() => counts.flush());
  });
  return {
    async onPage(request, { found, ...search }, again) {
      if (!counts.counts || !isPerson(request)) return undefined;
      return trying(async () => {
        const need = await needOfSearch(search, hasTown);
        if (!need) return undefined;
        return again ? counts.linkOf(need, request.ip) : counts.search(need, request.ip, found);
      });
    },
    async inWidget(request, { found, ...search }) {
      if (!counts.counts || !isPerson(request)) return;
      await trying(async () => {
        const need = await needOfSearch(search, hasTown);
        if (need && need.words[0] !== otherWords) await counts.search(need, request.ip, found, false);
      });
    },
    opened(request, via) {
      if (via === null || !counts.counts || !isPerson(request)) return;
      void trying(() => counts.opened(via, request.ip));
    },
  };
}
