import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openForWriting, scrubLog, Statements, transaction, type Schema, inFile } from '../sqlite.ts';
import { resealedAtOnce, type Resealed, type ResealOptions, type Vault } from './port.ts';
import type { MasterKey } from '../../ground/master-key.ts';
import { Sealer } from '../../ground/seal.ts';

export const vaultSchema: Schema = {
  version: 1,
  synchronous: 'FULL',
  sql: 'CREATE TABLE secrets (name TEXT PRIMARY KEY, sealed BLOB NOT NULL) STRICT, WITHOUT ROWID;',
};

/** Sorts after every character that may follow a prefix. */
const lastCharacter = '\u{10ffff}';

/** Secrets in `vault.db` of the data folder. A deleted secret is overwritten in the file and in the WAL. */
export class EmbeddedVault implements Vault {
  readonly #path: string;
  readonly #db: DatabaseSync;
  readonly #statements: Statements;
  readonly #sealer: Sealer;

  constructor(directory: string, masterKey: MasterKey) {
    this.#path = join(directory, 'vault.db');
    this.#db = openForWriting(this.#path, vaultSchema);
    this.#db.exec('PRAGMA secure_delete = ON');
    this.#statements = new Statements(this.#db);
    this.#sealer = new Sealer(masterKey, 'vault');
  }

  async put(name: string, secret: Uint8Array): Promise<void> {
    this.#run(() =>
      this.#statements
        .of('INSERT INTO secrets VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET sealed = excluded.sealed')
        .run(name, this.#sealer.seal(name, secret)),
    );
  }

  async putIfAbsent(name: string, secret: Uint8Array): Promise<Uint8Array> {
    return this.#run(() => {
      this.#insert(name, secret);
      const row = this.#statements.of('SELECT sealed FROM secrets WHERE name = ?').get(name) as {
        sealed: Uint8Array;
      };
      return this.#sealer.unseal(name, row.sealed);
    });
  }

  async putAllIfAbsent(secrets: ReadonlyMap<string, Uint8Array>): Promise<void> {
    this.#run(() =>
      transaction(this.#db, () => {
        for (const [name, secret] of secrets) this.#insert(name, secret);
      }),
    );
  }

  async get(name: string): Promise<Uint8Array | undefined> {
    return this.#run(() => this.#get(name));
  }

  async getMany(names: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    return this.#run(() => {
      const found = new Map<string, Uint8Array>();
      for (const name of names) {
        const secret = this.#get(name);
        if (secret) found.set(name, secret);
      }
      return found;
    });
  }

  async delete(name: string): Promise<void> {
    this.#run(() => {
      this.#statements.of('DELETE FROM secrets WHERE name = ?').run(name);
      scrubLog(this.#db, this.#path);
    });
  }

  async names(prefix: string): Promise<string[]> {
    return this.#run(() =>
      this.#statements
        // A range of the index: there is a data key per person, and a list asks for few names.
        .of('SELECT name FROM secrets WHERE name >= ? AND name < ? ORDER BY name')
        .all(prefix, prefix + lastCharacter)
        .map((row) => row['name'] as string),
    );
  }

  async reseal({ signal, onSecrets }: ResealOptions): Promise<Resealed> {
    let [checked, resealed] = [0, 0];
    for (let after = ''; ;) {
      signal.throwIfAborted();
      const rows = this.#run(() =>
        this.#statements
          .of('SELECT name, sealed FROM secrets WHERE name > ? ORDER BY name LIMIT +?')
          .all(after, resealedAtOnce),
      ) as { name: string; sealed: Uint8Array }[];
      const last = rows.at(-1);
      if (!last) break;
      after = last.name;
      const anew = rows.flatMap(({ name, sealed }) => {
        const under = this.#sealer.resealed(name, sealed);
        return under ? [{ name, sealed, under }] : [];
      });
      if (anew.length > 0) {
        this.#run(() =>
          transaction(this.#db, () => {
            // Only what is still as it was read: a secret that was replaced or destroyed meanwhile stays so.
            const update = this.#statements.of('UPDATE secrets SET sealed = ? WHERE name = ? AND sealed = ?');
            for (const { name, sealed, under } of anew) update.run(under, name, sealed);
          }),
        );
      }
      checked += rows.length;
      resealed += anew.length;
      onSecrets?.(checked);
      // Others have their turn: this may run in the process of a server.
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (resealed > 0) this.#run(() => this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
    return { checked, resealed };
  }

  async close(): Promise<void> {
    if (this.#db.isOpen) this.#db.close();
  }

  #insert(name: string, secret: Uint8Array): void {
    this.#statements
      .of('INSERT INTO secrets VALUES (?, ?) ON CONFLICT DO NOTHING')
      .run(name, this.#sealer.seal(name, secret));
  }

  #get(name: string): Uint8Array | undefined {
    const row = this.#statements.of('SELECT sealed FROM secrets WHERE name = ?').get(name) as
      { sealed: Uint8Array } | undefined;
    return row && this.#sealer.unseal(name, row.sealed);
  }

  #run<Result>(work: () => Result): Result {
    return inFile(this.#path, work);
  }
}
