import { DatabaseSync } from 'node:sqlite';

/** What an adapter of oidc-provider keeps: JSON, with the time of its use once it was used. */
interface Entry {
  consumed?: number;
}

/** What oidc-provider asks of an adapter. Each kind of token has one. */
interface Adapter {
  upsert(id: string, payload: Entry, expiresIn?: number): Promise<void>;
  find(id: string): Promise<Entry | undefined>;
  findByUserCode(): Promise<undefined>;
  findByUid(): Promise<undefined>;
  consume(id: string): Promise<void>;
  destroy(id: string): Promise<void>;
  revokeByGrantId(): Promise<undefined>;
}

const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

/** Its own in-memory adapter forgets all but a thousand entries. A Map is faster, too. */
export class InMemory implements Adapter {
  readonly #entries = new Map<string, Entry>();
  async upsert(id: string, payload: Entry) {
    this.#entries.set(id, payload);
  }
  async find(id: string) {
    return this.#entries.get(id);
  }
  async findByUserCode() {
    return undefined;
  }
  async findByUid() {
    return undefined;
  }
  async consume(id: string) {
    const entry = this.#entries.get(id);
    if (entry) entry.consumed = nowSeconds();
  }
  async destroy(id: string) {
    this.#entries.delete(id);
  }
  async revokeByGrantId() {
    return undefined;
  }
}

/** An adapter that has everything on the disk before it answers, as ours has: SQLite, WAL, synchronous FULL. */
export function onDisk(path: string) {
  const db = new DatabaseSync(path);
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE entries (kind TEXT, id TEXT, payload TEXT, consumed INTEGER, expires INTEGER, PRIMARY KEY (kind, id)) WITHOUT ROWID;
  `);
  const put = db.prepare(
    'INSERT INTO entries (kind, id, payload, expires) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET payload = excluded.payload, expires = excluded.expires',
  );
  const get = db.prepare('SELECT payload, consumed FROM entries WHERE kind = ? AND id = ? AND expires > ?');
  const use = db.prepare('UPDATE entries SET consumed = ? WHERE kind = ? AND id = ?');
  const drop = db.prepare('DELETE FROM entries WHERE kind = ? AND id = ?');
  return class OnDisk implements Adapter {
    readonly #kind: string;
    constructor(kind: string) {
      this.#kind = kind;
    }
    async upsert(id: string, payload: Entry, expiresIn = 86_400) {
      put.run(this.#kind, id, JSON.stringify(payload), nowSeconds() + expiresIn);
    }
    async find(id: string) {
      const row = get.get(this.#kind, id, nowSeconds()) as
        { payload: string; consumed: number | null } | undefined;
      if (!row) return undefined;
      const payload = JSON.parse(row.payload) as Entry;
      return row.consumed === null ? payload : { ...payload, consumed: row.consumed };
    }
    async findByUserCode() {
      return undefined;
    }
    async findByUid() {
      return undefined;
    }
    async consume(id: string) {
      use.run(nowSeconds(), this.#kind, id);
    }
    async destroy(id: string) {
      drop.run(this.#kind, id);
    }
    async revokeByGrantId() {
      return undefined;
    }
  };
}
