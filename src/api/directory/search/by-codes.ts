import { distanceKm, shownKm, type Circle } from '../../../ground/earth.ts';
import { codeOfTerm } from '../../../places/address-terms.ts';
import { postalCode } from '../../../places/postal-codes.ts';
import type { TermQuery } from '../../../stores/documents/port.ts';
import type { AlsoRead, Candidate, SearchIndex } from './search-index.ts';

/** What is read of the records of one postal code. */
export interface CodeReading<Each> {
  /** Those of the candidates that stand on the page or after it. */
  readonly passing: (some: readonly Candidate[]) => readonly Each[];
  /** Whether these are as many as the page takes, and so far ahead that nothing after them is on it. */
  readonly enough: (some: readonly Each[]) => boolean;
  readonly also: AlsoRead;
}

/** Records of one code that are read together: few, as the first ones are mostly enough. */
const readTogether = 100;

/**
 * The terms of a ring, parted: of each single postal code, whose locations without coordinates are all in its middle, and the
 * others.
 */
export function partedByCode(terms: readonly string[]): {
  readonly codes: readonly string[];
  readonly others: readonly string[];
} {
  const codes = terms.filter((term) => codeOfTerm(term) !== undefined);
  return { codes, others: terms.filter((term) => codeOfTerm(term) === undefined) };
}

/**
 * The first records of each postal code, the nearest code first, until enough are found: in a large directory thousands
 * have no coordinates and the same code, so the same distance, and their order is that of the ids.
 */
export async function firstOfCodes<Each>(
  index: SearchIndex,
  band: TermQuery,
  codes: readonly string[],
  near: Circle,
  { passing, enough, also }: CodeReading<Each>,
): Promise<{ readonly passed: readonly Each[]; readonly read: number }> {
  const passed: Each[] = [];
  let read = 0;
  let endKm = Infinity;
  for (const { term, km } of nearestFirst(codes, near)) {
    if (km > endKm) break;
    const ofCode: Each[] = [];
    for (let after: number | undefined; ;) {
      const query = { ...band, every: [...band.every, [term]] };
      const found = await index.candidates(query, readTogether, { after, also });
      read += found.length;
      ofCode.push(...passing(found));
      after = found.at(-1)?.number;
      if (found.length < readTogether || enough(ofCode)) break;
    }
    passed.push(...ofCode);
    if (enough(ofCode)) endKm = km;
  }
  return { passed, read };
}

/** By the distances of the middles as they are shown. */
const nearestFirst = (terms: readonly string[], near: Circle) =>
  terms
    .map((term) => {
      const point = postalCode(codeOfTerm(term) ?? '');
      return { term, km: point ? shownKm(distanceKm(point, near)) : Infinity };
    })
    .sort((one, other) => one.km - other.km);
