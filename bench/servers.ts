import { createHash, randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';

/** The servers to measure on; each undefined when its variable is not set. */
export const eventStoreUrl = process.env['EVENTSTORE_URL'] || undefined;
export const mongoUrl = process.env['MONGODB_URL'] || undefined;

/** A name nobody has used: of a namespace or a database. */
export const freshName = (): string => `bench-${randomBytes(4).toString('hex')}`;

export const masterKey = createHash('sha256').update('a key for measurements alone').digest('base64');

/** A database of its own on the server of MONGODB_URL, and how to be rid of it. */
export function freshDatabase(): { readonly url: string; drop(): Promise<void> } {
  const url = new URL(mongoUrl ?? '');
  url.pathname = `/${freshName()}`;
  return {
    url: url.href,
    async drop() {
      const client = new MongoClient(url.href);
      await client.db().dropDatabase();
      await client.close();
    },
  };
}
