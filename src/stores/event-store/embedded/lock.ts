import { join } from 'node:path';
import { openForWriting, storeError } from '../../sqlite.ts';
import { eventsSchema } from './schema.ts';

/**
 * Prevents appends by all processes until it is released: an open transaction that holds the write lock and writes
 * nothing. Other appends wait ten seconds and then fail. Reads continue.
 *
 * @throws StoreError unavailable when another process has held the lock for ten seconds
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
