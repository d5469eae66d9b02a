import type { Facets } from '../../search/request.ts';
import type { Search } from '../../search/search.ts';

/** How long the answer holds, in milliseconds. */
const keptMs = 10 * 60_000;

/**
 * The cities and languages of the directory, for filters of a search that counts none of its own: reading a thousand
 * records for their values costs as much as all the rest of a page.
 */
export function directoryChoices(search: Search): (now: Date) => Promise<Facets> {
  let kept: { readonly facets: Facets; readonly until: number } | undefined;
  return async (now) => {
    if (kept && kept.until > now.getTime()) return kept.facets;
    const { hits, facets = {} } = await search.find({ limit: 1, facets: ['city', 'language'] });
    if (hits.length > 0) kept = { facets, until: now.getTime() + keptMs };
    return facets;
  };
}
