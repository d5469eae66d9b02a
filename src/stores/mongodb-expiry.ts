import { MongoServerError, type Collection, type Document } from 'mongodb';

/**
 * Creates a TTL index, so that the server removes expired documents. Compatible servers may refuse it or ignore it.
 * So stores also check the date when they read, and sweep by themselves, using the index.
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

/**
 * Creates an index of the documents that have a field, by it and the id. A compatible server without partial indexes
 * gets one of all documents.
 */
export async function createPartialIndex<Kept extends Document>(
  collection: Collection<Kept>,
  field: keyof Kept & string,
): Promise<void> {
  try {
    const partialFilterExpression = { [field]: { $exists: true } };
    await collection.createIndex({ [field]: 1, _id: 1 }, { partialFilterExpression }, {});
  } catch (error) {
    if (!(error instanceof MongoServerError)) throw error;
    await collection.createIndex({ [field]: 1, _id: 1 }, {}, {});
  }
}

/** How often a store removes expired documents. A server without the index reads the whole collection for it. */
export const sweepEveryMs = 10 * 60_000;
