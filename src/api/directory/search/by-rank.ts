import { inReach, isOpenThen, isTimed, distanceOfHit } from './conditions.ts';
import type { Hit, SearchPage, SearchPlace, SearchRequest } from './request.ts';
import { fromBeginning, fromPlace, startAfter, type Ranking } from './read-ranks.ts';
import type { SearchIndex } from './search-index.ts';

/** With conditions that the index cannot tell, a page examines at most this many records. */
export const mostExamined = 1_000;
/** Of how many records such conditions are looked at together. */
export const examinedTogether = 100;
/** More records than this are not read to be skipped, but counted. */
const mostPassed = 1_000;

export type Page = Pick<SearchPage, 'hits' | 'mayHaveMore'> & {
  /** There are records, though all may stand before the page. */
  readonly passedSome?: boolean;
  readonly next: Pick<SearchPlace, 'rank' | 'number' | 'distanceKm' | 'otherKind' | 'updatedAt'> | undefined;
};

/** A page of the records of these ranks, one rank after the other, each in the order of ids. */
export async function pageByRank(
  index: SearchIndex,
  request: SearchRequest,
  ranking: Ranking,
  newest: string | undefined,
): Promise<Page> {
  const { limit, near, place } = request;
  const timed = isTimed(request);
  const together = !timed && !near ? limit + 1 : Math.max(examinedTogether, limit + 1);
  let skip = request.skip ?? 0;
  const start = place
    ? { rank: place.rank, after: place.number }
    : skip > mostPassed
      ? await startAfter(index, ranking.ranks, skip)
      : undefined;
  if (start) skip = 0;
  const ranked = start
    ? fromPlace(index, request, ranking, start, together)
    : fromBeginning(index, request, ranking, together + skip);
  const hits: (Hit & { readonly rank: number })[] = [];
  let examined = 0;
  for await (const { candidate, rank } of ranked) {
    if (skip > 0) {
      skip--;
      continue;
    }
    const passed = inReach(candidate, request, newest, index.geocoder);
    const { number } = candidate;
    if (passed && (!timed || isOpenThen(candidate, request))) {
      const equals = ranking.ranks.length > 1 ? { equals: String(rank) } : {};
      hits.push({ number, rank, ...equals, ...distanceOfHit(passed.distance) });
      if (hits.length > limit) return fullPage(hits, limit);
    }
    examined++;
    if (timed && examined >= mostExamined) {
      return { hits, next: { rank, number }, mayHaveMore: true };
    }
  }
  return { hits, next: undefined };
}

function fullPage(hits: readonly (Hit & { readonly rank: number })[], limit: number): Page {
  const shown = hits.slice(0, limit);
  const last = shown[limit - 1];
  return { hits: shown, next: last && { rank: last.rank, number: last.number } };
}
