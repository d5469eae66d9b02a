import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, type Config } from '../config.ts';
import { readModelsFile } from '../stores/embedded-files.ts';
import { hasLeftLog, openForReading } from '../stores/sqlite.ts';

/**
 * What is lost with a file that is made anew without a word when it is missing, and how streams are called that there are only
 * since it was there. The start refuses a lost vault, nothing is signed after a lost proof log, and read models are made from the log.
 */
const lostWith = [
  {
    name: 'consumers.db',
    after: 'webhook-delivery-',
    lost: 'how far webhooks were scheduled. They are scheduled from the first event again, and none is sent twice',
  },
  {
    name: 'side.db',
    after: '',
    lost: 'emails that waited, imports in the browser, the attempts of webhooks with what receivers answered, how often passwords were guessed at, and what keys were used for',
  },
] as const;

/**
 * One line for each file that is missing from a folder with a log, before it is made anew. One that has left its write-ahead
 * log is not made anew: opening it says so.
 */
export function missingFiles({ dataDir, eventStoreUrl, mongoUrl }: Config): string[] {
  if (eventStoreUrl !== undefined) return [];
  return lostWith
    .filter(({ name }) => !(name === 'side.db' && mongoUrl !== undefined))
    .map(({ name, ...of }) => ({ ...of, path: join(dataDir, name) }))
    .filter(({ path }) => !existsSync(path) && !hasLeftLog(path))
    .filter(({ after }) => hasStream(join(dataDir, 'events.db'), after))
    .map(({ path, lost }) => `${path} is missing, and is made anew. This is lost: ${lost}.`);
}

/**
 * Refuses to begin an empty log beside what another one has left: its file was removed, or DATA_DIR is another folder.
 * @throws ConfigError
 */
export function refuseMissingLog({ dataDir, eventStoreUrl, mongoUrl }: Config): void {
  if (eventStoreUrl !== undefined || mongoUrl !== undefined || existsSync(join(dataDir, 'events.db'))) return;
  const left = ['vault.db', 'log.db', readModelsFile].filter((name) => existsSync(join(dataDir, name)));
  if (left.length === 0) return;
  throw new ConfigError(
    `${join(dataDir, 'events.db')}, the log, is gone, and ${left.join(' and ')} of it ${left.length > 1 ? 'are' : 'is'} there. Nothing was changed. Put the file back, or restore a backup: docs/backup.md, "Restore". For a new installation set DATA_DIR to an empty folder.`,
  );
}

/** Whether a log has a stream whose name begins so. A first start that was killed has made the file alone. */
function hasStream(path: string, prefix: string): boolean {
  if (!existsSync(path)) return false;
  try {
    const db = openForReading(path);
    try {
      const next = db
        .prepare('SELECT stream FROM events WHERE stream >= ? ORDER BY stream LIMIT 1')
        .get(prefix);
      return typeof next?.['stream'] === 'string' && next['stream'].startsWith(prefix);
    } finally {
      db.close();
    }
  } catch {
    // Opening the store says what is wrong with it.
    return false;
  }
}
