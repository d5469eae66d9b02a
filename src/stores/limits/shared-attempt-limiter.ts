import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { keyOf } from '../mongodb-keys.ts';
import { consume, type Consumed } from './consume.ts';
import { MemoryAttemptLimiter, secondsOf } from './memory-attempt-limiter.ts';
import type { AttemptLimiter, Limit } from './port.ts';
import type { SharedCounts } from './shared-counts.ts';

/**
 * Counts attempts for all processes together. While the store is away or busy, goes on with the last count in memory,
 * and adds what it has counted there when the store is back.
 */
export class SharedAttemptLimiter implements AttemptLimiter {
  readonly #counts: SharedCounts;
  readonly #shared: RateLimiterAbstract;
  readonly #own: MemoryAttemptLimiter;
  readonly #limit: Limit;

  constructor(counts: SharedCounts, name: string, limit: Limit) {
    this.#counts = counts;
    this.#shared = counts.limiter(limit, { keyPrefix: name });
    this.#own = new MemoryAttemptLimiter(limit);
    this.#limit = limit;
  }

  async take(key: string): Promise<number> {
    const { points } = this.#limit;
    const consumed = await this.#counts.counted(() => this.#take(key));
    if (!consumed) return this.#own.take(key);
    const { used = points + 1, resetMs } = consumed;
    this.#own.windows.learn(key, Math.min(used, points), resetMs, Date.now());
    return used <= points ? 0 : secondsOf(resetMs);
  }

  async giveBack(key: string): Promise<void> {
    // Nothing of a window that has ended.
    if (this.#own.windows.of(key, Date.now()).used === 0) return;
    const rewarded = await this.#counts.counted(() => this.#shared.reward(keyOf(key)));
    await this.#own.giveBack(key);
    if (rewarded) this.#own.windows.counted(key, -1, Date.now());
  }

  async forget(key: string): Promise<void> {
    await this.#counts.counted(() => this.#shared.delete(keyOf(key)));
    await this.#own.forget(key);
  }

  async #take(key: string): Promise<Consumed> {
    await this.#addUncounted(key);
    const consumed = await consume(this.#shared, keyOf(key), 1);
    // A window that ends later than a new one would: the clock was set back.
    if (consumed.resetMs > this.#limit.windowSeconds * 1_000) {
      await this.#shared.delete(keyOf(key));
      return consume(this.#shared, keyOf(key), 1);
    }
    // A refused attempt does not count, so that one which is given back can be taken.
    if ((consumed.used ?? 0) > this.#limit.points) await this.#shared.reward(keyOf(key));
    return consumed;
  }

  async #addUncounted(key: string): Promise<void> {
    const { uncounted } = this.#own.windows.of(key, Date.now());
    if (uncounted === 0) return;
    // At once, so that attempts which come together do not add it twice.
    this.#own.windows.counted(key, uncounted, Date.now());
    try {
      if (uncounted > 0) await this.#shared.penalty(keyOf(key), uncounted);
      else await this.#shared.reward(keyOf(key), -uncounted);
    } catch (error) {
      this.#own.windows.counted(key, -uncounted, Date.now());
      throw error;
    }
  }
}
