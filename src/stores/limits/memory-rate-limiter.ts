import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Allowance, Limit, RateLimiter } from './port.ts';
import { allowanceOf, consume } from './consume.ts';

/**
 * Counts requests in memory, in each process separately. With several nodes a key has its limit on each of them.
 */
export class MemoryRateLimiter implements RateLimiter {
  readonly points: number;
  readonly windowSeconds: number;
  readonly #limiter: RateLimiterMemory;

  constructor({ points, windowSeconds }: Limit) {
    this.points = points;
    this.windowSeconds = windowSeconds;
    this.#limiter = new RateLimiterMemory({ points, duration: windowSeconds, keyPrefix: '' });
  }

  async consume(key: string): Promise<Allowance> {
    return allowanceOf(await consume(this.#limiter, key, 1), this.points);
  }
}
