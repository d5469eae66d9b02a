import type { Allowance, Limit, RateLimiter } from './port.ts';
import { allowanceOf } from './consume.ts';
import { LocalWindows } from './local-windows.ts';

/**
 * Counts requests in memory, in each process separately. With several nodes a key has its limit on each of them.
 */
export class MemoryRateLimiter implements RateLimiter {
  readonly points: number;
  readonly windowSeconds: number;
  readonly #windows: LocalWindows;

  constructor(limit: Limit) {
    this.points = limit.points;
    this.windowSeconds = limit.windowSeconds;
    this.#windows = new LocalWindows(limit);
  }

  async consume(key: string): Promise<Allowance> {
    return allowanceOf(this.#windows.add(key, 1, Date.now()), this.points);
  }
}
