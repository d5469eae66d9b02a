import { join } from 'node:path';
import type { StatementSync } from 'node:sqlite';
import { StoreError } from '../errors.ts';
import { scrubLog, storeError, inFile } from '../sqlite.ts';
import { SideWriterThread } from './embedded-writer-client.ts';
import { SideWriter, type SideWrite } from './embedded-writer.ts';
import type { SideJournal, SideStore, SideTable } from './port.ts';

/**
 * How long a write waits for others to share its fsync. Without this, fsyncs were a tenth of the cost of a
 * delivery.
 */
const gatheredMs = 1;

interface Waiting {
  readonly write: SideWrite;
  readonly resolve: (changes: number) => void;
  readonly reject: (error: Error) => void;
}

interface EmbeddedSideOptions {
  /**
   * Commits in a thread of its own from the first entry of a journal on. For a client that then writes all the time: it
   * need not wait for the disk. Before that a thread is 12 MB for nothing.
   */
  readonly thread?: boolean;
}

/** Side tables in `side.db`. Writes that come together share one transaction, so that a burst costs one fsync. */
export class EmbeddedSideStore implements SideStore {
  readonly #path: string;
  readonly #writer: SideWriter;
  readonly #hasThread: boolean;
  #thread: SideWriterThread | undefined;
  #waiting: Waiting[] = [];
  #committing: Promise<unknown> = Promise.resolve();
  readonly #tables = new Map<string, SideTable<unknown>>();
  readonly #journals = new Map<string, SideJournal<unknown>>();

  constructor(directory: string, { thread = false }: EmbeddedSideOptions = {}) {
    this.#path = join(directory, 'side.db');
    // It also reads. Opened first, so that the thread finds the file as it has to be.
    this.#writer = new SideWriter(this.#path);
    this.#hasThread = thread;
  }

  journal<Value>(name: string): SideJournal<Value> {
    const journal = (this.#journals.get(name) ?? this.#openJournal(name)) as SideJournal<Value>;
    this.#journals.set(name, journal);
    return journal;
  }

  #openJournal<Value>(name: string): SideJournal<Value> {
    const table = this.table<Value>(name);
    const get = this.#prepared(
      'SELECT value FROM open_entries WHERE name = ? AND journal_group = ? AND id = ?',
    );
    const ofGroup = this.#prepared('SELECT id, value FROM open_entries WHERE name = ? AND journal_group = ?');
    // There are as many open entries as there is work under way, so this one may look at all of them.
    const beginning = this.#prepared(
      'SELECT id, value FROM open_entries WHERE name = ? AND substr(id, 1, length(?)) = ?',
    );
    interface Row {
      readonly id: string;
      readonly value: string;
    }
    const parsed = (rows: unknown) =>
      (rows as Row[]).map(({ id, value }) => ({ id, value: this.#parsed(value) as Value }));
    return {
      open: async (group, id, value) => {
        const text = textOf(name, id, value);
        await this.#write(['open', name, group, id, text]);
      },
      complete: async (group, id, value, expiresAt) => {
        const text = textOf(name, id, value);
        await this.#write(['complete', name, group, id, expiresAt.getTime(), text]);
      },
      withdraw: async (group, id) => {
        await this.#write(['withdraw', name, group, id]);
      },
      opened: async (group, id) => {
        const row = this.#read(() => get.get(name, group, id)) as Row | undefined;
        return row && (this.#parsed(row.value) as Value);
      },
      listOpen: async (groups) =>
        groups.flatMap((group) => parsed(this.#read(() => ofGroup.all(name, group)))).sort(byId),
      listBeginning: async (prefix, limit) => {
        const open = parsed(this.#read(() => beginning.all(name, prefix, prefix))).map((each) => ({
          ...each,
          open: true,
        }));
        // The ids after a prefix follow each other; the prefix itself, as an id, comes before them.
        const after: { id: string; value: Value; open: boolean }[] = [];
        const own = await table.get(prefix);
        if (own !== undefined) after.push({ id: prefix, value: own, open: false });
        for (const each of await table.list({ after: prefix, limit })) {
          if (!each.id.startsWith(prefix)) break;
          after.push({ ...each, open: false });
        }
        const opened = new Set(open.map(({ id }) => id));
        return [...open, ...after.filter(({ id }) => !opened.has(id))].sort(byId).slice(0, limit);
      },
    };
  }

  table<Value>(name: string): SideTable<Value> {
    const table = (this.#tables.get(name) ?? this.#open(name)) as SideTable<Value>;
    this.#tables.set(name, table);
    return table;
  }

  #open<Value>(name: string): SideTable<Value> {
    const get = this.#prepared(
      'SELECT value FROM entries WHERE name = ? AND id = ? AND (expires_at IS NULL OR expires_at > ?)',
    );
    const list = this.#prepared(
      `SELECT id, value FROM entries WHERE name = ? AND id > ? AND (expires_at IS NULL OR expires_at > ?)
       ORDER BY id LIMIT +?`,
    );
    return {
      put: async (id, value, expiresAt) => {
        const text = textOf(name, id, value);
        await this.#write(['put', name, id, expiresAt?.getTime() ?? null, text]);
      },
      putIfAbsent: async (id, value, expiresAt) => {
        const text = textOf(name, id, value);
        const at = Date.now();
        return (await this.#write(['put if absent', name, id, expiresAt?.getTime() ?? null, text, at])) === 1;
      },
      delete: async (id) => {
        await this.#write(['delete', name, id]);
      },
      get: async (id) => {
        const row = this.#read(() => get.get(name, id, Date.now())) as { value: string } | undefined;
        return row && (this.#parsed(row.value) as Value);
      },
      list: async ({ after = '', limit = -1 } = {}) =>
        (this.#read(() => list.all(name, after, Date.now(), limit)) as { id: string; value: string }[]).map(
          (row) => ({
            id: row.id,
            value: this.#parsed(row.value) as Value,
          }),
        ),
    };
  }

  async scrub(): Promise<void> {
    await this.#committing;
    scrubLog(this.#writer.db, this.#path);
  }

  async close(): Promise<void> {
    this.#commit();
    await this.#committing;
    await this.#thread?.close();
    this.#writer.close();
  }

  /** Resolves with the number of changed rows after the commit. */
  #write(write: SideWrite): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject });
      if (this.#waiting.length > 1) return;
      // The thread joins what comes while it commits.
      if (this.#thread) setImmediate(() => this.#commit());
      else setTimeout(() => this.#commit(), gatheredMs);
    });
  }

  #commit(): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    const writes = waiting.map(({ write }) => write);
    const done = (changes: readonly number[]) => {
      for (const [place, { resolve }] of waiting.entries()) resolve(changes[place] ?? 0);
    };
    const failed = (error: unknown) => {
      const failure = storeError(error, this.#path, 'unknown');
      for (const { reject } of waiting) reject(failure);
    };
    if (this.#hasThread && writes.some(([kind]) => kind === 'open'))
      this.#thread ??= new SideWriterThread(this.#path);
    if (this.#thread?.isAlive) {
      this.#committing = this.#thread.commit(writes).then(done, failed);
      return;
    }
    try {
      done(this.#writer.commit(writes));
    } catch (error) {
      failed(error);
    }
  }

  #prepared(sql: string): StatementSync {
    return this.#read(() => this.#writer.db.prepare(sql));
  }

  /** Names the file where SQLite does not. */
  #read<Result>(work: () => Result): Result {
    return inFile(this.#path, work);
  }

  #parsed(text: string): unknown {
    return inFile(this.#path, () => JSON.parse(text) as unknown);
  }
}

/** Serialised at the call: an unserialisable value fails alone, and later changes to the object have no effect. */
function textOf(name: string, id: string, value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined)
    throw new StoreError('misuse', `${name}: the value of ${id} cannot be written as JSON.`);
  return text;
}

/** In the order of UTF-8 bytes, as SQLite has it. */
const byId = (one: { readonly id: string }, other: { readonly id: string }): number =>
  Buffer.compare(Buffer.from(one.id), Buffer.from(other.id));
