import type { Collection as Rows, Db, Filter } from 'mongodb';
import { StoreError } from '../errors.ts';
import { mongoError } from '../mongodb-errors.ts';
import type {
  Collection,
  CollectionSpec,
  CountQuery,
  PageQuery,
  VocabularyQuery,
  WordLengths,
} from './port.ts';
import { BatchPerTick } from './mongodb-batch-per-tick.ts';
import type { Pointers } from './mongodb-pointers.ts';
import { countFilter, pageFilter } from './mongodb-query.ts';
import { documentOf, selectedOf, sought, stored, unread, type Row } from './mongodb-row.ts';
import { countWords, readVocabulary } from './mongodb-vocabulary.ts';

/** The most ids in one command. */
const idsAtOnce = 1_000;
/** More documents than this are returned in several answers. */
const rowsAtOnce = 10_000;
/** How often a read is repeated because the serving generation has changed. */
const mostAttempts = 10;

/** The name of the server's collection that holds a generation. */
export const rowsName = (name: string, generation: number): string => `${name}.${generation}`;

/**
 * Reads from the serving generation. The pointer is read together with the documents, so that a read takes one
 * round trip: documents come from the last known serving generation and are discarded when the pointer names
 * another.
 *
 * Why this is correct: after a switch before the call, the pointer names the new generation. With a switch during
 * the call, both answers are valid. The documents are complete: a retired generation is dropped no sooner than
 * `readsWithinMs` after the switch, and a read that took longer is discarded.
 */
export class MongoCollection<Doc extends object> implements Collection<Doc> {
  readonly #db: Db;
  readonly #spec: CollectionSpec<Doc>;
  readonly #pointers: Pointers;
  readonly #readsWithinMs: number;
  #reader: GenerationReader<Doc> | undefined;

  constructor(db: Db, spec: CollectionSpec<Doc>, pointers: Pointers, readsWithinMs: number) {
    this.#db = db;
    this.#spec = spec;
    this.#pointers = pointers;
    this.#readsWithinMs = readsWithinMs;
  }

  get(id: string): Promise<Doc | undefined> {
    return this.#read(undefined, (reader) => reader.get(id));
  }

  getMany(ids: readonly string[]): Promise<ReadonlyMap<string, Doc>> {
    return this.#read(new Map<string, Doc>(), (reader) => reader.getMany(ids));
  }

  page(query: PageQuery<Doc>): Promise<Doc[]> {
    return this.#read([], (reader) => reader.page(query));
  }

  select<Field extends keyof Doc & string>(
    query: PageQuery<Doc>,
    fields: readonly Field[],
  ): Promise<Pick<Doc, Field>[]> {
    return this.#read([], (reader) => reader.select(query, fields));
  }

  count(query: CountQuery<Doc>): Promise<number> {
    return this.#read(0, (reader) => reader.count(query));
  }

  vocabulary(query: VocabularyQuery, limit: number, lengths?: WordLengths): Promise<string[]> {
    return this.#read([], (reader) => reader.vocabulary(query, limit, lengths));
  }

  vocabularyStamp(beginning: string): Promise<string> {
    return this.#read('none', (reader) => reader.vocabularyStamp(beginning));
  }

  /**
   * When the same stamp is read twice, no document that was read in between has changed.
   *
   * Proof: a batch raises `changed` and sets the mark before it writes its first document, and removes the mark after
   * the last. Each step begins when a majority has confirmed the one before. Read a stamp with `changed` = n, then
   * documents, then the same stamp again. A document changed since the first stamp belongs to a batch k whose mark was
   * confirmed before, so the second read sees `changed` >= k, and k <= n. But at the first read there was no mark at n:
   * batch k was already complete, before the documents were read. So no document has changed.
   *
   * A failed batch may still be running on the server. Its mark stays until the checkpoint has passed its highest
   * position, also with another holder of the lease. By then every document has that position or a later one, and late
   * writes of the batch are refused as already applied.
   */
  async stamp(): Promise<string | undefined> {
    const pointer = (await this.#pointers.now()).get(this.#spec.name);
    const row = pointer?.serving === undefined ? undefined : pointer.generations.get(pointer.serving);
    if (!row) return 'none';
    return row.writing === undefined ? `${row.born}.${row.version}.${row.changed}` : undefined;
  }

  async #read<Result>(
    empty: Result,
    work: (reader: GenerationReader<Doc>) => Promise<Result>,
  ): Promise<Result> {
    const { name } = this.#spec;
    let generation = this.#pointers.lastServing(name);
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const began = performance.now();
      const reader = generation === undefined ? undefined : this.#readerOf(generation);
      const [pointers, result] = await Promise.allSettled([this.#pointers.now(), reader && work(reader)]);
      if (pointers.status === 'rejected') throw mongoError(pointers.reason, name);
      const serving = pointers.value.get(name)?.serving;
      if (serving === undefined) return empty;
      if (serving === generation && performance.now() - began < this.#readsWithinMs) {
        if (result.status === 'rejected') throw mongoError(result.reason, rowsName(name, serving));
        return result.value as Result;
      }
      generation = serving;
    }
    throw new StoreError('unavailable', `MongoDB, ${name}: reads repeatedly took too long.`);
  }

  #readerOf(generation: number): GenerationReader<Doc> {
    if (this.#reader?.generation !== generation) {
      this.#reader = new GenerationReader(this.#db, this.#spec, generation);
    }
    return this.#reader;
  }
}

/** Reads from one generation, serving or not. */
class GenerationReader<Doc extends object> {
  readonly generation: number;
  readonly #db: Db;
  readonly #spec: CollectionSpec<Doc>;
  readonly #rows: Rows<Row>;
  readonly #documents = new BatchPerTick<string, Map<string, Doc>>((ids) => this.#fetch([...ids]));

  constructor(db: Db, spec: CollectionSpec<Doc>, generation: number) {
    this.generation = generation;
    this.#db = db;
    this.#spec = spec;
    this.#rows = db.collection<Row>(rowsName(spec.name, generation));
  }

  async get(id: string): Promise<Doc | undefined> {
    return (await this.#documents.ask([id])).get(id);
  }

  async getMany(ids: readonly string[]): Promise<ReadonlyMap<string, Doc>> {
    if (ids.length === 0) return new Map();
    const all = await this.#documents.ask(ids);
    const found = new Map<string, Doc>();
    for (const id of ids) {
      const doc = all.get(id);
      if (doc) found.set(id, doc);
    }
    return found;
  }

  async page(query: PageQuery<Doc>): Promise<Doc[]> {
    const rows = await this.#page<Row>(query, { ...unread, _id: 0, _p: 0 });
    return rows.flatMap((row) => documentOf(this.#spec, row) ?? []);
  }

  async select<Field extends keyof Doc & string>(
    query: PageQuery<Doc>,
    fields: readonly Field[],
  ): Promise<Pick<Doc, Field>[]> {
    const shown = Object.fromEntries(fields.map((field) => [field, 1]));
    const rows = await this.#page<Record<string, unknown>>(query, { _id: 0, ...shown });
    return rows.map((row) => selectedOf<Doc, Field>(row, fields));
  }

  async count(query: CountQuery<Doc>): Promise<number> {
    const count: unknown = await this.#rows.countDocuments(
      countFilter(this.#spec, query),
      query.atMost === undefined ? {} : { limit: query.atMost },
    );
    // The type says number, but a server may return a 64-bit count, which the driver returns as a bigint.
    return Number(count);
  }

  async vocabulary(
    query: VocabularyQuery,
    limit: number,
    lengths: WordLengths | undefined,
  ): Promise<string[]> {
    const { name, vocabulary } = this.#spec;
    if (vocabulary === undefined) throw new StoreError('misuse', 'This collection has no vocabulary.');
    return readVocabulary(this.#db, rowsName(name, this.generation), query, limit, lengths);
  }

  async vocabularyStamp(beginning: string): Promise<string> {
    const { name, vocabulary } = this.#spec;
    if (vocabulary === undefined) throw new StoreError('misuse', 'This collection has no vocabulary.');
    return `${this.generation}.${await countWords(this.#db, rowsName(name, this.generation), beginning)}`;
  }

  async #page<Found>(query: PageQuery<Doc>, projection: Readonly<Record<string, 0 | 1>>): Promise<Found[]> {
    const { filter, sort } = pageFilter(this.#spec, query);
    // In MongoDB a limit of 0 means no limit.
    if (query.limit === 0) return [];
    return this.#rows
      .find<Found & object>(filter, {
        projection,
        sort,
        limit: query.limit,
        skip: query.skip ?? 0,
        // One answer then contains all rows, and the server keeps no cursor open.
        batchSize: Math.min(query.limit + 1, rowsAtOnce),
      })
      .toArray();
  }

  async #fetch(ids: readonly string[]): Promise<Map<string, Doc>> {
    const found = new Map<string, Doc>();
    for (const row of await rowsById(this.#rows, ids, { ...unread, _p: 0 })) {
      const doc = documentOf(this.#spec, row);
      if (doc) found.set(stored(row._id), doc);
    }
    return found;
  }
}

/** The rows of many ids, in no order. */
export async function rowsById(
  rows: Rows<Row>,
  ids: readonly string[],
  projection: Readonly<Record<string, 0>>,
): Promise<Row[]> {
  const keys = ids.map(sought);
  const filters: Filter<Row>[] =
    keys.length === 1
      ? keys.map((_id) => ({ _id }))
      : Array.from({ length: Math.ceil(keys.length / idsAtOnce) }, (_, part) => ({
          _id: { $in: keys.slice(part * idsAtOnce, (part + 1) * idsAtOnce) },
        }));
  const batchSize = Math.min(keys.length, idsAtOnce) + 1;
  const found = await Promise.all(
    filters.map((filter) => rows.find(filter, { projection, batchSize }).toArray()),
  );
  return found.flat();
}
