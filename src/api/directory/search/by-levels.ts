import { inReach, isOpenThen, isTimed, toldDistance } from './conditions.ts';
import type { Hit, SearchPage, SearchPlace, SearchRequest } from './request.ts';
import { fromBeginning, fromPlace, startAfter, type Levels } from './ranked.ts';
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
  readonly next: Pick<SearchPlace, 'level' | 'number' | 'distanceKm' | 'otherKind' | 'updatedAt'> | undefined;
};

/** A page of the records of these levels, one level after the other, each in the order of ids. */
export async function pageByLevels(
  index: SearchIndex,
  request: SearchRequest,
  levels: Levels,
  newest: string | undefined,
): Promise<Page> {
  const { limit, near, place } = request;
  const timed = isTimed(request);
  const together = !timed && !near ? limit + 1 : Math.max(examinedTogether, limit + 1);
  let skip = request.skip ?? 0;
  const start = place
    ? { level: place.level, after: place.number }
    : skip > mostPassed
      ? await startAfter(index, levels.levels, skip)
      : undefined;
  if (start) skip = 0;
  const ranked = start
    ? fromPlace(index, request, levels, start, together)
    : fromBeginning(index, request, levels, together + skip);
  const hits: (Hit & { readonly level: number })[] = [];
  let examined = 0;
  for await (const { candidate, level } of ranked) {
    if (skip > 0) {
      skip--;
      continue;
    }
    const passed = inReach(candidate, request, newest, index.geocoder);
    const { number } = candidate;
    if (passed && (!timed || isOpenThen(candidate, request))) {
      hits.push({ number, level, ...toldDistance(passed.distance) });
      if (hits.length > limit) return fullPage(hits, limit);
    }
    examined++;
    if (timed && examined >= mostExamined) {
      return { hits, next: { level, number }, mayHaveMore: true };
    }
  }
  return { hits, next: undefined };
}

function fullPage(hits: readonly (Hit & { readonly level: number })[], limit: number): Page {
  const shown = hits.slice(0, limit);
  const last = shown[limit - 1];
  return { hits: shown, next: last && { level: last.level, number: last.number } };
}
