import type { TermQuery } from '../../../stores/documents/port.ts';
import { mostExamined, type Page } from './by-levels.ts';
import { inReach, isOpenAt } from './conditions.ts';
import type { Hit, SearchRequest } from './request.ts';
import { readFor } from './ranked.ts';
import type { SearchIndex } from './search-index.ts';

/** A page of records in the order of their changes, for those who ask what has changed since a time. */
export async function pageByChange(
  index: SearchIndex,
  request: SearchRequest & { readonly updatedSince: string },
  union: TermQuery,
): Promise<Page> {
  const { limit, place, openAt, updatedSince } = request;
  const hits: (Hit & { readonly updatedAt: string })[] = [];
  let after: readonly [string, number] | undefined =
    place?.updatedAt === undefined ? undefined : [place.updatedAt, place.number];
  let skip = request.skip;
  for (let examined = 0; examined < mostExamined;) {
    const candidates = await index.changed(union, limit + 1, updatedSince, after, skip, readFor(request));
    skip = undefined;
    for (const candidate of candidates) {
      const { number, updated_at: updatedAt } = candidate;
      examined++;
      after = [updatedAt, number];
      const passed = inReach(candidate, request, undefined);
      if (!passed || (openAt !== undefined && !isOpenAt(candidate, openAt))) continue;
      const { distanceKm } = passed;
      hits.push({ number, updatedAt, ...(distanceKm === undefined ? {} : { distanceKm }) });
      if (hits.length > limit) return { hits: hits.slice(0, limit), next: lastOf(hits.slice(0, limit)) };
    }
    if (candidates.length <= limit) return { hits, next: undefined };
  }
  const [updatedAt, number] = after as readonly [string, number];
  return { hits, next: { level: 0, number, updatedAt }, mayHaveMore: true };
}

function lastOf(hits: readonly (Hit & { readonly updatedAt: string })[]): Page['next'] {
  const last = hits.at(-1);
  return last && { level: 0, number: last.number, updatedAt: last.updatedAt };
}
