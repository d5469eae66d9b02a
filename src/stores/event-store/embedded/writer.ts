import type { DatabaseSync } from 'node:sqlite';
import type { StoreError } from '../../errors.ts';
import { WrongExpectedRevision } from '../../errors.ts';
import { openForWriting, storeError } from '../../sqlite.ts';
import type { ExpectedRevision } from '../port.ts';
import { eventsSchema } from './schema.ts';

/** An append with its events already serialised: `[id, type, data, metadata]`. */
export interface AppendRequest {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly (readonly [id: string, type: string, data: string, metadata: string])[];
}

export type AppendOutcome = { readonly revision: number; readonly position: number } | StoreError;

/**
 * Writes appends that arrived together in one durable transaction.
 *
 * A conflict fails only its own append. A failed statement fails the whole group: on a full disk SQLite rolls back
 * by itself, and later statements would autocommit. After a failed COMMIT every outcome of the group is unknown,
 * and the file is opened again before the next write.
 */
export class EventWriter {
  readonly #path: string;
  #db: DatabaseSync;
  #statements: Statements;
  #version: number | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#db = openForWriting(path, eventsSchema);
    this.#statements = prepare(this.#db);
  }

  append(requests: readonly AppendRequest[]): AppendOutcome[] {
    let committing = false;
    try {
      if (!this.#db.isOpen) this.#open();
      this.#db.exec('BEGIN IMMEDIATE');
      const outcomes = requests.map((request) => this.#appendOne(request));
      committing = true;
      this.#db.exec('COMMIT');
      return outcomes;
    } catch (error) {
      const failure = storeError(error, this.#path, committing ? 'unknown' : 'none');
      this.#recover();
      return requests.map(() => failure);
    }
  }

  /** The position of the newest event of anybody. */
  get head(): number {
    return (this.#statements.head.get() as { head: number }).head;
  }

  /** The position of the newest event, when another connection has committed since this was last asked. */
  newestOfOthers(): number | undefined {
    try {
      const { data_version: version } = this.#statements.version.get() as { data_version: number };
      if (version === this.#version) return undefined;
      this.#version = version;
      return this.head;
    } catch {
      // What is wrong with the file, the next append tells.
      return undefined;
    }
  }

  close(): void {
    this.#db.close();
  }

  #appendOne({ stream, expected, events }: AppendRequest): AppendOutcome {
    const newest = this.#statements.newest.get(stream) as { revision: number; position: number } | undefined;
    const actual = newest?.revision ?? -1;
    const wanted = expected === 'no_stream' ? -1 : expected === 'any' ? actual : expected;
    if (wanted !== actual) {
      return (
        this.#sameAppendBefore(stream, wanted, events) ??
        new WrongExpectedRevision(stream, expected as number | 'no_stream', actual)
      );
    }
    let revision = actual;
    let position = newest?.position ?? 0;
    for (const [id, type, data, metadata] of events) {
      revision += 1;
      position = Number(
        this.#statements.insert.run(stream, revision, id, type, metadata, data).lastInsertRowid,
      );
    }
    return { revision, position };
  }

  /** The outcome of the same append, when it was made before. */
  #sameAppendBefore(
    stream: string,
    after: number,
    events: AppendRequest['events'],
  ): AppendOutcome | undefined {
    const found = this.#statements.idsAfter.all(stream, after, events.length) as {
      id: string;
      revision: number;
      position: number;
    }[];
    const last = found.at(-1);
    if (!last || found.length !== events.length) return undefined;
    return found.every((row, index) => row.id === events[index]?.[0])
      ? { revision: last.revision, position: last.position }
      : undefined;
  }

  /** Closes the connection. The next append opens a new one. */
  #recover(): void {
    for (const step of [() => this.#db.isTransaction && this.#db.exec('ROLLBACK'), () => this.#db.close()]) {
      try {
        step();
      } catch {
        // The connection is unusable. Every caller of the group gets the first error.
      }
    }
  }

  #open(): void {
    this.#db = openForWriting(this.#path, eventsSchema);
    this.#statements = prepare(this.#db);
  }
}

type Statements = ReturnType<typeof prepare>;

function prepare(db: DatabaseSync) {
  return {
    head: db.prepare('SELECT coalesce(max(position), 0) AS head FROM events'),
    version: db.prepare('PRAGMA data_version'),
    newest: db.prepare(
      'SELECT revision, position FROM events WHERE stream = ? ORDER BY revision DESC LIMIT 1',
    ),
    idsAfter: db.prepare(
      'SELECT id, revision, position FROM events WHERE stream = ? AND revision > ? ORDER BY revision LIMIT +?',
    ),
    insert: db.prepare(
      'INSERT INTO events (stream, revision, id, type, metadata, data) VALUES (?, ?, ?, ?, ?, ?)',
    ),
  };
}
