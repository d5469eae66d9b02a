import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../errors.ts';
import { openForWriting, storeError, transaction, type Schema } from '../sqlite.ts';
import type { SideJournal, SideStore, SideTable } from './port.ts';

export const sideSchema: Schema = {
  version: 1,
  synchronous: 'FULL',
  sql: `
    CREATE TABLE entries (
      name TEXT NOT NULL,
      id TEXT NOT NULL,
      expires_at INTEGER,
      value TEXT NOT NULL,
      PRIMARY KEY (name, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX entries_by_expiry ON entries (expires_at) WHERE expires_at IS NOT NULL;
  `,
};

/**
 * Open entries of journals: few, so that beginning and ending one costs no search in the large table. No part of the
 * schema's version: a release that does not know the table leaves it alone.
 */
const openEntriesSql = `
  CREATE TABLE IF NOT EXISTS open_entries (
    name TEXT NOT NULL,
    journal_group TEXT NOT NULL,
    id TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (name, journal_group, id)
  ) STRICT, WITHOUT ROWID`;

/** How often expired entries are removed. Reads skip them at once. */
const sweepMs = 60_000;
/**
 * How long a write waits for others to share its fsync. Without this, fsyncs were a tenth of the cost of a
 * delivery.
 */
const gatheredMs = 1;

interface Write {
  /** Returns how many rows it changed. */
  readonly run: () => number;
  readonly resolve: (changes: number) => void;
  readonly reject: (error: Error) => void;
}

/** Side tables in `side.db`. Writes that come together share one transaction, so that a burst costs one fsync. */
export class EmbeddedSideStore implements SideStore {
  readonly #path: string;
  readonly #db: DatabaseSync;
  #writes: Write[] = [];
  #sweptAt = 0;
  readonly #tables = new Map<string, SideTable<unknown>>();
  readonly #journals = new Map<string, SideJournal<unknown>>();

  constructor(directory: string) {
    this.#path = join(directory, 'side.db');
    this.#db = openForWriting(this.#path, sideSchema);
    try {
      this.#db.exec(openEntriesSql);
    } catch (error) {
      this.#db.close();
      throw storeError(error, this.#path);
    }
  }

  journal<Value>(name: string): SideJournal<Value> {
    const journal = (this.#journals.get(name) ?? this.#openJournal(name)) as SideJournal<Value>;
    this.#journals.set(name, journal);
    return journal;
  }

  #openJournal<Value>(name: string): SideJournal<Value> {
    const table = this.table<Value>(name);
    const db = this.#db;
    const put = db.prepare(
      `INSERT INTO open_entries VALUES (?, ?, ?, ?)
       ON CONFLICT (name, journal_group, id) DO UPDATE SET value = excluded.value`,
    );
    const complete = db.prepare(
      `INSERT INTO entries VALUES (?, ?, ?, ?)
       ON CONFLICT (name, id) DO UPDATE SET expires_at = excluded.expires_at, value = excluded.value`,
    );
    const remove = db.prepare('DELETE FROM open_entries WHERE name = ? AND journal_group = ? AND id = ?');
    const get = db.prepare('SELECT value FROM open_entries WHERE name = ? AND journal_group = ? AND id = ?');
    const ofGroup = db.prepare('SELECT id, value FROM open_entries WHERE name = ? AND journal_group = ?');
    // There are as many open entries as there is work under way, so this one may look at all of them.
    const beginning = db.prepare(
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
        await this.#write(() => put.run(name, group, id, text));
      },
      complete: async (group, id, value, expiresAt) => {
        const text = textOf(name, id, value);
        await this.#write(() => {
          remove.run(name, group, id);
          return complete.run(name, id, expiresAt.getTime(), text);
        });
      },
      withdraw: async (group, id) => {
        await this.#write(() => remove.run(name, group, id));
      },
      opened: async (group, id) => {
        const row = get.get(name, group, id) as Row | undefined;
        return row && (this.#parsed(row.value) as Value);
      },
      listOpen: async (groups) => groups.flatMap((group) => parsed(ofGroup.all(name, group))).sort(byId),
      listBeginning: async (prefix, limit) => {
        const open = parsed(beginning.all(name, prefix, prefix)).map((each) => ({ ...each, open: true }));
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
    const put = this.#db.prepare(
      `INSERT INTO entries VALUES (?, ?, ?, ?)
       ON CONFLICT (name, id) DO UPDATE SET expires_at = excluded.expires_at, value = excluded.value`,
    );
    const putIfAbsent = this.#db.prepare(
      `INSERT INTO entries VALUES (?, ?, ?, ?)
       ON CONFLICT (name, id) DO UPDATE SET expires_at = excluded.expires_at, value = excluded.value
       WHERE entries.expires_at <= ?`,
    );
    const get = this.#db.prepare(
      'SELECT value FROM entries WHERE name = ? AND id = ? AND (expires_at IS NULL OR expires_at > ?)',
    );
    const remove = this.#db.prepare('DELETE FROM entries WHERE name = ? AND id = ?');
    const list = this.#db.prepare(
      `SELECT id, value FROM entries WHERE name = ? AND id > ? AND (expires_at IS NULL OR expires_at > ?)
       ORDER BY id LIMIT +?`,
    );
    return {
      put: async (id, value, expiresAt) => {
        const text = textOf(name, id, value);
        await this.#write(() => put.run(name, id, expiresAt?.getTime() ?? null, text));
      },
      putIfAbsent: async (id, value, expiresAt) => {
        const text = textOf(name, id, value);
        const at = Date.now();
        const run = () => putIfAbsent.run(name, id, expiresAt?.getTime() ?? null, text, at);
        return (await this.#write(run)) === 1;
      },
      delete: async (id) => {
        await this.#write(() => remove.run(name, id));
      },
      get: async (id) => {
        const row = get.get(name, id, Date.now()) as { value: string } | undefined;
        return row && (this.#parsed(row.value) as Value);
      },
      list: async ({ after = '', limit = -1 } = {}) =>
        (list.all(name, after, Date.now(), limit) as { id: string; value: string }[]).map((row) => ({
          id: row.id,
          value: this.#parsed(row.value) as Value,
        })),
    };
  }

  #parsed(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw storeError(error, this.#path);
    }
  }

  async close(): Promise<void> {
    this.#commit();
    if (this.#db.isOpen) this.#db.close();
  }

  /** Resolves with the number of changed rows after the commit. */
  #write(change: () => { readonly changes: number | bigint }): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#writes.push({ run: () => Number(change().changes), resolve, reject });
      if (this.#writes.length === 1) setTimeout(() => this.#commit(), gatheredMs);
    });
  }

  #commit(): void {
    const writes = this.#writes;
    if (writes.length === 0) return;
    this.#writes = [];
    try {
      const changes = transaction(this.#db, () => {
        const counted = writes.map(({ run }) => run());
        this.#sweep();
        return counted;
      });
      for (const [place, { resolve }] of writes.entries()) resolve(changes[place] ?? 0);
    } catch (error) {
      const failure = storeError(error, this.#path, 'unknown');
      for (const write of writes) write.reject(failure);
    }
  }

  #sweep(): void {
    const now = Date.now();
    if (now - this.#sweptAt < sweepMs) return;
    this.#sweptAt = now;
    this.#db.prepare('DELETE FROM entries WHERE expires_at <= ?').run(now);
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
