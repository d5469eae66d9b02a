import { type Db } from 'mongodb';
import { beginning, type Position } from '../event-store/port.ts';
import { isNamespaceNotFound, mongoError } from '../mongodb-errors.ts';
import type {
  Collection,
  CollectionSpec,
  CollectionWrite,
  CollectionWriter,
  Documents,
  Generation,
  Generations,
} from './port.ts';
import { MongoCollection, rowsName } from './mongodb-collection.ts';
import { generationOf, generationsOf } from './mongodb-pointer-rows.ts';
import { Pointers } from './mongodb-pointers.ts';
import { vocabularyName } from './mongodb-vocabulary.ts';
import { MongoCollectionWriter } from './mongodb-writer.ts';
import { isInserted, onServer } from '../mongodb-operation.ts';

/** The longest valid read; see MongoCollection. */
const readsWithinMs = 20_000;

export interface MongoDocumentsOptions {
  /** How long a retired generation is kept for reads under way. */
  readonly dropAfterMs?: number;
}

/**
 * Read models in a MongoDB database, for any number of machines. The collection `generations` lists the generations of
 * each read model. Every generation is a collection `<name>.<number>`. Works on a standalone server: needs no
 * transactions, text search, TTL, partial indexes, pipeline updates or change streams. The connection is closed by its
 * owner, and must use the primary with majority read and write concern.
 */
export class MongoDocuments implements Documents {
  readonly #db: Db;
  readonly #pointers: Pointers;
  readonly #dropAfterMs: number;
  readonly #collections = new Map<string, unknown>();
  readonly #closing = new AbortController();
  readonly #drops = new Set<NodeJS.Timeout>();

  constructor(db: Db, { dropAfterMs = 2 * readsWithinMs }: MongoDocumentsOptions = {}) {
    this.#db = db;
    this.#pointers = new Pointers(db);
    this.#dropAfterMs = dropAfterMs;
  }

  collection<Doc extends object>(spec: CollectionSpec<Doc>): Collection<Doc> {
    let collection = this.#collections.get(spec.name) as MongoCollection<Doc> | undefined;
    if (!collection) {
      collection = new MongoCollection(this.#db, spec, this.#pointers, readsWithinMs);
      this.#collections.set(spec.name, collection);
    }
    return collection;
  }

  async generations(name: string): Promise<Generations> {
    return generationsOf((await this.#pointers.now()).get(name));
  }

  async build<Doc extends object>(
    spec: CollectionSpec<Doc>,
    version: number,
    epoch = 0,
  ): Promise<Generation> {
    const generation = await this.#pointers.add(spec.name, version, beginning, epoch);
    // Drops leftover rows of a generation with this number, in case the entries were lost.
    await this.#dropRows(spec.name, generation);
    return { generation, version, checkpoint: beginning };
  }

  async writer<Doc extends object>(
    spec: CollectionSpec<Doc>,
    generation: number,
    epoch = 0,
  ): Promise<CollectionWriter<Doc>> {
    const row = await this.#pointers.claim(spec.name, generation, epoch);
    await this.#dropRetiredLater(spec.name);
    return new MongoCollectionWriter({
      db: this.#db,
      spec,
      pointers: this.#pointers,
      generation,
      epoch,
      row,
      closed: this.#closing.signal,
    });
  }

  async commit(writes: readonly CollectionWrite[], checkpoint: Position): Promise<void> {
    const written = await Promise.allSettled(
      writes.map(({ writer, changes, lastEvent }) => writer.write(changes, checkpoint, lastEvent)),
    );
    // Waits for all writes, so that none is under way when the caller repeats them after an error.
    for (const each of written) if (each.status === 'rejected') throw each.reason;
  }

  async highestEpoch(): Promise<number> {
    return Math.max(0, ...[...(await this.#pointers.now()).values()].map(({ epoch }) => epoch));
  }

  async serve(name: string, generation: number, epoch = 0, keep: readonly number[] = []): Promise<void> {
    await this.#pointers.serve(name, generation, epoch, keep);
    this.#pointers.tell();
    await this.#dropRetiredLater(name);
  }

  async drop(name: string, generation: number, epoch = 0): Promise<void> {
    await this.#pointers.remove(name, generation, epoch);
    await this.#dropRows(name, generation);
  }

  async remove(name: string, epoch = 0): Promise<void> {
    for (const generation of await this.#pointers.forget(name, epoch)) await this.#dropRows(name, generation);
    this.#pointers.tell();
  }

  async progress(): Promise<ReadonlyMap<string, Generation>> {
    const progress = new Map<string, Generation>();
    for (const [name, { serving, generations }] of await this.#pointers.now()) {
      const row = serving === undefined ? undefined : generations.get(serving);
      if (serving !== undefined && row) progress.set(name, generationOf(serving, row));
    }
    return progress;
  }

  async recordSourceLog(log: string): Promise<string> {
    const notes = this.#db.collection<{ readonly _id: string; readonly log: string }>('made-from');
    return onServer('made-from', 'unknown', async () => {
      // When two processes insert at once, one of them finds the other's entry.
      await isInserted(notes.insertOne({ _id: 'log', log }));
      return (await notes.findOne({ _id: 'log' }))?.log ?? log;
    });
  }

  changed(timeoutMs: number): Promise<void> {
    return this.#pointers.changed(timeoutMs);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#pointers.close();
    for (const timer of this.#drops) clearTimeout(timer);
    this.#drops.clear();
  }

  /**
   * Drops the collections of generations that are no longer listed, when no read of them can be under way. Collections
   * that remain because the process ended are dropped after the next process opens a writer.
   */
  async #dropRetiredLater(name: string): Promise<void> {
    const retired = await this.#retired(name);
    if (retired.length === 0 || this.#closing.signal.aborted) return;
    const timer = setTimeout(() => {
      this.#drops.delete(timer);
      this.#dropRetired(name, retired).catch(() => {
        // The collections only take up space. The next writer tries again.
      });
    }, this.#dropAfterMs);
    timer.unref();
    this.#drops.add(timer);
  }

  async #dropRetired(name: string, retired: readonly number[]): Promise<void> {
    const still = new Set(await this.#retired(name));
    for (const generation of retired) if (still.has(generation)) await this.#dropRows(name, generation);
  }

  /** Generations with a collection but without an entry. Collections with unused numbers are not ours. */
  async #retired(name: string): Promise<number[]> {
    const prefix = rowsName(name, 0).slice(0, -1);
    try {
      const there = await this.#db.listCollections({}, { nameOnly: true }).toArray();
      const numbers = there.flatMap((each) => {
        if (!each.name.startsWith(prefix)) return [];
        const [, number] = retiredSuffix.exec(each.name.slice(prefix.length)) ?? [];
        return number === undefined ? [] : Number(number);
      });
      const pointer = (await this.#pointers.now()).get(name);
      return [...new Set(numbers)].filter(
        (number) => number <= (pointer?.newest ?? 0) && !pointer?.generations.has(number),
      );
    } catch (error) {
      throw mongoError(error, name);
    }
  }

  async #dropRows(name: string, generation: number): Promise<void> {
    const rows = rowsName(name, generation);
    for (const collection of [vocabularyName(rows), rows]) {
      try {
        await this.#db.collection(collection).drop();
      } catch (error) {
        if (!isNamespaceNotFound(error)) throw mongoError(error, collection, 'unknown');
      }
    }
  }
}

/** What follows the name of a read model in the name of one of its collections. */
const retiredSuffix = /^([1-9]\d*)(?:\.vocabulary)?$/;
