import { MongoBulkWriteError, type AnyBulkWriteOperation, type Collection as Rows, type Db } from 'mongodb';
import type { EventPlace, Position } from '../../event-store/port.ts';
import { StoreError } from '../../errors.ts';
import { isDuplicateId, mongoError } from '../../mongodb/errors.ts';
import type { Change, CollectionSpec, CollectionWriter, Stored } from '../port.ts';
import { rowsById, rowsName } from './collection.ts';
import { createIndexes } from './indexes.ts';
import type { GenerationRow, PointerChange } from './pointer-rows.ts';
import type { Pointers } from './pointers.ts';
import { rowOf, stored, storedOf, type Row } from './row.ts';

/** Documents in one command. */
const rowsAtOnce = 1_000;

/**
 * A batch without documents only moves the checkpoint. On a busy log there are hundreds a second for each read
 * model. The first is written at once, so that waiters are not delayed; those within this time after it are written
 * together at its end.
 */
const restMs = 50;
/** After such a write at the end has failed. */
const retryMs = 1_000;

/** Attempts to change the generation's entry in case of conflicts. There should be none. */
const mostAttempts = 10;

interface WriterOptions<Doc extends object> {
  readonly db: Db;
  readonly spec: CollectionSpec<Doc>;
  readonly pointers: Pointers;
  readonly generation: number;
  readonly epoch: number;
  /** As it was found when the writer was opened. */
  readonly row: GenerationRow;
  /** Aborts when the store is closed. */
  readonly closed: AbortSignal;
  /** Milliseconds that only ever go forward. */
  readonly clock?: () => number;
}

/**
 * The only writer of a generation. Without transactions: first the generation is marked as being written, then the
 * documents are written, each guarded by its position, then the checkpoint. After an interruption the same events
 * are folded again, and documents already written stay unchanged.
 *
 * All writes are confirmed by a majority. Otherwise a fail-over could lose documents that the checkpoint has
 * already passed.
 */
export class MongoCollectionWriter<Doc extends object> implements CollectionWriter<Doc> {
  readonly #options: WriterOptions<Doc>;
  readonly #where: string;
  readonly #rows: Rows<Row>;
  /** Ids found since the last batch: these are replaced. The others are inserted first, at half the cost. */
  readonly #found = new Set<string>();
  #checkpoint: Position;
  /** The checkpoint that the server is known to have. */
  #saved: Position;
  #changed: number;
  /** The last event that was folded in, and whether the server knows it. */
  #lastEvent: { readonly place: EventPlace; saved: boolean } | undefined;
  /** Whether the generation may be marked as being written. */
  #marked: boolean;
  /** The highest position that a write given up for lost, here or by another holder, may yet bring. */
  #unsettled: Position | undefined;
  #last: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  readonly #clock: () => number;
  #restsUntil = 0;

  constructor(options: WriterOptions<Doc>) {
    const { db, spec, generation, row, closed, clock = () => performance.now() } = options;
    this.#options = options;
    this.#clock = clock;
    this.#where = rowsName(spec.name, generation);
    this.#rows = db.collection<Row>(this.#where);
    this.#checkpoint = row.checkpoint;
    this.#saved = row.checkpoint;
    this.#changed = row.changed;
    this.#marked = row.writing !== undefined;
    this.#unsettled = row.writing;
    closed.addEventListener('abort', () => clearTimeout(this.#timer), { once: true });
  }

  get checkpoint(): Position {
    return this.#checkpoint;
  }

  async load(ids: readonly string[]): Promise<ReadonlyMap<string, Stored<Doc>>> {
    const found = new Map<string, Stored<Doc>>();
    try {
      for (const row of await rowsById(this.#rows, ids, { _w: 0, _a: 0 })) {
        const id = stored(row._id);
        found.set(id, storedOf(this.#options.spec, row));
        this.#found.add(id);
      }
    } catch (error) {
      throw mongoError(error, this.#where);
    }
    return found;
  }

  write(changes: readonly Change<Doc>[], checkpoint: Position, lastEvent?: EventPlace): Promise<void> {
    return this.#inTurn(() => {
      if (lastEvent) this.#lastEvent = { place: lastEvent, saved: false };
      return changes.length > 0 ? this.#batch(changes, checkpoint) : this.#moveOn(checkpoint);
    });
  }

  async finish(): Promise<void> {
    const { db, spec, generation } = this.#options;
    try {
      await createIndexes(db, spec, generation);
    } catch (error) {
      throw mongoError(error, this.#where, 'unknown');
    }
  }

  async #batch(changes: readonly Change<Doc>[], checkpoint: Position): Promise<void> {
    const latest = latestOf(changes);
    // All of them before anything is written: one that cannot be JSON fails here.
    const rows = latest.map((change) => ({
      row: rowOf(this.#options.spec, change),
      isNew: !this.#found.has(change.id),
    }));
    this.#found.clear();
    const highest = latest.map(({ position }) => position).reduce(later);
    await this.#mark(highest);
    try {
      for (let from = 0; from < rows.length; from += rowsAtOnce) {
        await this.#put(rows.slice(from, from + rowsAtOnce));
      }
    } catch (error) {
      this.#unsettled = later(this.#unsettled ?? highest, highest);
      throw mongoError(error, this.#where, 'unknown');
    }
    await this.#save(later(this.#checkpoint, checkpoint));
  }

  /** Moves the checkpoint alone: at once, or together with others soon. */
  async #moveOn(checkpoint: Position): Promise<void> {
    this.#found.clear();
    // Read once: between two readings the rest may end, and a timer would be asked to run in the past.
    const left = this.#restsUntil - this.#clock();
    if (left <= 0) {
      await this.#save(later(this.#checkpoint, checkpoint));
      this.#restsUntil = this.#clock() + restMs;
      return;
    }
    this.#checkpoint = later(this.#checkpoint, checkpoint);
    this.#saveIn(left);
  }

  #saveIn(ms: number): void {
    if (this.#options.closed.aborted) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#inTurn(() => this.#save(this.#checkpoint)).catch((error: unknown) => {
        // Whoever has lost the generation is told with his next batch. Else this must be done, as there may be none.
        if (!(error instanceof StoreError) || error.code === 'unavailable') this.#saveIn(retryMs);
      });
    }, ms);
  }

  /** The mark before the first document; it rises with every attempt. */
  async #mark(highest: Position): Promise<void> {
    this.#marked = true;
    await this.#change(() => ({
      set: { changed: this.#changed + 1, writing: later(this.#unsettled ?? highest, highest) },
    }));
    this.#changed++;
  }

  /** The checkpoint, and the end of the mark when nothing can change any more without a new one. */
  async #save(checkpoint: Position): Promise<void> {
    if (checkpoint <= this.#saved && !this.#marked) return;
    const settled = () => this.#unsettled === undefined || this.#unsettled <= checkpoint;
    const last = this.#lastEvent;
    const set = last && !last.saved ? { lastEvent: last.place } : {};
    await this.#change(() => ({ set, checkpoint, unset: this.#marked && settled() ? ['writing'] : [] }));
    if (last) last.saved = true;
    this.#saved = checkpoint;
    this.#checkpoint = checkpoint;
    if (settled()) {
      this.#marked = false;
      this.#unsettled = undefined;
    }
    this.#options.pointers.tell();
  }

  /** One change of the generation's entry; learns first what an earlier one did whose answer was lost. */
  async #change(next: () => Pick<PointerChange, 'set' | 'unset' | 'checkpoint'>): Promise<void> {
    const { pointers, spec, generation, epoch } = this.#options;
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const change = { epoch, changed: this.#changed, ...next() };
      if (await pointers.change(spec.name, generation, change)) return;
      const row = await pointers.entry(spec.name, generation, epoch);
      this.#changed = row.changed;
      if (row.writing === undefined) continue;
      this.#marked = true;
      this.#unsettled = later(this.#unsettled ?? row.writing, row.writing);
    }
    throw new StoreError(
      'unavailable',
      `MongoDB, ${this.#where}: another process writes it at the same time.`,
    );
  }

  async #put(rows: readonly { readonly row: Row; readonly isNew: boolean }[]): Promise<void> {
    const refused = await this.#bulk(
      rows.map(({ row, isNew }) => (isNew ? { insertOne: { document: row } } : guarded(row))),
    );
    // What is there after all may be older.
    const inserted = refused.flatMap((index) => (rows[index]?.isNew ? rows[index].row : []));
    if (inserted.length > 0) await this.#bulk(inserted.map(guarded));
  }

  /** Runs operations on different ids; tells which of them found the id taken. */
  async #bulk(operations: readonly AnyBulkWriteOperation<Row>[]): Promise<number[]> {
    try {
      await this.#rows.bulkWrite(operations, { ordered: false });
      return [];
    } catch (error) {
      if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) throw error;
      const errors = [error.writeErrors].flat();
      if (errors.length === 0 || !errors.every(isDuplicateId)) throw error;
      return errors.map(({ index }) => index);
    }
  }

  /** One after another: a checkpoint that was put off never comes into the middle of a batch. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(work, work);
    this.#last = turn;
    return turn;
  }
}

/**
 * Replaces an older document, or inserts one where there is none. Where a later one stands, or the same, the
 * filter finds nothing, and the insertion that follows finds the id taken.
 */
function guarded(row: Row): AnyBulkWriteOperation<Row> {
  return { replaceOne: { filter: { _id: row._id, _p: { $lt: row._p } }, replacement: row, upsert: true } };
}

/** One change for each document: the operations of an unordered command come in any order. */
function latestOf<Doc>(changes: readonly Change<Doc>[]): Change<Doc>[] {
  const latest = new Map<string, Change<Doc>>();
  for (const change of changes) {
    const other = latest.get(change.id);
    if (!other || change.position > other.position) latest.set(change.id, change);
  }
  return [...latest.values()];
}

const later = (one: Position, other: Position): Position => (one > other ? one : other);
