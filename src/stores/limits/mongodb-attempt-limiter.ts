import type { RateLimiterMongo } from 'rate-limiter-flexible';
import { keyOf } from '../mongodb-keys.ts';
import { consume } from './consume.ts';
import { MemoryAttemptLimiter, secondsOf } from './memory-attempt-limiter.ts';
import type { Limit, AttemptLimiter } from './port.ts';
import type { MongoCounters } from './mongodb-counters.ts';

/**
 * Counts attempts in MongoDB, for all nodes together. While MongoDB is down, goes on with the last count in memory, and
 * adds what it has counted there when MongoDB is back.
 */
export class MongoAttemptLimiter implements AttemptLimiter {
  readonly #counters: MongoCounters;
  readonly #shared: RateLimiterMongo;
  readonly #own: MemoryAttemptLimiter;
  readonly #points: number;

  constructor(counters: MongoCounters, name: string, limit: Limit) {
    this.#counters = counters;
    this.#shared = counters.limiter(limit, { keyPrefix: name });
    this.#own = new MemoryAttemptLimiter(limit);
    this.#points = limit.points;
  }

  async take(key: string): Promise<number> {
    const spent = await this.#counters.counted(async () => {
      await this.#addUncounted(key);
      return consume(this.#shared, keyOf(key), 1);
    });
    if (!spent) return this.#own.take(key);
    const { used = this.#points + 1, resetMs } = spent;
    this.#own.windows.learn(key, Math.min(used, this.#points), resetMs, Date.now());
    return used <= this.#points ? 0 : secondsOf(resetMs);
  }

  async giveBack(key: string): Promise<void> {
    const spent = await this.#counters.counted(() => this.#shared.reward(keyOf(key)));
    await this.#own.giveBack(key);
    if (spent) this.#own.windows.counted(key, -1, Date.now());
  }

  async forget(key: string): Promise<void> {
    await this.#counters.counted(() => this.#shared.delete(keyOf(key)));
    await this.#own.forget(key);
  }

  async #addUncounted(key: string): Promise<void> {
    const { uncounted } = this.#own.windows.of(key, Date.now());
    if (uncounted === 0) return;
    if (uncounted > 0) await this.#shared.penalty(keyOf(key), uncounted);
    else await this.#shared.reward(keyOf(key), -uncounted);
    this.#own.windows.counted(key, uncounted, Date.now());
  }
}
