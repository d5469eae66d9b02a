import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Limit, AttemptLimiter } from './port.ts';
import { takeAttempt } from './take-attempt.ts';

/** Counts attempts in memory, in each process separately. */
export class MemoryAttemptLimiter implements AttemptLimiter {
  readonly #limiter: RateLimiterMemory;

  constructor({ points, windowSeconds }: Limit) {
    this.#limiter = new RateLimiterMemory({ points, duration: windowSeconds, keyPrefix: '' });
  }

  take(key: string): Promise<number> {
    return takeAttempt(this.#limiter, key);
  }

  async giveBack(key: string): Promise<void> {
    await this.#limiter.reward(key);
  }

  async forget(key: string): Promise<void> {
    await this.#limiter.delete(key);
  }
}
