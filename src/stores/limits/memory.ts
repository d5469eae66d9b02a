import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Allowance, Limit, Limits } from './port.ts';
import { allowances, spend } from './spend.ts';

/** Counted by each process for itself: with several nodes a key may ask each of them so often. */
export class MemoryLimits implements Limits {
  readonly points: number;
  readonly windowSeconds: number;
  readonly #limiter: RateLimiterMemory;

  constructor({ points, windowSeconds }: Limit) {
    this.points = points;
    this.windowSeconds = windowSeconds;
    this.#limiter = new RateLimiterMemory({ points, duration: windowSeconds, keyPrefix: '' });
  }

  async consume(key: string): Promise<Allowance> {
    const [allowance] = allowances(await spend(this.#limiter, key, 1), 1, this.points);
    return allowance as Allowance;
  }
}
