import {
  MongoBulkWriteError,
  MongoServerError,
  type AnyBulkWriteOperation,
  type Collection,
  type Db,
} from 'mongodb';
import { StoreError } from '../errors.ts';
import { mongoError } from '../mongodb-errors.ts';
import { keyOf, textOf } from '../mongodb-keys.ts';
import { defaultTimeoutMs, withTimeout } from '../mongodb-timeout.ts';
import { TableUpkeep } from './mongodb-upkeep.ts';
import type { SideJournal, SideStore, SideTable } from './port.ts';
import { operation } from '../mongodb-operation.ts';

/** The largest value in bytes of JSON: the limit of a document, less the other fields. */
const largestValue = 16 * 1_024 * 1_024 - 64 * 1_024;

/**
 * Side tables, each in a collection `side.{name}`: listing one reads only its own entries.
 */
export class MongoSideStore implements SideStore {
  readonly #db: Db;
  readonly #tables = new Map<string, MongoSideTable<unknown>>();

  constructor(db: Db) {
    this.#db = db;
  }

  table<Value>(name: string): SideTable<Value> {
    return this.#collection(name) as SideTable<Value>;
  }

  journal<Value>(name: string): SideJournal<Value> {
    return this.#collection(name) as SideJournal<Value>;
  }

  #collection(name: string): SideTable<unknown> & SideJournal<unknown> {
    if (!/^[\w-]+$/.test(name))
      throw new StoreError('misuse', `${name}: is not a valid name for a side table.`);
    const table = this.#tables.get(name) ?? new MongoSideTable(this.#db.collection(`side.${name}`), name);
    this.#tables.set(name, table);
    return table;
  }

  /** Waits for writes under way. The connection is closed by its owner. */
  /** Does nothing: the server reuses the room of deleted documents by itself, and its oplog ends with its window. */
  async scrub(): Promise<void> {}

  async close(): Promise<void> {
    await Promise.all([...this.#tables.values()].map((table) => table.settled()));
  }
}

interface Entry {
  /** The id, as a key. */
  readonly _id: string;
  /** JSON text, because a value may have any field names. */
  readonly value: string;
  /** Missing when the entry does not expire. */
  readonly expires_at?: Date;
  /** The group of an open entry of a journal. */
  readonly open?: string;
}

/** The pending write of one id, and its callers. */
interface Write {
  /** Undefined: the entry is deleted. `withdrawn`: it is deleted when it is open. */
  entry: Entry | 'withdrawn' | undefined;
  readonly askers: { readonly resolve: () => void; readonly reject: (error: Error) => void }[];
}

/**
 * Sends one batch of writes after the other. Writes that arrive meanwhile form the next batch. So a burst costs one
 * round trip, and writes to one id take effect in order: a batch holds only the last of them.
 */
class MongoSideTable<Value> implements SideTable<Value>, SideJournal<Value> {
  readonly #entries: Collection<Entry>;
  readonly #name: string;
  #writes = new Map<string, Write>();
  #writing: Promise<void> | undefined;
  readonly #upkeep: TableUpkeep<Entry>;

  constructor(entries: Collection<Entry>, name: string) {
    this.#entries = entries;
    this.#upkeep = new TableUpkeep(entries);
    this.#name = name;
  }

  async put(id: string, value: Value, expiresAt?: Date): Promise<void> {
    const entry = this.#entryOf(id, value, expiresAt);
    await this.#write(entry._id, entry);
  }

  /** Replaces an expired entry, else inserts. An unexpired entry makes the insert fail with a duplicate id. */
  async putIfAbsent(id: string, value: Value, expiresAt?: Date): Promise<boolean> {
    const { _id, ...replacement } = this.#entryOf(id, value, expiresAt);
    const expired = { _id, expires_at: { $lte: new Date() } };
    try {
      await withTimeout(defaultTimeoutMs, this.#entries.replaceOne(expired, replacement, { upsert: true }));
      this.#writing ??= this.#writeAll();
      return true;
    } catch (error) {
      if (error instanceof MongoServerError && error.code === duplicateKey) return false;
      throw mongoError(error, `writing to ${this.#name}`, 'unknown');
    }
  }

  async delete(id: string): Promise<void> {
    await this.#write(keyOf(id), undefined);
  }

  async get(id: string): Promise<Value | undefined> {
    return operation(`reading from ${this.#name}`, 'none', async () => {
      const entry = await this.#entries.findOne({ _id: keyOf(id) });
      if (!entry || (entry.expires_at && entry.expires_at.getTime() <= Date.now())) return undefined;
      return JSON.parse(entry.value) as Value;
    });
  }

  async list({ after = '', limit = -1 }: { readonly after?: string; readonly limit?: number } = {}) {
    // In MongoDB a limit of 0 means no limit.
    if (limit === 0) return [];
    const found = await this.#found({ _id: { $gt: keyOf(after) } }, Math.max(limit, 0));
    return found.map(({ id, value }) => ({ id, value }));
  }

  async open(group: string, id: string, value: Value): Promise<void> {
    const entry = this.#entryOf(id, value, undefined);
    this.#upkeep.needsOpenIndex();
    await this.#write(entry._id, { ...entry, open: group });
  }

  /** The entry is replaced as a whole, so that it is no longer open. */
  complete(_group: string, id: string, value: Value, expiresAt: Date): Promise<void> {
    return this.put(id, value, expiresAt);
  }

  async withdraw(_group: string, id: string): Promise<void> {
    await this.#write(keyOf(id), 'withdrawn');
  }

  async opened(group: string, id: string): Promise<Value | undefined> {
    const [entry] = await this.#found({ _id: keyOf(id), open: group }, 1);
    return entry?.value;
  }

  async listOpen(groups: readonly string[]): Promise<{ id: string; value: Value }[]> {
    const found = await this.#found({ open: { $in: groups } }, 0);
    return found.map(({ id, value }) => ({ id, value }));
  }

  async listBeginning(prefix: string, limit: number) {
    if (limit === 0) return [];
    const from = keyOf(prefix);
    // Keys are compared by their bytes, and no key has this character after a prefix.
    return this.#found({ _id: { $gte: from, $lt: `${from}\u{10ffff}` } }, limit);
  }

  async #found(filter: object, limit: number): Promise<{ id: string; value: Value; open: boolean }[]> {
    const living = [{ expires_at: null }, { expires_at: { $gt: new Date() } }];
    return operation(`listing ${this.#name}`, 'none', async () => {
      const entries = await this.#entries
        .find({ ...filter, $or: living } as object)
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      return entries.map(({ _id, value, open }) => ({
        id: textOf(_id),
        value: JSON.parse(value) as Value,
        open: open !== undefined,
      }));
    });
  }

  /**
   * Serialised at the call: an unserialisable value fails alone, and later changes to the object have no effect.
   */
  #entryOf(id: string, value: Value, expiresAt: Date | undefined): Entry {
    const text = JSON.stringify(value) as string | undefined;
    if (text === undefined)
      throw new StoreError('misuse', `${this.#name}: the value of ${id} cannot be written as JSON.`);
    if (Buffer.byteLength(text) > largestValue)
      throw new StoreError('misuse', `${this.#name}: the value of ${id} is larger than a document may be.`);
    const expiry = expiresAt === undefined ? {} : { expires_at: new Date(expiresAt) };
    return { _id: keyOf(id), value: text, ...expiry };
  }

  /** Resolves when no write is under way. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  #write(key: string, entry: Write['entry']): Promise<void> {
    return new Promise((resolve, reject) => {
      const write = this.#writes.get(key) ?? { entry, askers: [] };
      write.entry = entry;
      write.askers.push({ resolve, reject });
      this.#writes.set(key, write);
      this.#writing ??= this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    do {
      const writes = [...this.#writes];
      this.#writes = new Map();
      if (writes.length > 0) await this.#commit(writes, 1);
      await this.#upkeep.run();
    } while (this.#writes.size > 0);
    this.#writing = undefined;
  }

  async #commit(writes: readonly (readonly [string, Write])[], attempt: number): Promise<void> {
    const operations = writes.map(([key, { entry }]): AnyBulkWriteOperation<Entry> => {
      if (!entry) return { deleteOne: { filter: { _id: key } } };
      if (entry === 'withdrawn') return { deleteOne: { filter: { _id: key, open: { $exists: true } } } };
      const { _id, ...replacement } = entry;
      return { replaceOne: { filter: { _id }, replacement, upsert: true } };
    });
    try {
      await withTimeout(defaultTimeoutMs, this.#entries.bulkWrite(operations, { ordered: false }));
      for (const [, { askers }] of writes) for (const { resolve } of askers) resolve();
    } catch (error) {
      await this.#settleEach(writes, error, attempt);
    }
  }

  /** Settles each write of a failed batch. */
  async #settleEach(
    writes: readonly (readonly [string, Write])[],
    error: unknown,
    attempt: number,
  ): Promise<void> {
    const refusals = refusalsOf(error);
    const again: (readonly [string, Write])[] = [];
    for (const [place, write] of writes.entries()) {
      const code = refusals?.get(place);
      const { askers } = write[1];
      if (refusals && code === undefined) for (const { resolve } of askers) resolve();
      // Two clients both tried to insert. Now the entry exists, and a retry replaces it.
      else if (code === duplicateKey && attempt < attempts) again.push(write);
      else {
        const failure = mongoError(error, `writing to ${this.#name}`, refusals ? 'none' : 'unknown');
        for (const { reject } of askers) reject(failure);
      }
    }
    if (again.length > 0) await this.#commit(again, attempt + 1);
  }
}

const duplicateKey = 11_000;
/** Attempts of a write that conflicts with another client's first write of the same id. */
const attempts = 5;

/**
 * The error codes of the refused writes of a batch, by index. Undefined when the outcome of the others is unknown.
 */
function refusalsOf(error: unknown): ReadonlyMap<number, unknown> | undefined {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) return undefined;
  // From the error itself: its result also lists refusals from before the connection broke.
  const refused = [error.writeErrors].flat();
  return refused.length === 0 ? undefined : new Map(refused.map(({ index, code }) => [index, code]));
}
