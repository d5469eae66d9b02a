import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openForWriting, inFile } from '../../sqlite.ts';
import type { GroupState } from '../group-source.ts';
import { consumersSchema } from './consumers.ts';

/**
 * State that the reconcilers of consumer groups keep. FULL, unlike the groups' own state: a power cut must not lose
 * since when an event type counts, or it would count from a later position.
 */
export class EmbeddedGroupState implements GroupState {
  readonly #path: string;
  #opened: DatabaseSync | undefined;

  constructor(directory: string) {
    this.#path = join(directory, 'consumers.db');
  }

  async get(id: string): Promise<unknown> {
    return this.#with((db) => {
      const row = db.prepare('SELECT note FROM notes WHERE id = ?').get(id) as { note: string } | undefined;
      return row && (JSON.parse(row.note) as unknown);
    });
  }

  async put(id: string, note: unknown): Promise<void> {
    this.#with((db) =>
      db
        .prepare('INSERT INTO notes VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET note = excluded.note')
        .run(id, JSON.stringify(note)),
    );
  }

  async close(): Promise<void> {
    if (this.#opened?.isOpen) this.#opened.close();
  }

  #with<Result>(work: (db: DatabaseSync) => Result): Result {
    return inFile(this.#path, () => work((this.#opened ??= this.#open())));
  }

  #open(): DatabaseSync {
    const db = openForWriting(this.#path, { ...consumersSchema, synchronous: 'FULL' });
    // Not part of the schema, so that older releases still open the file.
    db.exec(
      'CREATE TABLE IF NOT EXISTS notes (id TEXT PRIMARY KEY, note TEXT NOT NULL) STRICT, WITHOUT ROWID',
    );
    return db;
  }
}
