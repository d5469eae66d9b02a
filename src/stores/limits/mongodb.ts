import type { Collection, Db } from 'mongodb';
import { RateLimiterMemory, RateLimiterMongo } from 'rate-limiter-flexible';
import { removesExpired, sweepEveryMs } from '../mongodb/expiry.ts';
import { keyOf } from '../mongodb/keys.ts';
import { within } from '../mongodb/within.ts';
import { Ahead } from './ahead.ts';
import type { Allowance, Limit, Limits } from './port.ts';
import { allowances, spend, type Spent } from './spend.ts';

/** A request is not kept waiting for longer than this by the counting of it; */
const answerWithinMs = 500;
/** the first of a process, for which indexes are made, not for longer than this. */
const preparedWithinMs = 5_000;
/** Requests that were let through before they were counted are so after this. */
const countedAfterMs = 50;
/** After a failure everything is counted here for this long; then one request tries again. */
const awayMs = 1_000;

/** As the library keeps a key's window. */
interface Window {
  readonly key: string;
  readonly points: number;
  readonly expire: Date;
}

interface Asker {
  readonly resolve: (allowance: Allowance) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Counted in the collection `limits`, so that a key has one limit on all nodes. A command costs the driver about
 * 100 µs of this thread, more than all else of a small request; therefore requests of one key that arrive in one
 * turn, or while its last are being counted, are counted by one command, and a key over its limit by none. A key
 * that has used less than half of its limit is not kept waiting: what it asks within 50 ms is counted together,
 * after it was let through; so it may, at the worst, get as much more as it asks of the nodes in that time. While
 * MongoDB does not answer, each node counts for itself.
 *
 * FerretDB 1.x may lose a count where two nodes count the same key in the same moment.
 */
export class MongoLimits implements Limits {
  readonly points: number;
  readonly windowSeconds: number;
  readonly #windows: Collection<Window>;
  readonly #shared: RateLimiterMongo;
  readonly #own: RateLimiterMemory;
  /** Keys that are being counted, with those who have asked since. */
  readonly #asking = new Map<string, Asker[]>();
  readonly #ahead: Ahead;
  /** Whether what was let through is about to be counted. */
  #counting = false;
  #prepared: Promise<void> | undefined;
  /** When MongoDB is tried again after a failure; 0 after a success. */
  #retryAt = 0;
  #sweptAt = performance.now();

  constructor(db: Db, { points, windowSeconds }: Limit) {
    this.points = points;
    this.windowSeconds = windowSeconds;
    // Not worth waiting for a majority: at worst, a fail-over gives somebody a few requests more. And a count is
    // a number to the library.
    this.#windows = db.collection('limits', { writeConcern: { w: 1 }, useBigInt64: false });
    const limit = { points, duration: windowSeconds, keyPrefix: '' };
    this.#ahead = new Ahead(points);
    this.#own = new RateLimiterMemory(limit);
    this.#shared = new RateLimiterMongo({
      ...limit,
      storeClient: { collection: () => this.#windows },
      tableName: 'limits',
      // Its way to make them ends with the first that a server refuses, before the one that it counts by.
      disableIndexesCreation: true,
      inMemoryBlockOnConsumed: points,
    });
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
        const said = allowances(await this.#spend(key, askers.length), askers.length, this.points);
        for (const [place, { resolve }] of askers.entries()) resolve(said[place] as Allowance);
      } catch (error) {
        for (const { reject } of askers) reject(error);
      }
    }
    this.#asking.delete(key);
    void this.#sweep();
  }

  async #countAhead(): Promise<void> {
    this.#counting = false;
    await Promise.all(this.#ahead.keys().map((key) => this.#spend(key, 0)));
  }

  /** Counts so many requests, and those of the key that were let through before. */
  async #spend(key: string, waiting: number): Promise<Spent> {
    const now = performance.now();
    const requests = waiting + this.#ahead.take(key, now);
    if (requests === 0) return { used: undefined, resetMs: 0 };
    if (now >= this.#retryAt) {
      // Of those that come while this one tries, none else has to wait for another failure.
      if (this.#retryAt > 0) this.#retryAt = now + awayMs;
      try {
        await within(preparedWithinMs, this.#prepare());
        const spent = await within(answerWithinMs, spend(this.#shared, keyOf(key), requests));
        this.#retryAt = 0;
        this.#ahead.learn(key, spent, performance.now());
        return spent;
      } catch {
        this.#ahead.forget();
        this.#retryAt = performance.now() + awayMs;
      }
    }
    return spend(this.#own, key, requests);
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
    await this.#windows.createIndex({ key: 1 }, { unique: true }, {});
    await removesExpired(this.#windows, 'expire');
  }

  async #sweep(): Promise<void> {
    const now = performance.now();
    if (now - this.#sweptAt < sweepEveryMs) return;
    this.#sweptAt = now;
    try {
      await this.#windows.deleteMany({ expire: { $lte: new Date() } });
    } catch {
      // What has expired counts no more; it is removed the next time.
    }
  }
}
