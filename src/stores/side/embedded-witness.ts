import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { inFile, openForWriting, Statements, type Schema } from '../sqlite.ts';
import type { CosignedTree, WitnessStore } from './witness-port.ts';

const witnessSchema: Schema = {
  version: 1,
  // A checkpoint that was cosigned must not be lost with the power: another one could be cosigned for its size.
  synchronous: 'FULL',
  sql: `
    CREATE TABLE logs (
      origin TEXT PRIMARY KEY, size INTEGER NOT NULL, root BLOB NOT NULL, note TEXT NOT NULL
    ) STRICT;

    CREATE TRIGGER logs_grow BEFORE UPDATE ON logs
      WHEN NEW.origin <> OLD.origin OR NEW.size < OLD.size OR (NEW.size = OLD.size AND NEW.root <> OLD.root)
      BEGIN SELECT raise(ABORT, 'what was cosigned is only followed by larger trees'); END;
    CREATE TRIGGER logs_stay BEFORE DELETE ON logs
      BEGIN SELECT raise(ABORT, 'what was cosigned is never forgotten'); END;
  `,
};

/** No part of the schema: it is made where it is missing. */
const idTable = 'CREATE TABLE IF NOT EXISTS store (id TEXT NOT NULL) STRICT';

interface LogRow {
  readonly size: number;
  readonly root: Uint8Array;
  readonly note: string;
}

/**
 * What a witness remembers, in `witness.db` of its folder. The file is opened, and made, with the first use: most
 * installations are no witness.
 */
export class EmbeddedWitnessStore implements WitnessStore {
  readonly #path: string;
  #opened: { readonly db: DatabaseSync; readonly statements: Statements } | undefined;

  constructor(directory: string) {
    this.#path = join(directory, 'witness.db');
  }

  async id(): Promise<string> {
    return this.#inFile((statements) => {
      // One statement: of two processes one makes it.
      statements.of('INSERT INTO store SELECT ? WHERE NOT EXISTS (SELECT 1 FROM store)').run(randomUUID());
      return (statements.of('SELECT id FROM store').get() as { readonly id: string }).id;
    });
  }

  async newest(origin: string): Promise<CosignedTree | undefined> {
    const row = this.#inFile((statements) =>
      statements.of('SELECT size, root, note FROM logs WHERE origin = ?').get(origin),
    ) as LogRow | undefined;
    return row && { size: row.size, root: Buffer.from(row.root), note: row.note };
  }

  /** Each is one statement: no other process comes between its condition and its write. */
  async advance(
    origin: string,
    { size, root, note }: CosignedTree,
    former: CosignedTree | undefined,
  ): Promise<boolean> {
    const { changes } = this.#inFile(
      (statements) =>
        former === undefined
          ? statements
              .of('INSERT INTO logs VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING')
              .run(origin, size, root, note)
          : statements
              .of('UPDATE logs SET size = ?, root = ?, note = ? WHERE origin = ? AND size = ? AND root = ?')
              .run(size, root, note, origin, former.size, former.root),
      'unknown',
    );
    return changes === 1;
  }

  async close(): Promise<void> {
    if (this.#opened?.db.isOpen) this.#opened.db.close();
  }

  #inFile<Result>(work: (statements: Statements) => Result, outcome?: 'unknown'): Result {
    const { statements } = (this.#opened ??= this.#open());
    return inFile(this.#path, () => work(statements), outcome);
  }

  #open() {
    const db = openForWriting(this.#path, witnessSchema, idTable);
    return { db, statements: new Statements(db) };
  }
}
