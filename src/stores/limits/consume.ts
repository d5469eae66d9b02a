import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Allowance } from './port.ts';

/** What a limiter says to several requests of one key at once. */
export interface Consumed {
  /** Requests in this window, these included; undefined for a key that is known to be over its limit. */
  readonly used: number | undefined;
  readonly resetMs: number;
}

/** @throws whatever keeps the limiter from counting; a key over its limit is none of that */
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

// A key that the limiter remembers as blocked is refused without being counted.
const spentOf = ({ consumedPoints, msBeforeNext }: RateLimiterRes): Consumed => ({
  used: consumedPoints > 0 ? consumedPoints : undefined,
  resetMs: msBeforeNext,
});

/** What each of so many requests is told, in their order. */
export function allowances({ used, resetMs }: Consumed, requests: number, points: number): Allowance[] {
  return Array.from({ length: requests }, (_, place) => {
    const upToThis = used === undefined ? Infinity : used - requests + place + 1;
    return { allowed: upToThis <= points, remaining: Math.max(points - upToThis, 0), resetMs };
  });
}
