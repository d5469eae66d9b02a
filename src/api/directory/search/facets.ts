import type { TermQuery } from '../../../stores/documents/port.ts';
import { readFacets } from '../../../projections/directory/search/facets.ts';
import { inReach } from './conditions.ts';
import type { Facet, FacetCount, Facets, SearchRequest } from './request.ts';
import type { Candidate, SearchIndex } from './search-index.ts';

/** Facets are counted over so many records; a count that could be higher is then of these alone. */
export const mostCounted = 1_000;
/** The most frequent values of a facet. */
const mostValues = 50;

/** What counting has read: it tells the number of records found as well. */
export interface Counted {
  readonly facets: Facets;
  /** At most one more than `mostCounted`. With `near`, those in the cells of its circle. */
  readonly found: number;
}

/** How many of the records found have each value: of the first `mostCounted` in the order of ids. */
export async function countFacets(
  index: SearchIndex,
  union: TermQuery,
  request: SearchRequest,
  facets: readonly Facet[],
): Promise<Counted> {
  const also = [
    ...(request.near ? (['places'] as const) : []),
    ...(facets.some((facet) => facet !== 'category') ? (['facets'] as const) : []),
  ];
  const found = await index.candidates(union, mostCounted + 1, { also });
  const counted = found.slice(0, mostCounted).filter((candidate) => inReach(candidate, request, undefined));
  return {
    facets: Object.fromEntries(facets.map((facet) => [facet, countsOf(counted, facet)])),
    found: found.length,
  };
}

function countsOf(records: readonly Candidate[], facet: Facet): FacetCount[] {
  const counts = new Map<string, number>();
  for (const record of records) {
    for (const value of new Set(valuesOf(record, facet))) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1))
    .slice(0, mostValues);
}

function valuesOf({ category, facets }: Candidate, facet: Facet): readonly string[] {
  if (facet === 'category') return [category];
  if (facets === undefined) return [];
  const { cities, languages } = readFacets(facets);
  return facet === 'city' ? cities : languages;
}
