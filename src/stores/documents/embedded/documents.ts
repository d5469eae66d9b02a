import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { StoreError } from '../../errors.ts';
import { openForWriting, checkpointLog, transaction, inFile } from '../../sqlite.ts';
import type {
  Collection,
  CollectionSpec,
  CollectionWrite,
  CollectionWriter,
  Documents,
  Generation,
  Generations,
} from '../port.ts';
import { beginning, type Position } from '../../event-store/port.ts';
import { EmbeddedCollection } from './collection.ts';
import { GenerationReader, generationOf } from './generation-reader.ts';
import { dropTable, numbersOf } from './generation-tables.ts';
import { IdleMerging } from './idle-merging.ts';
import { ProgressSignal } from './progress-signal.ts';
import { ReaderClient } from './reader-client.ts';
import { lastEventsTable, viewsSchema } from './schema.ts';
import { table } from './table.ts';
import { EmbeddedCollectionWriter } from './writer.ts';

/**
 * A bulk load changes most pages many times: a larger cache and fewer WAL checkpoints made it 1.5 times as fast.
 * After it has caught up, a small cache saves memory. Commits of one event change the same pages again and again, and a
 * checkpoint writes each of them once: with 4,000 pages between two in place of 1,000, a commit costs a sixth less. Beyond
 * that a reader would look up each page in a second table of the wal-index (https://sqlite.org/walformat.html).
 */
const loading = 'PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 32768';
const following =
  'PRAGMA wal_checkpoint(PASSIVE); PRAGMA cache_size = -8192; PRAGMA wal_autocheckpoint = 4000; PRAGMA shrink_memory';

/** Read models in `views.db` of the data folder, for one machine and any number of its processes. */
export class EmbeddedDocuments implements Documents {
  readonly #path: string;
  readonly #inode: number;
  readonly #generations: GenerationReader;
  readonly #progress: ProgressSignal;
  readonly #reader: ReaderClient;
  readonly #collections = new Map<string, unknown>();
  #lookedAt = 0;
  /** Generations of this process that are still being loaded. */
  readonly #loads = new Set<string>();
  #writing: DatabaseSync | undefined;
  #moveIdle: StatementSync | undefined;
  readonly #merging: IdleMerging;

  /** `mergeAfterMs`: a break of writing after which indexes of terms are merged. */
  constructor(directory: string, { mergeAfterMs }: { readonly mergeAfterMs?: number } = {}) {
    this.#merging = new IdleMerging(mergeAfterMs);
    this.#path = join(directory, 'views.db');
    openViews(this.#path).close();
    this.#inode = statSync(this.#path).ino;
    this.#generations = new GenerationReader(this.#path);
    this.#reader = new ReaderClient(this.#path);
    this.#progress = new ProgressSignal(this.#path, () => this.#generations.dataVersion());
  }

  collection<Doc extends object>(spec: CollectionSpec<Doc>): Collection<Doc> {
    let collection = this.#collections.get(spec.name) as EmbeddedCollection<Doc> | undefined;
    if (!collection) {
      collection = new EmbeddedCollection(
        this.#generations.db,
        this.#path,
        spec,
        this.#generations,
        this.#reader,
      );
      this.#collections.set(spec.name, collection);
    }
    return collection;
  }

  async generations(name: string): Promise<Generations> {
    const rows = this.#generations.rows().filter((row) => row.name === name);
    const serving = rows.find((row) => row.serving === 1);
    return {
      serving: serving && generationOf(serving),
      building: rows.filter((row) => row.serving === 0).map(generationOf),
    };
  }

  async build<Doc extends object>(spec: CollectionSpec<Doc>, version: number): Promise<Generation> {
    return this.#change((db) => {
      const { newest } = db
        .prepare('SELECT coalesce(max(generation), 0) AS newest FROM generations WHERE name = ?')
        .get(spec.name) as { newest: number };
      const generation = newest + 1;
      const { create, drop } = table(spec, generation);
      // Tables of this name are left over, when the entries were lost.
      db.exec(drop + create);
      const row = [spec.name, generation, version, beginning, beginning];
      db.prepare('INSERT INTO generations VALUES (?, ?, ?, 0, 0, ?, ?)').run(...row);
      return { generation, version, checkpoint: beginning };
    });
  }

  async writer<Doc extends object>(
    spec: CollectionSpec<Doc>,
    generation: number,
  ): Promise<CollectionWriter<Doc>> {
    this.#refuseReplacedFile();
    return this.#write((db) => {
      const row = db
        .prepare('SELECT checkpoint, finished FROM generations WHERE name = ? AND generation = ?')
        .get(spec.name, generation) as { checkpoint: number; finished: number } | undefined;
      if (!row) throw new StoreError('misuse', `${spec.name} has no generation ${generation}.`);
      const load = `${spec.name}.${generation}`;
      if (!row.finished) this.#beginLoad(load);
      const { checkpoint } = row;
      const opened = { generation, checkpoint, isFinished: row.finished === 1 };
      const writer = new EmbeddedCollectionWriter(db, this.#path, spec, opened, {
        commit: (writes, position) => this.commit(writes, position),
        finished: () => this.#endLoad(load),
      });
      // What an earlier process has left.
      if (writer.loadedTerms) this.#merging.written(writer.loadedTerms);
      return writer;
    });
  }

  async commit(writes: readonly CollectionWrite[], checkpoint: Position): Promise<void> {
    const parts = writes.map((write) => {
      const { writer } = write;
      if (writer instanceof EmbeddedCollectionWriter) return { writer, write };
      throw new StoreError('misuse', 'A commit takes writers of its own store only.');
    });
    try {
      const idle = parts.filter(({ write }) => write.changes.length === 0 && !write.lastEvent);
      this.#change((db) => {
        const together = idle.length > 1 && this.#movedTogether(db, idle, checkpoint);
        for (const part of parts)
          if (!together || !idle.includes(part)) part.writer.apply(part.write, checkpoint);
      });
      for (const { writer, write } of parts) {
        writer.committed(checkpoint);
        if (writer.loadedTerms && write.changes.length > 0) this.#merging.written(writer.loadedTerms);
      }
    } catch (error) {
      for (const { writer } of parts) writer.rolledBack();
      throw error;
    }
    this.#progress.tell();
  }

  async highestEpoch(): Promise<number> {
    return 0;
  }

  async serve(
    name: string,
    generation: number,
    _epoch?: number,
    keep: readonly number[] = [],
  ): Promise<void> {
    this.#change((db) => {
      const there = numbersOf(db, name);
      if (!there.includes(generation))
        throw new StoreError('misuse', `${name} has no generation ${generation}.`);
      const mark = 'UPDATE generations SET serving = iif(generation = ?, 1, 0) WHERE name = ?';
      db.prepare(mark).run(generation, name);
      for (const other of there)
        if (other !== generation && !keep.includes(other)) dropTable(db, name, other);
    });
    this.#progress.tell();
  }

  async drop(name: string, generation: number): Promise<void> {
    this.#change((db) => {
      const row = db
        .prepare('SELECT serving FROM generations WHERE name = ? AND generation = ?')
        .get(name, generation) as { serving: number } | undefined;
      if (row?.serving)
        throw new StoreError('misuse', `Generation ${generation} of ${name} serves; it cannot be dropped.`);
      dropTable(db, name, generation);
    });
    this.#endLoad(`${name}.${generation}`);
  }

  async remove(name: string): Promise<void> {
    this.#change((db) => {
      for (const generation of numbersOf(db, name)) dropTable(db, name, generation);
    });
    this.#progress.tell();
  }

  async progress(): Promise<ReadonlyMap<string, Generation>> {
    return this.#generations.progress();
  }

  async recordSourceLog(log: string): Promise<string> {
    return this.#write((db) =>
      transaction(db, () => {
        db.exec('CREATE TABLE IF NOT EXISTS made_from (log TEXT NOT NULL) STRICT');
        const noted = db.prepare('SELECT log FROM made_from').get() as { log: string } | undefined;
        if (!noted) db.prepare('INSERT INTO made_from VALUES (?)').run(log);
        return noted?.log ?? log;
      }),
    );
  }

  changed(timeoutMs: number): Promise<void> {
    return this.#progress.changed(timeoutMs);
  }

  /** Starts the thread that runs searches, which the first search does too. Resolves when it runs. */
  startSearches(): Promise<void> {
    return this.#reader.start();
  }

  async close(): Promise<void> {
    this.#merging.close();
    this.#progress.close();
    await this.#reader.close();
    this.#generations.close();
    if (this.#writing?.isOpen) this.#writing.close();
    checkpointLog(this.#path);
  }

  /** Changes the file that everybody sees: all of it, or nothing. */
  #change<Result>(work: (db: DatabaseSync) => Result): Result {
    this.#refuseReplacedFile();
    return this.#write((db) => transaction(db, () => work(db)));
  }

  #write<Result>(work: (db: DatabaseSync) => Result): Result {
    this.#generations.expire();
    return inFile(this.#path, () => work((this.#writing ??= this.#open())));
  }

  #open(): DatabaseSync {
    const db = openViews(this.#path);
    db.exec(following);
    return db;
  }

  /**
   * Advances the checkpoints of generations without changes in one statement: of fourteen read models only one or two
   * fold an event. False when a generation does not exist.
   */
  #movedTogether(
    db: DatabaseSync,
    idle: readonly { readonly writer: EmbeddedCollectionWriter<object> }[],
    checkpoint: Position,
  ): boolean {
    this.#moveIdle ??= db.prepare(
      `UPDATE generations SET checkpoint = max(checkpoint, ?)
       WHERE name || '.' || generation IN (SELECT value FROM json_each(?))`,
    );
    const { changes } = this.#moveIdle.run(checkpoint, JSON.stringify(idle.map(({ writer }) => writer.key)));
    return changes === idle.length;
  }

  #beginLoad(load: string): void {
    this.#loads.add(load);
    this.#writing?.exec(loading);
  }

  #endLoad(load: string): void {
    if (this.#loads.delete(load) && this.#loads.size === 0) this.#writing?.exec(following);
  }

  /** Detects that the file was deleted or replaced: writes would go to a file that nobody can see. */
  #refuseReplacedFile(): void {
    const now = Date.now();
    if (now - this.#lookedAt < 1_000) return;
    this.#lookedAt = now;
    const inode = statSync(this.#path, { throwIfNoEntry: false })?.ino;
    if (inode !== this.#inode) {
      throw new StoreError(
        'replaced',
        `${this.#path} was removed or replaced while in use; start the service anew.`,
      );
    }
  }
}

function openViews(path: string): DatabaseSync {
  return openForWriting(path, viewsSchema, lastEventsTable);
}
