import { MongoClient, type Db } from 'mongodb';

/** One client for all that a process keeps in MongoDB, and the database that its address names. */
export interface MongoConnection {
  readonly db: Db;
  close(): Promise<void>;
}

/** The database where the address names none. */
const defaultDatabase = 'commonweal';

/**
 * Connects when something is first asked for. Whatever decides who may do what is read from the primary as a
 * majority holds it, and every write is confirmed by a majority: after a fail-over nothing that was answered
 * is undone, and nothing old comes back.
 */
export function connectToMongo(url: string): MongoConnection {
  const client = new MongoClient(url, {
    appName: 'commonweal',
    readPreference: 'primary',
    readConcern: { level: 'majority' },
    writeConcern: { w: 'majority', journal: true },
    serverSelectionTimeoutMS: 5_000,
    connectTimeoutMS: 5_000,
    promoteLongs: true,
    useBigInt64: true,
    ignoreUndefined: true,
  });
  const named = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/.exec(url)?.[1];
  return { db: client.db(named ?? defaultDatabase), close: () => client.close() };
}
