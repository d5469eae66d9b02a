import type { Collection, Db } from 'mongodb';
import { RateLimiterMongo, type IRateLimiterMongoOptions } from 'rate-limiter-flexible';
import { createExpiryIndex, sweepEveryMs } from '../mongodb/expiry.ts';
import { withTimeout } from '../mongodb/timeout.ts';
import type { Limit } from './port.ts';

/** A request is not kept waiting for longer than this by the counting of it; */
const answerWithinMs = 500;
/** the first of a process, for which indexes are made, not for longer than this. */
const preparedWithinMs = 5_000;
/** After a failure nothing is counted in MongoDB for this long; then one request tries again. */
const awayMs = 1_000;

/** As the library keeps a key's window. */
interface Window {
  readonly key: string;
  readonly points: number;
  readonly expire: Date;
}

/** The collection `limits`, in which all that is limited is counted for all nodes; one for each process. */
export class MongoCounters {
  readonly #rows: Collection<Window>;
  #prepared: Promise<void> | undefined;
  /** When MongoDB is tried again after a failure; 0 after a success. */
  #retryAt = 0;
  #sweptAt = performance.now();

  constructor(db: Db) {
    // Not worth waiting for a majority: at worst, a fail-over gives somebody a few requests more. And a count is
    // a number to the library.
    this.#rows = db.collection('limits', { writeConcern: { w: 1 }, useBigInt64: false });
  }

  /** Counts keys in windows of their own; the library's `options` say how else. */
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
      // Its way to make them ends with the first that a server refuses, before the one that it counts by.
      disableIndexesCreation: true,
    });
  }

  /** What a limiter answers in time; undefined while MongoDB does not answer, and each node counts for itself. */
  async counted<Answer>(count: () => Promise<Answer>): Promise<Answer | undefined> {
    const now = performance.now();
    if (now < this.#retryAt) return undefined;
    // Of those that come while this one tries, none else has to wait for another failure.
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

  /** The index by which a key has one window, before anything is counted. */
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
      // What has expired counts no more; it is removed the next time.
    }
  }
}
