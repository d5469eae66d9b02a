import { join } from 'node:path';
import { openForWriting, storeError } from '../../sqlite.ts';
import { eventsSchema } from './schema.ts';

/**
 * Keeps every process from appending until it is released: the write lock itself, held by a transaction that
 * writes nothing. Who appends meanwhile waits ten seconds and is then refused; reading goes on.
 *
 * @throws StoreError unavailable when somebody else has held it for as long
 */
export function lockAppends(directory: string): { release(): void } {
  const path = join(directory, 'events.db');
  const db = openForWriting(path, eventsSchema);
  try {
    db.exec('BEGIN IMMEDIATE');
  } catch (error) {
    db.close();
    throw storeError(error, path);
  }
  return {
    release: () => {
      if (db.isOpen) db.close();
    },
  };
}
