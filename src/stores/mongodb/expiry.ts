import { MongoServerError, type Collection, type Document } from 'mongodb';

/**
 * Asks the server to remove documents whose date has passed. Peers refuse that, or agree and do nothing; so
 * whoever keeps such documents looks at the date when reading and sweeps by himself, for which the index serves.
 */
export async function createExpiryIndex<Kept extends Document>(
  collection: Collection<Kept>,
  date: keyof Kept & string,
): Promise<void> {
  try {
    await collection.createIndex({ [date]: 1 }, { expireAfterSeconds: 0 }, {});
  } catch (error) {
    if (!(error instanceof MongoServerError)) throw error;
    await collection.createIndex({ [date]: 1 }, {}, {});
  }
}

/** How often who keeps expiring documents sweeps: a peer without indexes reads a whole collection for it. */
export const sweepEveryMs = 10 * 60_000;
