import { statusAt } from '../../../events/directory/opening-status.ts';
import { distanceTo } from './nearest.ts';
import type { SearchRequest } from './request.ts';
import type { Candidate } from './search-index.ts';

/** A record that may stand on the page, with its distance where the request names a place. */
export interface Passed {
  readonly candidate: Candidate;
  readonly distanceKm?: number;
}

/**
 * What the index cannot tell: the exact distance, and whether the record has changed since the first page. Undefined
 * where the record does not belong on the page.
 */
export function inReach(
  candidate: Candidate,
  { near }: Pick<SearchRequest, 'near'>,
  newest: string | undefined,
): Passed | undefined {
  if (newest !== undefined && candidate.updated_at > newest) return undefined;
  if (!near) return { candidate };
  const distanceKm = distanceTo(candidate.places, near);
  return distanceKm === undefined || distanceKm > near.radiusKm ? undefined : { candidate, distanceKm };
}

/** Whether the opening hours tell that the record is open at the instant. */
export function isOpenAt({ week }: Candidate, instant: string): boolean {
  if (week === undefined) return false;
  return statusAt(week, new Date(instant)).state === 'open';
}
