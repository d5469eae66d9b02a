import { StoreError } from '../errors.ts';

/** All who share leases must keep to the same. In milliseconds. */
export interface LeaseTimings {
  /** Between two looks at leases that are waited for: all of a client's in one. */
  readonly pollMs: number;
  /** Between two signs of life for the leases that are held: all of a client's in one. */
  readonly renewMs: number;
  /** A holder gives up this long after it sent the last sign of life that arrived. */
  readonly stopAfterMs: number;
  /** A challenger takes a lease after seeing no new sign of life for this long. */
  readonly takeAfterMs: number;
}

export const defaultTimings: LeaseTimings = {
  pollMs: 300,
  renewMs: 1_500,
  stopAfterMs: 5_000,
  takeAfterMs: 8_000,
};

/**
 * How soon the answer to a sign of life must come for it to count. One sent at the last moment (`stopAfterMs`
 * after the one before) has then reached the server before a challenger, who saw the one before, may take the
 * lease; the other half of the margin is left for whatever a clock lacks in truth.
 */
export const answerWithinMs = ({ stopAfterMs, takeAfterMs }: LeaseTimings): number =>
  (takeAfterMs - stopAfterMs) / 2;

/** @throws StoreError misuse, where two could believe that they hold the same lease */
export function checked(timings: LeaseTimings): LeaseTimings {
  const { renewMs, stopAfterMs, takeAfterMs } = timings;
  if (renewMs < stopAfterMs && stopAfterMs < takeAfterMs) return timings;
  throw new StoreError('misuse', 'A lease is renewed before its holder stops, and taken only after that.');
}
