import type { TermQuery } from '../../../stores/documents/port.ts';
import { mostExamined, type Page } from './by-rank.ts';
import { inReach, isOpenThen, isTimed, distanceOfHit, type Passed } from './conditions.ts';
import type { Distance } from './geocoder.ts';
import { readFor } from './read-ranks.ts';
import type { Circle, Hit, SearchPlace, SearchRequest } from './request.ts';
import { defined } from '../../../ground/defined.ts';
import { inRing, type ReadBounds } from './in-ring.ts';
import type { AlsoRead, Candidate, SearchIndex } from './search-index.ts';

/** The first circle where nothing tells how dense the records lie. */
const firstRadiusKm = 0.5;
/** When a circle has less than this part of a page, the next one has four times its radius, otherwise twice. */
const fewShare = 8;
/** So many records of the whole circle are read to see how dense they lie. When there are fewer, they are all of them. */
const sampled = 300;
/** Ids have 52 bits. */
const largestNumber = 2 ** 52;
/** The first circle should have so many times the records of a page. */
const spare = 2;
const usualBounds: ReadBounds = { together: 2_000, most: 20_000 };

/** A search around a place. */
type Around = SearchRequest & {
  readonly near: Circle;
  /** What the words ask for. Of records at one distance, those of these kinds come first. */
  readonly kinds?: ReadonlySet<string> | undefined;
};

/**
 * A page of records, the nearest first, those at the same distance by their kind and in the order of ids. Looks in rings around the place
 * until the page is full. `ranks`: the first that finds something is taken.
 */
export async function pageByDistance(
  index: SearchIndex,
  request: Around,
  ranks: readonly TermQuery[],
  newest: string | undefined,
  bounds = usualBounds,
): Promise<Page> {
  const { place, skip = 0, limit } = request;
  if (skip > 0) {
    const { hits, ...page } = await pageByDistance(
      index,
      { ...request, skip: undefined, limit: skip + limit },
      ranks,
      newest,
      bounds,
    );
    return { ...page, hits: hits.slice(skip), ...(hits.length > 0 ? { passedSome: true } : {}) };
  }
  if (place) return pageOfRank(index, request, ranks, place.rank, newest, bounds);
  for (const rank of ranks.keys()) {
    const page = await pageOfRank(index, request, ranks, rank, newest, bounds);
    if (page.hits.length > 0 || page.mayHaveMore) return page;
  }
  return { hits: [], next: undefined };
}

async function pageOfRank(
  index: SearchIndex,
  request: Around,
  ranks: readonly TermQuery[],
  rank: number,
  newest: string | undefined,
  bounds: ReadBounds,
): Promise<Page> {
  const query = ranks[rank];
  if (!query) return { hits: [], next: undefined };
  const { near, limit, place } = request;
  const timed = isTimed(request);
  const hits: (Hit & Place)[] = [];
  const nearestFirst = orderOf(request.kinds);
  let examined = 0;
  let read = 0;
  const also = readFor(request);
  const isMeant = (candidate: Candidate): boolean => !timed || isOpenThen(candidate, request);
  const meant = (some: readonly Reached[]) => some.filter(({ candidate }) => isMeant(candidate));
  const reading = {
    enough: (some: readonly Reached[], km: number) => {
      const here = some.filter(({ distance }) => distance.km <= km);
      return here.length >= mostExamined || meant(here).length > limit;
    },
    pageEndKm: (some: readonly Reached[]) =>
      meant(some)
        .map(({ distance }) => distance.km)
        .sort((one, other) => one - other)[limit] ?? Infinity,
    // Those of other kinds than the words ask for come last at their distance.
    all: (request.kinds?.size ?? 0) > 0,
    also,
    bounds,
  };
  const { firstKm, all } =
    ranks.length > 1 && !place ? await sampleOf(index, query, request, also) : { firstKm: firstRadiusKm };
  for (const [beyondKm, radiusKm] of rings(near.radiusKm, place?.distanceKm ?? 0, firstKm, () =>
    hits.length * fewShare < limit ? 4 : 2,
  )) {
    const circle = { ...near, radiusKm };
    const passes = (some: readonly Candidate[]): readonly Reached[] =>
      reached(index, some, circle, all ? 0 : beyondKm, newest).filter(
        (each) => !place || isAfter(placeOf(each, request.kinds), place),
      );
    const ring = all
      ? { passed: passes(all), read: all.length, cut: false }
      : await inRing(index, query, circle, beyondKm, { ...reading, passes });
    const passed = ring.passed.toSorted(nearestFirst);
    read += ring.read;
    for (const each of passed) {
      const { candidate, distance } = each;
      const here = placeOf(each, request.kinds);
      examined++;
      if (isMeant(candidate)) hits.push({ ...here, ...distanceOfHit(distance) });
      if (hits.length > limit) {
        const shown = hits.slice(0, limit);
        const last = shown[limit - 1];
        return {
          hits: shown.map(asHit),
          next: last && {
            rank,
            number: last.number,
            distanceKm: last.distanceKm,
            ...defined({ otherKind: last.otherKind }),
          },
        };
      }
      if (timed && examined >= mostExamined) {
        return { hits: hits.map(asHit), next: { rank, ...here }, mayHaveMore: true };
      }
    }
    if (ring.cut || read >= bounds.most) {
      const last = passed.at(-1);
      const end = last && placeOf(last, request.kinds);
      // When too many records lie in one ring, the next page would read the same ones again and end in the same place.
      const goesOn = end && (!place || isAfter(end, place));
      return { hits: hits.map(asHit), next: goesOn ? { rank, ...end } : undefined, mayHaveMore: true };
    }
  }
  return { hits: hits.map(asHit), next: undefined };
}

const asHit = ({ otherKind, ...hit }: Hit & Place): Hit => ({
  ...hit,
  equals: `${hit.distanceKm}${otherKind ? ' other' : ''}`,
});

/**
 * A radius within which there are probably enough records for a page, and all records where they are few. Ids are
 * hashes, so the first ones in their order lie anywhere in the circle, and from how closely they follow each other one
 * sees how many there are.
 */
async function sampleOf(
  index: SearchIndex,
  query: TermQuery,
  { near, limit }: SearchRequest & { readonly near: Circle },
  also: AlsoRead,
): Promise<{ readonly firstKm: number; readonly all?: readonly Candidate[] }> {
  const every = [...query.every, index.geocoder.termsWithin(near)];
  const sample = await index.candidates({ ...query, every }, sampled, { also });
  const last = sample.at(-1);
  if (sample.length < sampled || !last) return { firstKm: near.radiusKm, all: sample };
  const needed = (limit + 1) * spare * (last.number / largestNumber);
  const distances = sample
    .map(({ places }) => index.geocoder.distanceTo(places, near)?.km ?? near.radiusKm)
    .sort((a, b) => a - b);
  // Of the very nearest there are too few to go by.
  const place = Math.min(Math.max(Math.ceil(needed), 5), sampled) - 1;
  const firstKm = (distances[place] ?? near.radiusKm) * Math.sqrt(Math.min(1, needed / (place + 1)));
  return { firstKm: Math.min(Math.max(firstKm, firstRadiusKm), near.radiusKm) };
}

/** The rings from a distance to the radius: from, to. Each further one has `timesWider()` the radius. */
function* rings(
  radiusKm: number,
  from: number,
  firstKm: number,
  timesWider: () => number,
): Generator<[number, number]> {
  let beyond = 0;
  for (let radius = firstKm; ; radius *= timesWider()) {
    const to = Math.min(radius, radiusKm);
    if (to >= from) yield [beyond, to];
    beyond = to;
    if (to === radiusKm) return;
  }
}

type Reached = Passed & { readonly distance: Distance };

/** Those of the candidates that are between the distances. */
function reached(
  index: SearchIndex,
  candidates: readonly Candidate[],
  near: Circle,
  beyondKm: number,
  newest: string | undefined,
): Reached[] {
  return candidates.flatMap((candidate) => {
    const each = inReach(candidate, { near }, newest, index.geocoder);
    if (each?.distance === undefined) return [];
    return each.distance.km > beyondKm || beyondKm === 0 ? [each as Reached] : [];
  });
}

/** Where a record stands in the order. */
type Place = Pick<SearchPlace, 'number' | 'otherKind'> & { readonly distanceKm: number };

const placeOf = ({ candidate: { number, category }, distance }: Reached, kinds: Around['kinds']): Place => ({
  number,
  distanceKm: distance.km,
  ...(kinds === undefined || kinds.size === 0 || kinds.has(category) ? {} : { otherKind: true }),
});

const comesAfter = (one: Place, other: Place): number =>
  one.distanceKm - other.distanceKm ||
  Number(one.otherKind === true) - Number(other.otherKind === true) ||
  one.number - other.number;

const orderOf =
  (kinds: Around['kinds']) =>
  (one: Reached, other: Reached): number =>
    one.distance.km - other.distance.km || comesAfter(placeOf(one, kinds), placeOf(other, kinds));

const isAfter = (hit: Place, { distanceKm = 0, ...place }: SearchPlace): boolean =>
  comesAfter(hit, { ...place, distanceKm }) > 0;
