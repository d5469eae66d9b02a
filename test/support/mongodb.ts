import { randomUUID } from 'node:crypto';
import { connectToMongo, type MongoConnection } from '../../src/stores/mongodb-connection.ts';

export const mongodbUrl = process.env['MONGODB_URL'];

/** A database of its own, and as many connections to it as are wanted. */
export interface TestDatabase {
  readonly url: string;
  connect(url?: string): MongoConnection;
  dispose(): Promise<void>;
}

export function testDatabase(server: string): TestDatabase {
  const address = new URL(server);
  address.pathname = `/commonweal-test-${randomUUID().slice(0, 8)}`;
  const connections: MongoConnection[] = [];
  const connect = (url = address.href) => {
    const connection = connectToMongo(url);
    connections.push(connection);
    return connection;
  };
  return {
    url: address.href,
    connect,
    async dispose() {
      await connect().db.dropDatabase();
      await Promise.all(connections.map((connection) => connection.close()));
    },
  };
}

/** What a suite is called, and whether it can run. */
export const withoutMongodb = mongodbUrl === undefined ? ' (skipped: MONGODB_URL is not set)' : '';
