import type { Collection, Db } from 'mongodb';
import { RateLimiterMongo, type IRateLimiterMongoOptions } from 'rate-limiter-flexible';
import { createExpiryIndex, sweepEveryMs } from '../mongodb-expiry.ts';
import { withTimeout } from '../mongodb-timeout.ts';
import type { Limit } from './port.ts';

/** How long a request waits for its count. */
const answerWithinMs = 500;
/** How long the first request of a process waits: it creates the indexes. */
const preparedWithinMs = 5_000;
/** After a failure MongoDB is left alone for this long. Then one request tries again. */
const awayMs = 1_000;

/** A key's window, in the form of rate-limiter-flexible. */
interface Window {
  readonly key: string;
  readonly points: number;
  readonly expire: Date;
}

/**
 * The collection `limits`: counters of all rate limits and attempt limits, shared by all nodes. One instance per
 * process.
 */
export class MongoCounters {
  readonly #rows: Collection<Window>;
  #prepared: Promise<void> | undefined;
  /** When MongoDB is tried again after a failure. 0 after a success. */
  #retryAt = 0;
  #sweptAt = performance.now();

  constructor(db: Db) {
    // Does not wait for a majority: at worst a fail-over allows a few more requests. The library expects numbers,
    // not BigInts.
    this.#rows = db.collection('limits', { writeConcern: { w: 1 }, useBigInt64: false });
  }

  /** A limiter with one window per key. `options` are those of the library. */
  limiter(
    { points, windowSeconds }: Limit,
    options: Pick<IRateLimiterMongoOptions, 'keyPrefix' | 'inMemoryBlockOnConsumed'>,
  ): RateLimiterMongo {
    return new RateLimiterMongo({
      ...options,
      points,
      duration: windowSeconds,
      storeClient: { collection: () => this.#rows },
      tableName: 'limits',
      // We create the indexes ourselves: the library stops at the first index that a server refuses.
      disableIndexesCreation: true,
    });
  }

  /** Runs a count. Undefined when MongoDB fails or is too slow: the caller then counts in memory. */
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

  /** Creates the unique index on keys before the first count. */
  #prepare(): Promise<void> {
    this.#prepared ??= this.#makeIndexes().catch((error: unknown) => {
      this.#prepared = undefined;
      throw error;
    });
    return this.#prepared;
  }

  async #makeIndexes(): Promise<void> {
    await this.#rows.createIndex({ key: 1 }, { unique: true }, {});
    await createExpiryIndex(this.#rows, 'expire');
  }

  async #sweep(): Promise<void> {
    const now = performance.now();
    if (now - this.#sweptAt < sweepEveryMs) return;
    this.#sweptAt = now;
    try {
      await this.#rows.deleteMany({ expire: { $lte: new Date() } });
    } catch {
      // Expired windows do no harm. The next sweep removes them.
    }
  }
}
