import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openForWriting, Statements, transaction, type Schema, inFile } from '../sqlite.ts';
import type {
  BundlePlace,
  ProofLog,
  ProofTile,
  SignedTree,
  StoredCosignature,
  TilePlace,
} from './proof-log-port.ts';
import { changedTile, grown, superseded } from './proof-log-rules.ts';

export const proofLogSchema: Schema = {
  version: 1,
  // A checkpoint that was given away must not be lost with the power: the next one could contradict it.
  synchronous: 'FULL',
  sql: `
    CREATE TABLE tiles (
      level INTEGER NOT NULL, "index" INTEGER NOT NULL, hashes BLOB NOT NULL,
      PRIMARY KEY (level, "index")
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE checkpoints (
      size INTEGER PRIMARY KEY, note TEXT NOT NULL, signed_at TEXT NOT NULL, epoch INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE bundles ("index" INTEGER PRIMARY KEY, after TEXT NOT NULL) STRICT;

    CREATE TRIGGER tiles_grow BEFORE UPDATE ON tiles
      WHEN NEW.level <> OLD.level OR NEW."index" <> OLD."index"
        OR substr(NEW.hashes, 1, length(OLD.hashes)) <> OLD.hashes
      BEGIN SELECT raise(ABORT, 'a tile of the proof log only grows'); END;
    CREATE TRIGGER tiles_stay BEFORE DELETE ON tiles
      BEGIN SELECT raise(ABORT, 'a tile of the proof log is never deleted'); END;
    CREATE TRIGGER checkpoints_stay BEFORE DELETE ON checkpoints
      BEGIN SELECT raise(ABORT, 'a checkpoint is never deleted'); END;
    CREATE TRIGGER checkpoints_never_change BEFORE UPDATE ON checkpoints
      BEGIN SELECT raise(ABORT, 'a checkpoint never changes'); END;
    CREATE TRIGGER checkpoints_grow BEFORE INSERT ON checkpoints
      WHEN NEW.size <= (SELECT max(size) FROM checkpoints)
      BEGIN SELECT raise(ABORT, 'a checkpoint is of a larger tree than the one before'); END;
  `,
};

/**
 * Beside the schema, so that older releases still open the file. A later cosignature of the same checkpoint by the same
 * witness says more than an earlier one, so it replaces it.
 */
const cosignaturesTable = `
  CREATE TABLE IF NOT EXISTS cosignatures (
    size INTEGER NOT NULL, cosigner TEXT NOT NULL, line TEXT NOT NULL, PRIMARY KEY (size, cosigner)
  ) STRICT, WITHOUT ROWID`;

interface CheckpointRow {
  readonly size: number;
  readonly note: string;
  readonly signed_at: string;
  readonly epoch: number;
}

/** The proof log in `log.db` of the data folder. Triggers keep it append-only. */
export class EmbeddedProofLog implements ProofLog {
  readonly #path: string;
  readonly #db: DatabaseSync;
  readonly #statements: Statements;

  constructor(directory: string) {
    this.#path = join(directory, 'log.db');
    this.#db = openForWriting(this.#path, proofLogSchema, cosignaturesTable);
    this.#statements = new Statements(this.#db);
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
        .of('SELECT * FROM checkpoints WHERE size > ? ORDER BY size LIMIT +?')
        .all(after, limit)
        .map((row) => treeOf(row as unknown as CheckpointRow)),
    );
  }

  async add(
    tree: SignedTree,
    { extends: older, epoch }: { readonly extends: number; readonly epoch: number },
  ): Promise<void> {
    this.#run(() =>
      transaction(this.#db, () => {
        const newest = this.#newest();
        const extendsNewest = (newest?.size ?? 0) === older && tree.size > older;
        if (!extendsNewest || (newest?.epoch ?? 0) > epoch) throw superseded(newest?.size);
        this.#statements
          .of('INSERT INTO checkpoints VALUES (?, ?, ?, ?)')
          .run(tree.size, tree.note, tree.signedAt, epoch);
      }),
    );
  }

  async putTiles(tiles: readonly ProofTile[]): Promise<void> {
    if (tiles.length === 0) return;
    this.#run(() =>
      transaction(this.#db, () => {
        for (const tile of tiles) {
          const longest = grown(this.#tile(tile), tile.hashes);
          if (longest === undefined) throw changedTile(tile);
          this.#statements
            .of(
              'INSERT INTO tiles VALUES (?, ?, ?) ON CONFLICT (level, "index") DO UPDATE SET hashes = excluded.hashes WHERE length(excluded.hashes) > length(hashes)',
            )
            .run(tile.level, tile.index, longest);
        }
      }),
    );
  }

  async tiles(tiles: readonly TilePlace[]): Promise<readonly (Buffer | undefined)[]> {
    return this.#run(() => tiles.map((tile) => this.#tile(tile)));
  }

  async putBundles(bundles: readonly BundlePlace[]): Promise<void> {
    if (bundles.length === 0) return;
    this.#run(() =>
      transaction(this.#db, () => {
        for (const { index, after } of bundles) {
          this.#statements
            .of('INSERT INTO bundles VALUES (?, ?) ON CONFLICT DO UPDATE SET after = excluded.after')
            .run(index, String(after));
        }
      }),
    );
  }

  async bundleAtOrBefore(index: number): Promise<BundlePlace | undefined> {
    const row = this.#run(() =>
      this.#statements
        .of('SELECT "index", after FROM bundles WHERE "index" <= ? ORDER BY "index" DESC LIMIT 1')
        .get(index),
    ) as { readonly index: number; readonly after: string } | undefined;
    return row && { index: row.index, after: BigInt(row.after) };
  }

  async addCosignatures(cosignatures: readonly StoredCosignature[]): Promise<void> {
    if (cosignatures.length === 0) return;
    this.#run(() =>
      transaction(this.#db, () => {
        for (const { size, cosigner, line } of cosignatures) {
          this.#statements
            .of('INSERT INTO cosignatures VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET line = excluded.line')
            .run(size, cosigner, line);
        }
      }),
    );
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
        .of('SELECT size, cosigner, line FROM cosignatures WHERE size > ? ORDER BY size, cosigner LIMIT +?')
        .all(after, limit)
        .map((row) => ({ ...(row as unknown as StoredCosignature) })),
    );
  }

  async close(): Promise<void> {
    if (this.#db.isOpen) this.#db.close();
  }

  #newest(): CheckpointRow | undefined {
    const row = this.#statements.of('SELECT * FROM checkpoints ORDER BY size DESC LIMIT 1').get();
    return row as unknown as CheckpointRow | undefined;
  }

  #tile({ level, index }: TilePlace): Buffer | undefined {
    const row = this.#statements
      .of('SELECT hashes FROM tiles WHERE level = ? AND "index" = ?')
      .get(level, index) as { readonly hashes: Uint8Array } | undefined;
    return row && Buffer.from(row.hashes.buffer, row.hashes.byteOffset, row.hashes.byteLength);
  }

  #run<Result>(work: () => Result): Result {
    return inFile(this.#path, work);
  }
}

const treeOf = ({ size, note, signed_at }: CheckpointRow): SignedTree => ({
  size,
  note,
  signedAt: signed_at,
});
