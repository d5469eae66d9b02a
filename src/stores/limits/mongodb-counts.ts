import type { Db } from 'mongodb';
import RateLimiterMongo from 'rate-limiter-flexible/lib/RateLimiterMongo.js';
import { createExpiryIndex } from '../mongodb-expiry.ts';
import { SharedCounts } from './shared-counts.ts';

/** A key's window, in the form of rate-limiter-flexible. */
interface Window {
  readonly key: string;
  readonly points: number;
  readonly expire: Date;
}

/** The collection `limits`, shared by all nodes. */
export function mongodbCounts(db: Db): SharedCounts {
  // Does not wait for a majority: at worst a fail-over allows a few more requests. The library expects numbers, not
  // BigInts.
  const rows = db.collection<Window>('limits', { writeConcern: { w: 1 }, useBigInt64: false });
  return new SharedCounts({
    limiter: (options) =>
      new RateLimiterMongo({
        ...options,
        storeClient: { collection: () => rows },
        tableName: 'limits',
        // We create the indexes ourselves: the library stops at the first index that a server refuses.
        disableIndexesCreation: true,
      }),
    async prepare() {
      await rows.createIndex({ key: 1 }, { unique: true }, {});
      await createExpiryIndex(rows, 'expire');
    },
    async sweep(now) {
      await rows.deleteMany({ expire: { $lte: now } });
    },
  });
}
