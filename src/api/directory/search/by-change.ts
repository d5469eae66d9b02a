import type { TermQuery } from '../../../stores/documents/port.ts';
import { examinedTogether, mostExamined, type Page } from './by-rank.ts';
import { inReach, isOpenThen, isTimed, distanceOfHit } from './conditions.ts';
import type { Hit, SearchRequest } from './request.ts';
import { readFor } from './read-ranks.ts';
import type { Candidate, ChangePlace, SearchIndex } from './search-index.ts';

/** What a page in the order of changes may cost. */
export interface ChangeBounds {
  /**
   * So many records that match are read and sorted, whenever they changed: some 5 µs each, and 1.5 s for 330,000. When
   * more match, records are looked at in the order of their changes until the page is full.
   */
  readonly sorted: number;
  /** Records that are looked at together, so that other searches come in between. */
  readonly together: number;
  /** Records that are looked at for a page. */
  readonly most: number;
}
const usualBounds: ChangeBounds = { sorted: 10_000, together: 1_000, most: 10_000 };

type ChangeRequest = SearchRequest & { readonly updatedSince: string };

/** Records that may stand on the page, and where they end. Undefined: there are no further ones. */
interface Part {
  readonly candidates: readonly Candidate[];
  readonly end: ChangePlace | undefined;
}

/** A page of records in the order of their changes, for those who ask what has changed since a time. */
export async function pageByChange(
  index: SearchIndex,
  request: ChangeRequest,
  union: TermQuery,
  bounds = usualBounds,
): Promise<Page> {
  const { place, skip = 0 } = request;
  const after: ChangePlace | undefined =
    place?.updatedAt === undefined ? undefined : [place.updatedAt, place.number];
  const isLarge = skip <= bounds.together && (await index.count(union, bounds.sorted + 1)) > bounds.sorted;
  if (isLarge) {
    const page = await pageOf(index, request, lookedAt(index, request, union, after, bounds));
    // A page by its number cannot go on where the one before has ended.
    if (!page.mayHaveMore || request.skip === undefined) return page;
  }
  return pageOf(index, request, sorted(index, request, union, after));
}

/** The parts end early where they may cost no more: `mayHaveMore`. */
async function pageOf(index: SearchIndex, request: ChangeRequest, parts: AsyncIterable<Part>): Promise<Page> {
  const { limit } = request;
  const timed = isTimed(request);
  const hits: (Hit & { readonly updatedAt: string })[] = [];
  let examined = 0;
  let last: ChangePlace | undefined;
  for await (const { candidates, end } of parts) {
    for (const candidate of candidates) {
      const { number, updated_at: updatedAt } = candidate;
      examined++;
      const passed = inReach(candidate, request, undefined, index.geocoder);
      if (!passed || (timed && !isOpenThen(candidate, request))) continue;
      hits.push({ number, updatedAt, ...distanceOfHit(passed.distance) });
      if (hits.length > limit) return { hits: hits.slice(0, limit), next: lastOf(hits.slice(0, limit)) };
    }
    if (!end) return { hits, next: undefined };
    last = end;
    if (examined >= mostExamined) break;
  }
  const [updatedAt, number] = last as ChangePlace;
  return { hits, next: { rank: 0, number, updatedAt }, mayHaveMore: true };
}

/** Sorts all records that match. */
async function* sorted(
  index: SearchIndex,
  request: ChangeRequest,
  union: TermQuery,
  from: ChangePlace | undefined,
): AsyncGenerator<Part> {
  const { limit, updatedSince: since } = request;
  const also = readFor(request);
  let { skip } = request;
  for (let after = from; ;) {
    const candidates = await index.changed(union, limit + 1, { since, after, skip, also });
    const end = candidates.length > limit ? placeOf(candidates) : undefined;
    yield { candidates, end };
    if (!end) return;
    after = end;
    skip = undefined;
  }
}

/** Looks at the terms of each record. */
async function* lookedAt(
  index: SearchIndex,
  request: ChangeRequest,
  union: TermQuery,
  from: ChangePlace | undefined,
  { together, most }: ChangeBounds,
): AsyncGenerator<Part> {
  const { limit, near, updatedSince: since } = request;
  const also = readFor(request);
  let skip = request.skip ?? 0;
  let after = from;
  for (let looked = 0; looked < most; looked += together) {
    const upTo = await index.lastOf({ since, after }, together);
    // Without conditions that the index cannot tell, the first ones fill the page.
    const wanted = skip + (near || isTimed(request) ? Math.max(examinedTogether, limit + 1) : limit + 1);
    const found = await index.changed(union, wanted, { since, after, upTo, each: true, also });
    const end = found.length === wanted ? placeOf(found) : upTo;
    yield { candidates: found.slice(skip), end };
    if (!end) return;
    skip -= Math.min(skip, found.length);
    after = end;
  }
}

function placeOf(candidates: readonly Candidate[]): ChangePlace | undefined {
  const last = candidates.at(-1);
  return last && [last.updated_at, last.number];
}

function lastOf(hits: readonly (Hit & { readonly updatedAt: string })[]): Page['next'] {
  const last = hits.at(-1);
  return last && { rank: 0, number: last.number, updatedAt: last.updatedAt };
}
