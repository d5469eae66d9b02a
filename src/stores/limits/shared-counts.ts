import type { IRateLimiterStoreOptions, RateLimiterAbstract } from 'rate-limiter-flexible';
import { withTimeout } from '../mongodb-timeout.ts';
import type { Limit } from './port.ts';

/** How long a request waits for its count. */
const answerWithinMs = 500;
/** How long the first request of a process waits: it prepares the store. */
const preparedWithinMs = 5_000;
/** After a failure the store is left alone for this long. Then one request tries again. */
const awayMs = 1_000;
/** How often windows that have ended are deleted. A new one replaces its own at once. */
const sweepEveryMs = 10 * 60_000;

/** The options of rate-limiter-flexible that every store takes. */
export type LimiterOptions = Pick<IRateLimiterStoreOptions, 'keyPrefix' | 'inMemoryBlockOnConsumed'>;

/** The table `limits` of a store that several processes share, as rate-limiter-flexible keeps it. */
export interface CountStore {
  limiter(
    options: LimiterOptions & { readonly points: number; readonly duration: number },
  ): RateLimiterAbstract;
  /** Opens it before the first count. */
  prepare(): Promise<void>;
  /** Deletes the windows that have ended. */
  sweep(now: Date): Promise<void>;
}

/** The counters of all limits, shared by several processes. One instance per process. */
export class SharedCounts {
  readonly #store: CountStore;
  #prepared: Promise<void> | undefined;
  /** When the store is tried again after a failure. 0 after a success. */
  #retryAt = 0;
  #sweptAt = performance.now();

  constructor(store: CountStore) {
    this.#store = store;
  }

  /** A limiter with one window per key. */
  limiter({ points, windowSeconds: duration }: Limit, options: LimiterOptions): RateLimiterAbstract {
    return this.#store.limiter({ ...options, points, duration });
  }

  /** Runs a count. Undefined when the store fails or is too slow: the caller then counts in memory. */
  async counted<Answer>(count: () => Promise<Answer>): Promise<Answer | undefined> {
    const now = performance.now();
    if (now < this.#retryAt) return undefined;
    // Only this request tries; the others must not wait for another failure.
    if (this.#retryAt > 0) this.#retryAt = now + awayMs;
    try {
      await withTimeout(preparedWithinMs, this.#prepare());
      const answer = await withTimeout(answerWithinMs, count());
      this.#retryAt = 0;
      void this.#sweep();
      return answer;
    } catch {
      this.#retryAt = performance.now() + awayMs;
      return undefined;
    }
  }

  #prepare(): Promise<void> {
    this.#prepared ??= this.#store.prepare().catch((error: unknown) => {
      this.#prepared = undefined;
      throw error;
    });
    return this.#prepared;
  }

  async #sweep(): Promise<void> {
    const now = performance.now();
    if (now - this.#sweptAt < sweepEveryMs) return;
    this.#sweptAt = now;
    try {
      await this.#store.sweep(new Date());
    } catch {
      // Expired windows do no harm. The next sweep removes them.
    }
  }
}
