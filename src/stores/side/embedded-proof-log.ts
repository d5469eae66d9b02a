import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openForWriting, Statements, transaction, type Schema, inFile } from '../sqlite.ts';
import type {
  BundlePlace,
  EndedLog,
  ProofLog,
  ProofTile,
  SignedLog,
  SignedTree,
  StoredCosignature,
  TilePlace,
} from './proof-log-port.ts';
import { changedTile, endedAlready, grown, hasEnded, suffixOf, superseded } from './proof-log-rules.ts';

/** The tables of one log. The suffix tells them from those of the logs before it. */
const treeTables = (suffix: string): string => `
    CREATE TABLE tiles${suffix} (
      level INTEGER NOT NULL, "index" INTEGER NOT NULL, hashes BLOB NOT NULL,
      PRIMARY KEY (level, "index")
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE checkpoints${suffix} (
      size INTEGER PRIMARY KEY, note TEXT NOT NULL, signed_at TEXT NOT NULL, epoch INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE bundles${suffix} ("index" INTEGER PRIMARY KEY, after TEXT NOT NULL) STRICT;

    CREATE TRIGGER tiles_grow${suffix} BEFORE UPDATE ON tiles${suffix}
      WHEN NEW.level <> OLD.level OR NEW."index" <> OLD."index"
        OR substr(NEW.hashes, 1, length(OLD.hashes)) <> OLD.hashes
      BEGIN SELECT raise(ABORT, 'a tile of the proof log only grows'); END;
    CREATE TRIGGER tiles_stay${suffix} BEFORE DELETE ON tiles${suffix}
      BEGIN SELECT raise(ABORT, 'a tile of the proof log is never deleted'); END;
    CREATE TRIGGER checkpoints_stay${suffix} BEFORE DELETE ON checkpoints${suffix}
      BEGIN SELECT raise(ABORT, 'a checkpoint is never deleted'); END;
    CREATE TRIGGER checkpoints_never_change${suffix} BEFORE UPDATE ON checkpoints${suffix}
      BEGIN SELECT raise(ABORT, 'a checkpoint never changes'); END;
    CREATE TRIGGER checkpoints_grow${suffix} BEFORE INSERT ON checkpoints${suffix}
      WHEN NEW.size <= (SELECT max(size) FROM checkpoints${suffix})
      BEGIN SELECT raise(ABORT, 'a checkpoint is of a larger tree than the one before'); END;
  `;

export const proofLogSchema: Schema = {
  version: 1,
  // A checkpoint that was given away must not be lost with the power: the next one could contradict it.
  synchronous: 'FULL',
  sql: treeTables(''),
};

/**
 * Beside the schema, so that older releases still open the file. A later cosignature of the same checkpoint by the same
 * witness says more than an earlier one, so it replaces it.
 */
const cosignaturesTable = (suffix: string): string => `
  CREATE TABLE IF NOT EXISTS cosignatures${suffix} (
    size INTEGER NOT NULL, cosigner TEXT NOT NULL, line TEXT NOT NULL, PRIMARY KEY (size, cosigner)
  ) STRICT, WITHOUT ROWID;
`;

/** An older release does not see it, and finds that the log has another name than its key: it signs nothing. */
const endedTable = `
  CREATE TABLE IF NOT EXISTS ended_logs (number INTEGER PRIMARY KEY, facts TEXT NOT NULL) STRICT;
  CREATE TRIGGER IF NOT EXISTS ended_logs_stay BEFORE DELETE ON ended_logs
    BEGIN SELECT raise(ABORT, 'a log that ended stays ended'); END;
  CREATE TRIGGER IF NOT EXISTS ended_logs_never_change BEFORE UPDATE ON ended_logs
    BEGIN SELECT raise(ABORT, 'what is kept of a log that ended never changes'); END;
`;

/** The statements that make the tables of the logs after the first in an open `log.db`. */
export function laterLogs(db: DatabaseSync): string {
  const isThere = db.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'ended_logs'`).get();
  const numbers = isThere ? db.prepare('SELECT number FROM ended_logs ORDER BY number').all() : [];
  return numbers.map(({ number }) => treeTables(suffixOf(Number(number) + 1, '_'))).join('');
}

interface CheckpointRow {
  readonly size: number;
  readonly note: string;
  readonly signed_at: string;
  readonly epoch: number;
}

/** What the views of one file share. */
interface OpenFile {
  readonly path: string;
  readonly db: DatabaseSync;
  readonly statements: Statements;
}

/** The proof log in `log.db` of the data folder, with each log in tables of its own. Triggers keep them append-only. */
export class EmbeddedProofLog implements ProofLog {
  readonly #file: OpenFile;
  /** Of the log. Undefined: the one that is signed at the time of each call. */
  readonly #number: number | undefined;

  constructor(directory: string, one?: { readonly file: OpenFile; readonly number: number }) {
    this.#file = one?.file ?? openFile(join(directory, 'log.db'));
    this.#number = one?.number;
  }

  async newest(): Promise<SignedTree | undefined> {
    const newest = this.#run(() => this.#newest());
    return newest && treeOf(newest);
  }

  async checkpoints({
    after = 0,
    limit,
  }: {
    readonly after?: number;
    readonly limit: number;
  }): Promise<SignedTree[]> {
    return this.#run(() =>
      this.#statements
        .of(`SELECT * FROM checkpoints${this.#suffix()} WHERE size > ? ORDER BY size LIMIT +?`)
        .all(after, limit)
        .map((row) => treeOf(row as unknown as CheckpointRow)),
    );
  }

  async add(
    tree: SignedTree,
    { extends: older, epoch }: { readonly extends: number; readonly epoch: number },
  ): Promise<void> {
    this.#write(() => {
      this.#refuseEnded();
      const newest = this.#newest();
      const extendsNewest = (newest?.size ?? 0) === older && tree.size > older;
      if (!extendsNewest || (newest?.epoch ?? 0) > epoch) throw superseded(newest?.size);
      this.#statements
        .of(`INSERT INTO checkpoints${this.#suffix()} VALUES (?, ?, ?, ?)`)
        .run(tree.size, tree.note, tree.signedAt, epoch);
    });
  }

  async putTiles(tiles: readonly ProofTile[]): Promise<void> {
    if (tiles.length === 0) return;
    this.#write(() => {
      this.#refuseEnded();
      for (const tile of tiles) {
        const longest = grown(this.#tile(tile), tile.hashes);
        if (longest === undefined) throw changedTile(tile);
        this.#statements
          .of(
            `INSERT INTO tiles${this.#suffix()} VALUES (?, ?, ?) ON CONFLICT (level, "index") DO UPDATE SET hashes = excluded.hashes WHERE length(excluded.hashes) > length(hashes)`,
          )
          .run(tile.level, tile.index, longest);
      }
    });
  }

  async tiles(tiles: readonly TilePlace[]): Promise<readonly (Buffer | undefined)[]> {
    return this.#run(() => tiles.map((tile) => this.#tile(tile)));
  }

  async putBundles(bundles: readonly BundlePlace[]): Promise<void> {
    if (bundles.length === 0) return;
    this.#write(() => {
      for (const { index, after } of bundles) {
        this.#statements
          .of(
            `INSERT INTO bundles${this.#suffix()} VALUES (?, ?) ON CONFLICT DO UPDATE SET after = excluded.after`,
          )
          .run(index, String(after));
      }
    });
  }

  async bundleAtOrBefore(index: number): Promise<BundlePlace | undefined> {
    const row = this.#run(() =>
      this.#statements
        .of(
          `SELECT "index", after FROM bundles${this.#suffix()} WHERE "index" <= ? ORDER BY "index" DESC LIMIT 1`,
        )
        .get(index),
    ) as { readonly index: number; readonly after: string } | undefined;
    return row && { index: row.index, after: BigInt(row.after) };
  }

  async addCosignatures(cosignatures: readonly StoredCosignature[]): Promise<void> {
    if (cosignatures.length === 0) return;
    this.#write(() => {
      for (const { size, cosigner, line } of cosignatures) {
        this.#statements
          .of(
            `INSERT INTO cosignatures${this.#suffix()} VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET line = excluded.line`,
          )
          .run(size, cosigner, line);
      }
    });
  }

  async cosignatures({
    after = 0,
    limit,
  }: {
    readonly after?: number;
    readonly limit: number;
  }): Promise<StoredCosignature[]> {
    return this.#run(() =>
      this.#statements
        .of(
          `SELECT size, cosigner, line FROM cosignatures${this.#suffix()} WHERE size > ? ORDER BY size, cosigner LIMIT +?`,
        )
        .all(after, limit)
        .map((row) => ({ ...(row as unknown as StoredCosignature) })),
    );
  }

  async ended(): Promise<readonly EndedLog[]> {
    return this.#run(() => this.#ended());
  }

  log(number: number): SignedLog {
    return new EmbeddedProofLog('', { file: this.#file, number });
  }

  async end(
    log: EndedLog,
    { number, epoch }: { readonly number: number; readonly epoch: number },
  ): Promise<void> {
    this.#write(() => {
      if (endedAlready(this.#ended(), number, log)) return;
      const newest = this.#newest();
      if ((newest?.epoch ?? 0) > epoch) throw superseded(newest?.size);
      const suffix = suffixOf(number + 1, '_');
      this.#file.db.exec(treeTables(suffix) + cosignaturesTable(suffix));
      this.#statements.of('INSERT INTO ended_logs VALUES (?, ?)').run(number, JSON.stringify(log));
    });
  }

  async close(): Promise<void> {
    if (this.#file.db.isOpen) this.#file.db.close();
  }

  #newest(): CheckpointRow | undefined {
    const row = this.#statements
      .of(`SELECT * FROM checkpoints${this.#suffix()} ORDER BY size DESC LIMIT 1`)
      .get();
    return row as unknown as CheckpointRow | undefined;
  }

  #tile({ level, index }: TilePlace): Buffer | undefined {
    const row = this.#statements
      .of(`SELECT hashes FROM tiles${this.#suffix()} WHERE level = ? AND "index" = ?`)
      .get(level, index) as { readonly hashes: Uint8Array } | undefined;
    return row && Buffer.from(row.hashes.buffer, row.hashes.byteOffset, row.hashes.byteLength);
  }

  #ended(): EndedLog[] {
    return this.#statements
      .of('SELECT facts FROM ended_logs ORDER BY number')
      .all()
      .map(({ facts }) => JSON.parse(String(facts)) as EndedLog);
  }

  #suffix(): string {
    return suffixOf(this.#number ?? this.#ended().length, '_');
  }

  /** @throws StoreError fenced */
  #refuseEnded(): void {
    if (this.#number !== undefined && this.#ended().length !== this.#number) throw hasEnded(this.#number);
  }

  get #statements(): Statements {
    return this.#file.statements;
  }

  #run<Result>(work: () => Result): Result {
    return inFile(this.#file.path, work);
  }

  #write(work: () => void): void {
    this.#run(() => transaction(this.#file.db, work));
  }
}

function openFile(path: string): OpenFile {
  const db = openForWriting(path, proofLogSchema, cosignaturesTable('') + endedTable);
  return { path, db, statements: new Statements(db) };
}

const treeOf = ({ size, note, signed_at }: CheckpointRow): SignedTree => ({
  size,
  note,
  signedAt: signed_at,
});
