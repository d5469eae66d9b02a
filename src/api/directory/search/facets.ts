import type { TermQuery } from '../../../stores/documents/port.ts';
import { readFacets } from '../../../projections/directory/search-keys.ts';
import { inReach } from './conditions.ts';
import type { Geocoder } from './geocoder.ts';
import type { Facet, FacetCount, Facets, SearchRequest } from './request.ts';
import { readFor } from './read-ranks.ts';
import type { AlsoRead, SearchIndex } from './search-index.ts';
import type { Widest } from './search-index.ts';

/** Facets are counted over so many records; a count that could be higher is then of these alone. */
export const mostCounted = 1_000;
/** The most frequent values of a facet. */
const mostValues = 50;

/** Reads what facets are counted over, with what conditions compare. Once: the page looks at the same records. */
export function widestOf(
  index: SearchIndex,
  union: TermQuery,
  request: SearchRequest,
  facets: readonly Facet[],
): () => Promise<Widest> {
  const counts = facets.some((facet) => facet !== 'category');
  const also: AlsoRead = [...readFor(request), ...(counts ? (['facets'] as const) : [])];
  let reading: Promise<Widest> | undefined;
  const read = async () => {
    const candidates = await index.candidates(union, mostCounted + 1, { also });
    return { candidates, isAll: candidates.length <= mostCounted };
  };
  return () => (reading ??= read());
}

/** How many of the records found have each value: of the first `mostCounted` in the order of ids. */
export function countFacets(
  { candidates }: Widest,
  request: SearchRequest,
  facets: readonly Facet[],
  geocoder: Geocoder,
): Facets {
  const values = candidates
    .slice(0, mostCounted)
    .filter((candidate) => inReach(candidate, request, undefined, geocoder))
    .map(({ category, facets: written }) => ({
      category: [category],
      ...(written === undefined ? none : namesOf(readFacets(written))),
    }));
  return Object.fromEntries(facets.map((facet) => [facet, countsOf(values.map((each) => each[facet]))]));
}

type Values = Readonly<Record<Facet, readonly string[]>>;

const none = { city: [], language: [] };
const namesOf = ({
  cities,
  languages,
}: ReturnType<typeof readFacets>): Pick<Values, 'city' | 'language'> => ({
  city: cities,
  language: languages,
});

function countsOf(values: readonly (readonly string[])[]): FacetCount[] {
  const counts = new Map<string, number>();
  for (const each of values) {
    for (const value of each.length > 1 ? new Set(each) : each)
      counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1))
    .slice(0, mostValues);
}
