import { MongoClient, type Db } from 'mongodb';
import { StoreError } from './errors.ts';
import { reconnects, type MeasuredReconnect } from './measured.ts';
import { isRefused, mongoError } from './mongodb-errors.ts';
import { reconnectWhenStuck } from './mongodb-monitor.ts';

/** The MongoDB client of this process, and the database that its address names. */
export interface MongoConnection {
  readonly db: Db;
  /**
   * Resolves when a writable server answers.
   * @throws StoreError unavailable, or incompatible when waiting will not help
   */
  ready(): Promise<void>;
  close(): Promise<void>;
}

/** The database when the address names none. */
const defaultDatabase = 'commonweal';

/**
 * Connects on first use. Reads go to the primary with read concern majority, and every write is confirmed by a
 * majority: a fail-over neither undoes a confirmed write nor brings back old data.
 *
 * @throws StoreError incompatible, for an address that cannot be read
 */
export function connectToMongo(url: string): MongoConnection {
  const client = clientFor(url);
  const stopWatching = reconnectWhenStuck(client);
  client.on('connectionPoolCleared', () =>
    reconnects.publish({ store: 'mongodb' } satisfies MeasuredReconnect),
  );
  const named = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/.exec(url)?.[1];
  const db = client.db(named ?? defaultDatabase);
  return {
    db,
    ready: async () => {
      try {
        await db.command({ ping: 1 });
      } catch (error) {
        const failure = mongoError(error, 'connecting');
        if (!isRefused(error)) throw failure;
        throw new StoreError('incompatible', failure.message, { cause: error });
      }
    },
    close: () => {
      stopWatching();
      return client.close();
    },
  };
}

/** @throws StoreError incompatible, for an address that cannot be read */
function clientFor(url: string): MongoClient {
  try {
    return new MongoClient(url, {
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
  } catch (error) {
    throw mongoError(error, 'connecting');
  }
}
