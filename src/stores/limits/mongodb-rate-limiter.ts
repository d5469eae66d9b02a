import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { keyOf } from '../mongodb-keys.ts';
import { LocalWindows } from './local-windows.ts';
import { OptimisticCounter } from './optimistic-counter.ts';
import type { SharedCounts } from './shared-counts.ts';
import type { Allowance, Limit, RateLimiter } from './port.ts';
import { allowanceOf, consume, type Consumed } from './consume.ts';

/** Requests that were allowed before they were counted are counted after this time. */
const countedAfterMs = 50;

interface Asker {
  readonly resolve: (allowance: Allowance) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Counts requests in the collection `limits`, so that a key has one limit on all nodes. One command costs about 100
 * µs of this thread, more than the rest of a small request. So requests of one key that arrive together, or while a
 * count is under way, share one command. A key over its limit is refused without a command. A key that has used
 * less than half of its limit does not wait: its requests of 50 ms are allowed first and counted together
 * afterwards. It can exceed its limit by what it sends to all nodes in that time. While MongoDB is down, goes on with
 * the last count in memory, and adds what it has counted there when MongoDB is back.
 */
export class MongoRateLimiter implements RateLimiter {
  readonly points: number;
  readonly windowSeconds: number;
  readonly #windows: SharedCounts;
  readonly #shared: RateLimiterAbstract;
  readonly #own: LocalWindows;
  /** Keys with a count under way, and the requests that have arrived since. */
  readonly #asking = new Map<string, Asker[]>();
  readonly #ahead: OptimisticCounter;
  /** Whether a count of the allowed requests is scheduled. */
  #counting = false;

  constructor(windows: SharedCounts, { points, windowSeconds }: Limit) {
    this.points = points;
    this.windowSeconds = windowSeconds;
    this.#windows = windows;
    this.#ahead = new OptimisticCounter(points);
    this.#own = new LocalWindows({ points, windowSeconds });
    this.#shared = windows.limiter(
      { points, windowSeconds },
      { keyPrefix: '', inMemoryBlockOnConsumed: points },
    );
  }

  async consume(key: string): Promise<Allowance> {
    const early = this.#ahead.allow(key, performance.now());
    if (!early) return this.#counted(key);
    if (!this.#counting) setTimeout(() => void this.#countAhead(), countedAfterMs).unref();
    this.#counting = true;
    return early;
  }

  #counted(key: string): Promise<Allowance> {
    return new Promise((resolve, reject) => {
      const asking = this.#asking.get(key);
      if (asking) {
        asking.push({ resolve, reject });
        return;
      }
      this.#asking.set(key, [{ resolve, reject }]);
      setImmediate(() => void this.#count(key));
    });
  }

  async #count(key: string): Promise<void> {
    for (let askers = this.#asking.get(key); askers && askers.length > 0; askers = this.#asking.get(key)) {
      this.#asking.set(key, []);
      try {
        const spent = await this.#spend(key, askers.length);
        for (const [place, { resolve }] of askers.entries())
          resolve(allowanceOf(spent, this.points, askers.length - 1 - place));
      } catch (error) {
        for (const { reject } of askers) reject(error);
      }
    }
    this.#asking.delete(key);
  }

  async #countAhead(): Promise<void> {
    this.#counting = false;
    await Promise.all(this.#ahead.keys().map((key) => this.#spend(key, 0)));
  }

  /** Counts these requests, and those of the key that were already allowed. */
  async #spend(key: string, waiting: number): Promise<Consumed> {
    const requests = this.#ahead.take(key, waiting, performance.now());
    if (requests === 0) return { used: undefined, resetMs: 0 };
    const uncounted = Math.max(this.#own.of(key, performance.now()).uncounted, 0);
    const spent = await this.#windows.counted(() => consume(this.#shared, keyOf(key), requests + uncounted));
    const now = performance.now();
    if (!spent) {
      this.#ahead.forget();
      return this.#own.add(key, requests, now);
    }
    this.#ahead.learn(key, requests, spent, now);
    this.#own.counted(key, uncounted, now);
    this.#own.learn(key, spent.used ?? this.points + 1, spent.resetMs, now);
    return spent;
  }
}
