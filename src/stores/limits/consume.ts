import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import type { Allowance } from './port.ts';

/** The result of counting several requests of one key at once. */
export interface Consumed {
  /** Requests in this window, including these. Undefined for a key that is known to be over its limit. */
  readonly used: number | undefined;
  readonly resetMs: number;
}

/** Counts requests of one key. A key over its limit is no error. @throws the error of the limiter's store */
export async function consume(
  limiter: RateLimiterAbstract,
  key: string,
  requests: number,
): Promise<Consumed> {
  try {
    return spentOf(await limiter.consume(key, requests));
  } catch (rejection) {
    if (rejection instanceof RateLimiterRes) return spentOf(rejection);
    throw rejection;
  }
}

// The limiter refuses a blocked key without counting.
const spentOf = ({ consumedPoints, msBeforeNext }: RateLimiterRes): Consumed => ({
  used: consumedPoints > 0 ? consumedPoints : undefined,
  resetMs: msBeforeNext,
});

/** The answer for a request. `later`: how many of those counted with it came after it. */
export function allowanceOf({ used = Infinity, resetMs }: Consumed, points: number, later = 0): Allowance {
  const upToThis = used - later;
  return { allowed: upToThis <= points, remaining: Math.max(points - upToThis, 0), resetMs };
}
