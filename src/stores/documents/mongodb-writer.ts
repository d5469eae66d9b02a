import { type AnyBulkWriteOperation, type Collection as Rows, type Db } from 'mongodb';
import type { EventPlace, Position } from '../event-store/port.ts';
import { StoreError } from '../errors.ts';
import { mongoError } from '../mongodb-errors.ts';
import type { Change, CollectionSpec, CollectionWriter, Stored } from './port.ts';
import { rowsById, rowsName } from './mongodb-collection.ts';
import { createIndexes } from './mongodb-indexes.ts';
import type { GenerationRow, PointerChange } from './mongodb-pointer-rows.ts';
import type { Pointers } from './mongodb-pointers.ts';
import { rowOf, stored, storedOf, unread, type Row } from './mongodb-row.ts';
import { VocabularyWriter } from './mongodb-vocabulary.ts';
import { onServer, takenIn } from '../mongodb-operation.ts';

/** Documents in one command. */
const rowsAtOnce = 1_000;

/**
 * A batch without documents only moves the checkpoint. On a busy log each read model has hundreds of them a second. The
 * first checkpoint is written at once, so that waiters are not delayed. Those that follow within this time are combined
 * into one write at its end.
 */
const restMs = 50;
/** How soon a failed write of a combined checkpoint is retried. */
const retryMs = 1_000;

/** Attempts to change the generation's entry when there are conflicts, which are not expected. */
const mostAttempts = 10;

interface WriterOptions<Doc extends object> {
  readonly db: Db;
  readonly spec: CollectionSpec<Doc>;
  readonly pointers: Pointers;
  readonly generation: number;
  readonly epoch: number;
  /** The entry when the writer was opened. */
  readonly row: GenerationRow;
  /** Aborts when the store is closed. */
  readonly closed: AbortSignal;
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
}

/**
 * The only writer of a generation. It uses no transactions. It marks the generation as being written, then writes the
 * documents, each only if its position is higher than the stored one, then the checkpoint. After an interruption the
 * same events are folded again, and documents that were already written do not change.
 *
 * All writes are confirmed by a majority. Otherwise a fail-over could lose documents that the checkpoint has passed.
 */
export class MongoCollectionWriter<Doc extends object> implements CollectionWriter<Doc> {
  readonly #options: WriterOptions<Doc>;
  readonly #where: string;
  readonly #rows: Rows<Row>;
  readonly #vocabulary: VocabularyWriter | undefined;
  /** Ids found since the last batch. These are replaced. Other ids are inserted, which costs half as much. */
  readonly #found = new Set<string>();
  #checkpoint: Position;
  /** The last checkpoint that was saved. */
  #saved: Position;
  #changed: number;
  /** The last event that was folded, and whether it was saved. */
  #lastEvent: { readonly place: EventPlace; saved: boolean } | undefined;
  /** Whether the generation may be marked as being written. */
  #marked: boolean;
  /** The highest position of a failed write, ours or another holder's, that may still be running on the server. */
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
    this.#vocabulary = spec.vocabulary === undefined ? undefined : new VocabularyWriter(db, this.#where);
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
    return onServer(this.#where, 'none', async () => {
      const found = new Map<string, Stored<Doc>>();
      for (const row of await rowsById(this.#rows, ids, unread)) {
        const id = stored(row._id);
        found.set(id, storedOf(this.#options.spec, row));
        this.#found.add(id);
      }
      return found;
    });
  }

  write(changes: readonly Change<Doc>[], checkpoint: Position, lastEvent?: EventPlace): Promise<void> {
    return this.#inTurn(() => {
      if (lastEvent) this.#lastEvent = { place: lastEvent, saved: false };
      return changes.length > 0 ? this.#batch(changes, checkpoint) : this.#moveOn(checkpoint);
    });
  }

  finish(): Promise<void> {
    const { db, spec, generation } = this.#options;
    return onServer(this.#where, 'unknown', () => createIndexes(db, spec, generation));
  }

  async count(): Promise<number> {
    const rows: unknown = await onServer(this.#where, 'none', () => this.#rows.countDocuments({ _a: 1 }));
    // The type says number, but a server may return a 64-bit count, which the driver returns as a bigint.
    return Number(rows);
  }

  async #batch(changes: readonly Change<Doc>[], checkpoint: Position): Promise<void> {
    const latest = latestOf(changes);
    // Converts all documents before writing any: one that cannot be written as JSON fails here.
    const rows = latest.map((change) => ({
      row: rowOf(this.#options.spec, change),
      isNew: !this.#found.has(change.id),
      isFirst: change.first === true,
    }));
    this.#found.clear();
    const highest = latest.map(({ position }) => position).reduce(later);
    await this.#mark(highest);
    try {
      // Before the documents: a batch that is repeated after a crash may have no documents left to write.
      await this.#vocabulary?.add(latest.flatMap(({ doc }) => this.#wordsIn(doc)));
      // A command writes its documents in any order.
      for (const some of [rows.filter(({ isFirst }) => isFirst), rows.filter(({ isFirst }) => !isFirst)])
        for (let from = 0; from < some.length; from += rowsAtOnce)
          await this.#put(some.slice(from, from + rowsAtOnce));
    } catch (error) {
      this.#unsettled = later(this.#unsettled ?? highest, highest);
      throw mongoError(error, this.#where, 'unknown');
    }
    await this.#save(later(this.#checkpoint, checkpoint));
  }

  #wordsIn(doc: Doc | undefined): string[] {
    const { vocabulary } = this.#options.spec;
    const text: unknown = vocabulary && doc?.[vocabulary];
    return typeof text === 'string' ? [text] : [];
  }

  /** Moves only the checkpoint: at once, or combined with later ones. */
  async #moveOn(checkpoint: Position): Promise<void> {
    this.#found.clear();
    // The clock is read once. With a second reading the result could become negative before the timer is set.
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
        // A fenced writer gets the error with its next batch. Otherwise retries, because there may be no next batch.
        if (!(error instanceof StoreError) || error.code === 'unavailable') this.#saveIn(retryMs);
      });
    }, ms);
  }

  /** Sets the mark before the first document. `changed` rises with every attempt. */
  async #mark(highest: Position): Promise<void> {
    this.#marked = true;
    await this.#change(() => ({
      set: { changed: this.#changed + 1, writing: later(this.#unsettled ?? highest, highest) },
    }));
    this.#changed++;
  }

  /** Saves the checkpoint. Removes the mark when no earlier write can still change a document. */
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

  /** Changes the generation's entry. After a conflict, reads what an earlier change without an answer has done. */
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
    // These ids exist already. The stored documents may be older, so they are replaced.
    const inserted = refused.flatMap((index) => (rows[index]?.isNew ? rows[index].row : []));
    if (inserted.length > 0) await this.#bulk(inserted.map(guarded));
  }

  /** Runs operations on different ids. Returns the indexes of those whose id exists. */
  #bulk(operations: readonly AnyBulkWriteOperation<Row>[]): Promise<number[]> {
    return takenIn(this.#rows.bulkWrite(operations, { ordered: false }));
  }

  /** Runs writes one after another, so that a delayed checkpoint is never saved in the middle of a batch. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(work, work);
    this.#last = turn;
    return turn;
  }
}

/**
 * Replaces an older document, or inserts a missing one. When the stored document has the same or a later position, the
 * filter matches nothing, and the upsert fails because the id exists.
 */
function guarded(row: Row): AnyBulkWriteOperation<Row> {
  return { replaceOne: { filter: { _id: row._id, _p: { $lt: row._p } }, replacement: row, upsert: true } };
}

/** The last change of each document. A command with two would run them in any order. */
function latestOf<Doc>(changes: readonly Change<Doc>[]): Change<Doc>[] {
  const latest = new Map<string, Change<Doc>>();
  for (const change of changes) {
    const other = latest.get(change.id);
    if (!other || change.position > other.position) latest.set(change.id, change);
  }
  return [...latest.values()];
}

const later = (one: Position, other: Position): Position => (one > other ? one : other);
