import type { Circle } from '../../../ground/earth.ts';
import type { TermQuery } from '../../../stores/documents/port.ts';
import type { PlacedTerms } from './geocoder.ts';
import type { AlsoRead, Candidate, SearchIndex } from './search-index.ts';

/** How much is read for one page. */
export interface ReadBounds {
  /** Records that are read together. */
  readonly together: number;
  /** However dense a place is. */
  readonly most: number;
}

/** How the records of a ring are read. */
export interface RingReading<Each> {
  /** Those of the candidates that lie in the ring, and not before the page. */
  readonly passes: (some: readonly Candidate[]) => readonly Each[];
  /** Of the first records that lie no farther than this: whether no other at the distance is on the page. */
  readonly enough: (some: readonly Each[], km: number) => boolean;
  /** How far the last one of the page lies, if nothing nearer is found than these. */
  readonly pageEndKm: (some: readonly Each[]) => number;
  /** All records at one distance are needed: their order is not that of the ids. */
  readonly all: boolean;
  readonly also: AlsoRead;
  readonly bounds: ReadBounds;
}

/** So many groups of addresses are read at once. Where there are more, most have few records or none. */
const groupsTogether = 6;
/** Of a group, as many at a time. */
const ofGroup = 100;
/** In a ring with many groups, more records than this are read by their groups. */
const fewInRing = 300;

/** Added to a ring: distances are rounded to ten metres. */
const rounding = 0.01;

/** Records of a ring, in no order. */
export interface InRing<Each> {
  readonly passed: readonly Each[];
  readonly read: number;
  /** There are more than can be read. */
  readonly cut: boolean;
}

/**
 * The records between two distances that can stand on the page. In a large directory thousands have no coordinates and
 * one postal code, so one distance: of those only the first are read, as their order is that of the ids.
 */
export async function inRing<Each extends { readonly candidate: Candidate }>(
  index: SearchIndex,
  query: TermQuery,
  circle: Circle,
  beyondKm: number,
  { passes, enough, pageEndKm, all, also, bounds: { together, most } }: RingReading<Each>,
): Promise<InRing<Each>> {
  const wider = { ...circle, radiusKm: circle.radiusKm + rounding };
  const { groups, others } = index.geocoder.placedTermsWithin(wider, Math.max(0, beyondKm - rounding));
  const passed = new Map<number, Each>();
  let read = 0;
  const readSome = async (terms: readonly string[], limit: number, after: number | undefined) => {
    const every = [...query.every, terms];
    const found = await index.candidates({ ...query, every }, limit, { after, also });
    read += found.length;
    const some = passes(found);
    for (const each of some) passed.set(each.candidate.number, each);
    return { some, isLast: found.length < limit, last: found.at(-1)?.number };
  };
  /** Whether there are more than can be read. */
  const readAll = async (terms: readonly string[], from?: number): Promise<boolean> => {
    if (terms.length === 0) return false;
    for (let after = from; ;) {
      const { isLast, last } = await readSome(terms, together, after);
      after = last;
      if (isLast || read >= most) return !isLast;
    }
  };
  const readGroup = async ({ terms, km }: PlacedTerms): Promise<void> => {
    const ofThis: Each[] = [];
    for (let after: number | undefined; ;) {
      const { some, isLast, last } = await readSome(terms, ofGroup, after);
      ofThis.push(...some);
      after = last;
      if (isLast || enough(ofThis, km)) return;
    }
  };
  const end = (cut: boolean): InRing<Each> => ({ passed: [...passed.values()], read, cut });

  const whole = [...others, ...groups.flatMap(({ terms }) => terms)];
  if (all || groups.length === 0) return end(await readAll(whole));
  if (groups.length > groupsTogether) {
    const { isLast } = await readSome(whole, Math.min(fewInRing, together), undefined);
    if (isLast) return end(false);
  }
  const [cut] = await Promise.all([readAll(others), ...groups.slice(0, groupsTogether).map(readGroup)]);
  for (let from = groupsTogether; from < groups.length; from += groupsTogether) {
    const endKm = pageEndKm([...passed.values()]);
    const further = groups.slice(from, from + groupsTogether).filter(({ km }) => km <= endKm);
    if (further.length === 0) break;
    await Promise.all(further.map(readGroup));
  }
  return end(cut);
}
