import { createHash } from 'node:crypto';
import { MongoClient } from 'mongodb';

/**
 * On what the suites over real processes run. COMMONWEAL_ENGINES chooses: `embedded` (the default), `servers`
 * (EventStoreDB and MongoDB) or `eventstoredb` (EventStoreDB with read models in the data folder). The servers
 * are those of EVENTSTORE_URL and MONGODB_URL.
 */
export type Engines = 'embedded' | 'servers' | 'eventstoredb';

export const engines = (process.env['COMMONWEAL_ENGINES'] ?? 'embedded') as Engines;
export const isEmbedded = engines === 'embedded';
export const keepsViewsInFolder = engines !== 'servers';

const { EVENTSTORE_URL, MONGODB_URL } = process.env;

/** Why what these engines need is not there; undefined when it is. */
export const missing: string | undefined = isEmbedded
  ? undefined
  : EVENTSTORE_URL === undefined
    ? 'EVENTSTORE_URL is not set'
    : engines === 'servers' && MONGODB_URL === undefined
      ? 'MONGODB_URL is not set'
      : undefined;

/** What a suite is called on these engines, with the reason when it cannot run. */
export function onEngines(suite: string, reason = missing): string {
  const on = {
    embedded: '',
    servers: ' [on EventStoreDB and MongoDB]',
    eventstoredb: ' [on EventStoreDB with embedded read models]',
  }[engines];
  return reason === undefined ? suite + on : `${suite}${on} (skipped: ${reason})`;
}

/** The same for every process of a run; of a folder everything is its own: log, database, secrets. */
const masterKey = createHash('sha256').update('a key for tests alone').digest('base64');
const nameOf = (dataDir: string): string =>
  `t${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`;

/** The settings of whatever works on a data folder. */
export function engineSettings(dataDir: string): Record<string, string> {
  if (isEmbedded) return {};
  const servers = engines === 'servers';
  return {
    MASTER_KEY: masterKey,
    EVENTSTORE_URL: EVENTSTORE_URL ?? '',
    EVENTSTORE_NAMESPACE: nameOf(dataDir),
    ...(servers ? { MONGODB_URL: databaseOf(dataDir) } : {}),
  };
}

function databaseOf(dataDir: string): string {
  const url = new URL(MONGODB_URL ?? '');
  url.pathname = `/${nameOf(dataDir)}`;
  return url.href;
}

/** Drops what is made from the log in MongoDB, as docs/backup.md has it for starting read models anew. */
export async function dropAllButTheVault(dataDir: string): Promise<void> {
  if (engines !== 'servers' || missing !== undefined) return;
  const client = new MongoClient(databaseOf(dataDir));
  for (const { name } of await client.db().listCollections().toArray())
    if (!/^(vault$|erasures$|proof\.)/.test(name)) await client.db().dropCollection(name);
  await client.close();
}

/** Forgets what MongoDB holds of a data folder. */
export async function dropDatabase(dataDir: string): Promise<void> {
  if (engines !== 'servers' || missing !== undefined) return;
  const client = new MongoClient(databaseOf(dataDir));
  await client.db().dropDatabase();
  await client.close();
}
