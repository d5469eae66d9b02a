import type { DatabaseSync } from 'node:sqlite';
import { openForWriting, Statements, storeError, transaction, type Schema, inFile } from '../sqlite.ts';

export const sideSchema: Schema = {
  version: 1,
  synchronous: 'FULL',
  sql: `
    CREATE TABLE entries (
      name TEXT NOT NULL,
      id TEXT NOT NULL,
      expires_at INTEGER,
      value TEXT NOT NULL,
      PRIMARY KEY (name, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX entries_by_expiry ON entries (expires_at) WHERE expires_at IS NOT NULL;
  `,
};

/**
 * Open entries of journals: few, so that beginning and ending one costs no search in the large table. No part of the
 * schema's version: a release that does not know the table leaves it alone.
 */
const openEntriesSql = `
  CREATE TABLE IF NOT EXISTS open_entries (
    name TEXT NOT NULL,
    journal_group TEXT NOT NULL,
    id TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (name, journal_group, id)
  ) STRICT, WITHOUT ROWID`;

/** How often expired entries are removed. Reads skip them at once. */
const sweepMs = 60_000;

/** One change, as plain data: it can be sent to a thread. Values are JSON, times are milliseconds since 1970. */
export type SideWrite =
  | readonly [kind: 'put', name: string, id: string, expiresAt: number | null, value: string]
  | readonly [
      kind: 'put if absent',
      name: string,
      id: string,
      expiresAt: number | null,
      value: string,
      at: number,
    ]
  | readonly [kind: 'delete', name: string, id: string]
  | readonly [kind: 'open', name: string, group: string, id: string, value: string]
  | readonly [kind: 'complete', name: string, group: string, id: string, expiresAt: number, value: string]
  | readonly [kind: 'withdraw', name: string, group: string, id: string];

const putSql = `
  INSERT INTO entries VALUES (?, ?, ?, ?)
  ON CONFLICT (name, id) DO UPDATE SET expires_at = excluded.expires_at, value = excluded.value`;
const openSql = `
  INSERT INTO open_entries VALUES (?, ?, ?, ?)
  ON CONFLICT (name, journal_group, id) DO UPDATE SET value = excluded.value`;
const withdrawSql = 'DELETE FROM open_entries WHERE name = ? AND journal_group = ? AND id = ?';

/** Writes `side.db`: changes that come together in one durable transaction. */
export class SideWriter {
  readonly db: DatabaseSync;
  readonly #path: string;
  readonly #statements: Statements;
  #sweptAt = 0;

  constructor(path: string) {
    this.#path = path;
    this.db = openForWriting(path, sideSchema);
    this.#statements = new Statements(this.db);
    try {
      // What is deleted is overwritten: an email, for example, when it is sent or its person is erased.
      this.db.exec('PRAGMA secure_delete = ON');
      this.db.exec(openEntriesSql);
    } catch (error) {
      this.db.close();
      throw storeError(error, path);
    }
  }

  /** Makes all changes, or none. Returns how many rows each has changed. @throws StoreError with outcome unknown */
  commit(writes: readonly SideWrite[]): number[] {
    const applied = () => {
      const changed = writes.map((write) => this.#apply(write));
      this.#sweep();
      return changed;
    };
    return inFile(this.#path, () => transaction(this.db, applied), 'unknown');
  }

  close(): void {
    if (this.db.isOpen) this.db.close();
  }

  #apply(write: SideWrite): number {
    switch (write[0]) {
      case 'put':
        return this.#run(putSql, write.slice(1));
      case 'put if absent':
        return this.#run(`${putSql} WHERE entries.expires_at <= ?`, write.slice(1));
      case 'delete':
        return this.#run('DELETE FROM entries WHERE name = ? AND id = ?', write.slice(1));
      case 'open':
        return this.#run(openSql, write.slice(1));
      case 'complete': {
        const [, name, group, id, expiresAt, value] = write;
        this.#run(withdrawSql, [name, group, id]);
        return this.#run(putSql, [name, id, expiresAt, value]);
      }
      case 'withdraw':
        return this.#run(withdrawSql, write.slice(1));
    }
  }

  #run(sql: string, values: readonly (string | number | null)[]): number {
    return Number(this.#statements.of(sql).run(...values).changes);
  }

  #sweep(): void {
    const now = Date.now();
    if (now - this.#sweptAt < sweepMs) return;
    this.#sweptAt = now;
    this.#run('DELETE FROM entries WHERE expires_at <= ?', [now]);
  }
}
