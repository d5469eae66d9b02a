import { RateLimiterMemory, type RateLimiterMongo } from 'rate-limiter-flexible';
import { keyOf } from '../mongodb/keys.ts';
import type { Limit, AttemptLimiter } from './port.ts';
import type { MongoCounters } from './mongodb-counters.ts';
import { takeAttempt } from './take-attempt.ts';

/** Counts attempts in MongoDB, for all nodes together. Falls back to a count in memory while MongoDB is down. */
export class MongoAttemptLimiter implements AttemptLimiter {
  readonly #windows: MongoCounters;
  readonly #shared: RateLimiterMongo;
  readonly #own: RateLimiterMemory;

  constructor(windows: MongoCounters, name: string, limit: Limit) {
    this.#windows = windows;
    this.#shared = windows.limiter(limit, { keyPrefix: name });
    this.#own = new RateLimiterMemory({
      points: limit.points,
      duration: limit.windowSeconds,
      keyPrefix: '',
    });
  }

  async take(key: string): Promise<number> {
    const wait = await this.#windows.counted(() => takeAttempt(this.#shared, keyOf(key)));
    return wait ?? takeAttempt(this.#own, key);
  }

  async giveBack(key: string): Promise<void> {
    await this.#windows.counted(() => this.#shared.reward(keyOf(key)));
    if (await this.#own.get(key)) await this.#own.reward(key);
  }

  async forget(key: string): Promise<void> {
    await this.#windows.counted(() => this.#shared.delete(keyOf(key)));
    await this.#own.delete(key);
  }
}
