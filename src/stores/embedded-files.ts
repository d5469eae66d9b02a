import { DatabaseSync } from 'node:sqlite';
import { consumersSchema } from './event-store/embedded/consumers.ts';
import { eventsSchema } from './event-store/embedded/schema.ts';
import { laterLogs, proofLogSchema } from './side/embedded-proof-log.ts';
import { sideSchema } from './side/embedded-writer.ts';
import { damageGuide, storeError } from './sqlite.ts';
import { vaultSchema } from './vault/embedded.ts';

/** What an embedded store keeps in DATA_DIR and cannot make again. Read models are not among it. */
export interface EmbeddedFile {
  readonly name: string;
  readonly part: 'proof-log' | 'log' | 'consumers' | 'vault' | 'side';
  /** The format that this release reads and writes, `user_version`. */
  readonly format: number;
  /** The statements that make its tables, indexes and triggers. */
  readonly schema: string;
  /** Those that follow from what an open file holds. */
  readonly further?: (db: DatabaseSync) => string;
}

export const embeddedFiles: readonly EmbeddedFile[] = [
  {
    name: 'log.db',
    part: 'proof-log',
    format: proofLogSchema.version,
    schema: proofLogSchema.sql,
    further: laterLogs,
  },
  { name: 'events.db', part: 'log', format: eventsSchema.version, schema: eventsSchema.sql },
  { name: 'consumers.db', part: 'consumers', format: consumersSchema.version, schema: consumersSchema.sql },
  { name: 'vault.db', part: 'vault', format: vaultSchema.version, schema: vaultSchema.sql },
  { name: 'side.db', part: 'side', format: sideSchema.version, schema: sideSchema.sql },
];

/**
 * Deletes a side table from a copy of `side.db` that nobody uses, and overwrites it: what must not outlive its day is in no
 * backup.
 */
export function deleteSideTable(path: string, name: string): void {
  const db = new DatabaseSync(path);
  try {
    db.exec('PRAGMA secure_delete = ON');
    db.prepare('DELETE FROM entries WHERE name = ?').run(name);
  } catch (error) {
    throw storeError(error, path);
  } finally {
    db.close();
  }
}

/** Made from the log, and made anew whenever it is missing. */
export const readModelsFile = 'views.db';

/** A database and the files that SQLite keeps beside it. */
export const withJournals = (name: string): readonly string[] => [
  name,
  `${name}-wal`,
  `${name}-shm`,
  `${name}-journal`,
];

/** What to do about a damaged file. None is ever deleted: it may hold what nothing else does. */
export const remedyOf = (name: string): string =>
  ['events.db', 'vault.db', 'log.db'].includes(name)
    ? `Stop the service, keep a copy of the file, and restore a backup: ${damageGuide}.`
    : `Stop the service, move the file with its -wal and -shm out of the folder, and start: it is made anew. What is lost with it: ${damageGuide}.`;
