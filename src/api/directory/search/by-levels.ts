import type { TermQuery } from '../../../stores/documents/port.ts';
import { inReach, isOpenAt } from './conditions.ts';
import type { Hit, SearchPage, SearchPlace, SearchRequest } from './request.ts';
import type { SearchIndex } from './search-index.ts';

/** With conditions that the index cannot tell, a page examines at most this many records. */
export const mostExamined = 1_000;
/** Of how many records such conditions are looked at together. */
const examinedTogether = 100;

export type Page = Pick<SearchPage, 'hits' | 'mayHaveMore'> & {
  readonly next: Pick<SearchPlace, 'level' | 'number' | 'distanceKm' | 'updatedAt'> | undefined;
};

/** A page of the records of these levels, one level after the other, each in the order of ids. */
export async function pageByLevels(
  index: SearchIndex,
  request: SearchRequest,
  levels: readonly TermQuery[],
  newest: string | undefined,
): Promise<Page> {
  const { limit, openAt, near } = request;
  const together = openAt === undefined && !near ? limit + 1 : Math.max(examinedTogether, limit + 1);
  const start = await startOf(index, request, levels);
  const hits: (Hit & { readonly level: number })[] = [];
  let examined = 0;
  for (let level = start.level; level < levels.length; level++) {
    let { after, skip } = level === start.level ? start : { after: undefined, skip: undefined };
    for (;;) {
      const candidates = await index.candidates(levels[level] as TermQuery, together, { after, skip });
      skip = undefined;
      for (const candidate of candidates) {
        const passed = inReach(candidate, request, newest);
        const { number } = candidate;
        if (passed && (openAt === undefined || isOpenAt(candidate, openAt))) {
          const { distanceKm } = passed;
          hits.push({ number, level, ...(distanceKm === undefined ? {} : { distanceKm }) });
          if (hits.length > limit) return fullPage(hits, limit);
        }
        examined++;
        after = number;
        if (openAt !== undefined && examined >= mostExamined) {
          return { hits, next: { level, number }, mayHaveMore: true };
        }
      }
      if (candidates.length < together) break;
    }
  }
  return { hits, next: undefined };
}

function fullPage(hits: readonly (Hit & { readonly level: number })[], limit: number): Page {
  const shown = hits.slice(0, limit);
  const last = shown[limit - 1];
  return { hits: shown, next: last && { level: last.level, number: last.number } };
}

interface Start {
  readonly level: number;
  readonly after?: number | undefined;
  readonly skip?: number | undefined;
}

/** Where the page begins: after the place of the page before, or beyond the records to skip. */
async function startOf(
  index: SearchIndex,
  { place, skip = 0 }: SearchRequest,
  levels: readonly TermQuery[],
): Promise<Start> {
  if (place) return { level: place.level, after: place.number };
  let left = skip;
  for (const [level, query] of levels.entries()) {
    if (left === 0) return { level };
    const count = await index.count(query, left);
    if (count < left || (count === left && (await isEmptyBeyond(index, query, left)))) left -= count;
    else return { level, skip: left };
  }
  return { level: levels.length };
}

const isEmptyBeyond = async (index: SearchIndex, query: TermQuery, count: number): Promise<boolean> =>
  (await index.count(query, count + 1)) === count;
