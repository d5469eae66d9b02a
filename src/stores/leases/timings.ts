import { StoreError } from '../errors.ts';

/** The same for all processes that share leases. In milliseconds. */
export interface LeaseTimings {
  /** Between two queries for awaited leases, one query for all of a client. */
  readonly pollMs: number;
  /** Between two heartbeats, one for all leases of a client. */
  readonly renewMs: number;
  /** A holder gives up this long after it sent its last successful heartbeat. */
  readonly stopAfterMs: number;
  /** A challenger takes a lease after seeing no new heartbeat for this long. */
  readonly takeAfterMs: number;
}

export const defaultTimings: LeaseTimings = {
  pollMs: 300,
  renewMs: 1_500,
  stopAfterMs: 5_000,
  takeAfterMs: 8_000,
};

/**
 * How soon a heartbeat must be answered to count. One sent at the last moment (`stopAfterMs` after the previous
 * one) has then reached the server before a challenger, who saw the previous one, may take the lease. The other
 * half of the margin is for clocks that run at different speeds.
 */
export const answerWithinMs = ({ stopAfterMs, takeAfterMs }: LeaseTimings): number =>
  (takeAfterMs - stopAfterMs) / 2;

/** @throws StoreError misuse, when two processes could believe that they hold the same lease */
export function checked(timings: LeaseTimings): LeaseTimings {
  const { renewMs, stopAfterMs, takeAfterMs } = timings;
  if (renewMs < stopAfterMs && stopAfterMs < takeAfterMs) return timings;
  throw new StoreError('misuse', 'Lease timings must satisfy renewMs < stopAfterMs < takeAfterMs.');
}
