import type { DatabaseSync } from 'node:sqlite';
import { openForWriting, Statements, transaction, type Schema } from '../../sqlite.ts';
import {
  beginning,
  type ConsumedEvent,
  type EventFilter,
  type GroupPlace,
  type ParkedEvent,
  type RecordedEvent,
  type HandlerResult,
} from '../port.ts';
import { isAlive, self } from './group-owner.ts';
import type { EventReader } from './reader.ts';

/**
 * The state of consumer groups, in its own file: how far events were delivered, which are in flight (owner,
 * timeout, attempts), and which are parked.
 *
 * NORMAL is enough: a power cut can undo an acknowledgement, and then the event is delivered again.
 */
export const consumersSchema: Schema = {
  version: 1,
  synchronous: 'NORMAL',
  sql: `
    CREATE TABLE groups (name TEXT PRIMARY KEY, handed_out INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE entries (
      name TEXT NOT NULL,
      position INTEGER NOT NULL,
      event_id TEXT NOT NULL,
      attempts INTEGER NOT NULL,
      owner TEXT,
      visible_at INTEGER NOT NULL,
      parked_at TEXT,
      reason TEXT,
      PRIMARY KEY (name, position)
    ) STRICT, WITHOUT ROWID;
  `,
};

/**
 * The event at a group's position; a different one there means a different log. Not part of the schema, so that
 * older releases still open the file.
 */
const placesTable = `
  CREATE TABLE IF NOT EXISTS places (
    name TEXT PRIMARY KEY, position INTEGER NOT NULL, event_id TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`;

/**
 * Parked events that were discarded. Kept, so that the reconciler does not find them again. A table of its own for the
 * same reason.
 */
const discardedTable = `
  CREATE TABLE IF NOT EXISTS discarded (
    name TEXT NOT NULL, event_id TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (name, event_id)
  ) STRICT, WITHOUT ROWID`;

/** An event that is not held again for this long is delivered to another consumer. */
export const holdMs = 30_000;

export interface Claim {
  readonly events: readonly ConsumedEvent[];
  /** All matching events up to here have been delivered. */
  readonly upTo: number;
}

export class ConsumerGroups {
  readonly #db: DatabaseSync;
  readonly #reader: EventReader;
  readonly #statements: Statements;

  constructor(path: string, reader: EventReader) {
    this.#db = openForWriting(path, consumersSchema, `${placesTable}; ${discardedTable}`);
    this.#statements = new Statements(this.#db);
    this.#reader = reader;
  }

  /** Claims up to `limit` events for this process: first those to be retried, then new ones. */
  claim(group: string, filter: EventFilter, limit: number, now: number): Claim {
    return transaction(this.#db, () => {
      this.#releaseThoseOfTheDead(group);
      const again = this.#statements
        .of(
          `UPDATE entries SET owner = ?, visible_at = ?, attempts = attempts + 1
           WHERE name = ? AND position IN (
             SELECT position FROM entries
             WHERE name = ? AND parked_at IS NULL AND visible_at <= ? ORDER BY position LIMIT +?)
           RETURNING position, attempts`,
        )
        .all(self, now + holdMs, group, group, now, limit) as { position: number; attempts: number }[];
      const claimed: ConsumedEvent[] = again.map((row) => ({
        event: this.#reader.byPosition(row.position),
        attempt: row.attempts,
      }));
      if (claimed.length >= limit) return { events: claimed, upTo: Number(beginning) };
      const fresh = this.#claimNew(group, filter, limit - claimed.length, now);
      return { events: [...claimed, ...fresh.events], upTo: fresh.upTo };
    });
  }

  settle(
    group: string,
    verdicts: readonly { position: bigint; verdict: HandlerResult }[],
    now: number,
  ): void {
    const done = this.#statements.of('DELETE FROM entries WHERE name = ? AND position = ?');
    const later = this.#statements.of(
      'UPDATE entries SET owner = NULL, visible_at = ?, reason = ? WHERE name = ? AND position = ?',
    );
    const park = this.#statements.of(
      'UPDATE entries SET owner = NULL, parked_at = ?, reason = ? WHERE name = ? AND position = ?',
    );
    transaction(this.#db, () => {
      for (const { position, verdict } of verdicts) {
        switch (verdict.kind) {
          case 'ack':
            done.run(group, position);
            break;
          case 'retry':
            later.run(now + verdict.afterMs, verdict.reason, group, position);
            break;
          case 'park':
            park.run(new Date(now).toISOString(), verdict.reason, group, position);
        }
      }
    });
  }

  /** Whether a group exists: it has consumed before. */
  existed(group: string): boolean {
    return this.#statements.of('SELECT 1 FROM groups WHERE name = ?').get(group) !== undefined;
  }

  /** How far events were delivered to a group, and the last known event at its position. */
  placesOf(group: string): GroupPlace[] {
    const row = this.#statements
      .of(`SELECT handed_out, position, event_id FROM groups LEFT JOIN places USING (name) WHERE name = ?`)
      .get(group) as { handed_out: number; position: number | null; event_id: string | null } | undefined;
    if (!row) return [];
    const { handed_out: handedOut, event_id: id } = row;
    const position = BigInt(row.position ?? beginning);
    const passed = id === null ? [] : [{ checkpoint: position, lastEvent: { position, id } }];
    return [{ checkpoint: BigInt(handedOut) }, ...passed];
  }

  /** Parks an event, whether or not it is in flight. */
  park(group: string, event: RecordedEvent, attempts: number, reason: string, now: number): void {
    this.#statements
      .of(
        `INSERT INTO entries (name, position, event_id, attempts, owner, visible_at, parked_at, reason)
         VALUES (?, ?, ?, ?, NULL, 0, ?, ?)
         ON CONFLICT (name, position) DO UPDATE SET
           owner = NULL, attempts = excluded.attempts, parked_at = excluded.parked_at, reason = excluded.reason`,
      )
      .run(group, event.position, event.id, attempts, new Date(now).toISOString(), reason);
  }

  /** Keeps events of this process, whose handling takes long, from other consumers. */
  hold(group: string, positions: readonly bigint[], now: number): void {
    this.#statements
      .of(
        `UPDATE entries SET visible_at = ? WHERE name = ? AND owner = ? AND parked_at IS NULL
         AND position IN (SELECT value FROM json_each(?))`,
      )
      .run(now + holdMs, group, self, JSON.stringify(positions.map(Number)));
  }

  /** The ids of parked and of discarded events. */
  setAsideIds(group: string): ReadonlySet<string> {
    const rows = this.#statements
      .of(
        `SELECT event_id FROM entries WHERE name = ? AND parked_at IS NOT NULL
         UNION SELECT event_id FROM discarded WHERE name = ?`,
      )
      .all(group, group) as { event_id: string }[];
    return new Set(rows.map((row) => row.event_id));
  }

  /** Milliseconds until the next retry is due, if there is one. */
  nextDueIn(group: string, now: number): number | undefined {
    const row = this.#statements
      .of('SELECT min(visible_at) AS at FROM entries WHERE name = ? AND parked_at IS NULL')
      .get(group) as { at: number | null };
    return row.at === null ? undefined : Math.max(0, row.at - now);
  }

  parked(group: string): ParkedEvent[] {
    const rows = this.#statements
      .of(
        `SELECT position, attempts, reason, parked_at FROM entries
         WHERE name = ? AND parked_at IS NOT NULL ORDER BY position`,
      )
      .all(group) as { position: number; attempts: number; reason: string; parked_at: string }[];
    return rows.map((row) => ({
      event: this.#reader.byPosition(row.position),
      attempts: row.attempts,
      reason: row.reason,
      parkedAt: row.parked_at,
    }));
  }

  countParked(group: string): number {
    const { n } = this.#statements
      .of('SELECT count(*) AS n FROM entries WHERE name = ? AND parked_at IS NOT NULL')
      .get(group) as { n: number };
    return n;
  }

  inFlight(group: string): number {
    const { n } = this.#statements
      .of('SELECT count(*) AS n FROM entries WHERE name = ? AND owner IS NOT NULL AND parked_at IS NULL')
      .get(group) as { n: number };
    return n;
  }

  replay(group: string, eventIds: readonly string[] | undefined): number {
    const which = eventIds ? 'AND event_id IN (SELECT value FROM json_each(?))' : '';
    return Number(
      this.#statements
        .of(
          `UPDATE entries SET parked_at = NULL, reason = NULL, attempts = 0, visible_at = 0
           WHERE name = ? AND parked_at IS NOT NULL ${which}`,
        )
        .run(group, ...(eventIds ? [JSON.stringify(eventIds)] : [])).changes,
    );
  }

  discard(group: string, eventIds: readonly string[] | undefined, now: number): number {
    const which = eventIds ? 'AND event_id IN (SELECT value FROM json_each(?))' : '';
    const named = eventIds ? [JSON.stringify(eventIds)] : [];
    return transaction(this.#db, () => {
      this.#statements
        .of(
          `INSERT OR IGNORE INTO discarded
           SELECT name, event_id, ? FROM entries WHERE name = ? AND parked_at IS NOT NULL ${which}`,
        )
        .run(new Date(now).toISOString(), group, ...named);
      return Number(
        this.#statements
          .of(`DELETE FROM entries WHERE name = ? AND parked_at IS NOT NULL ${which}`)
          .run(group, ...named).changes,
      );
    });
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close();
  }

  #claimNew(group: string, filter: EventFilter, limit: number, now: number): Claim {
    const row = this.#statements.of('SELECT handed_out FROM groups WHERE name = ?').get(group) as
      { handed_out: number } | undefined;
    const before = row?.handed_out ?? Number(beginning);
    const batch = this.#reader.page(before, filter, limit);
    const insert = this.#statements.of(
      'INSERT INTO entries (name, position, event_id, attempts, owner, visible_at) VALUES (?, ?, ?, 1, ?, ?)',
    );
    for (const event of batch.events) insert.run(group, event.position, event.id, self, now + holdMs);
    if (Number(batch.position) !== before) {
      this.#statements
        .of(
          'INSERT INTO groups VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET handed_out = excluded.handed_out',
        )
        .run(group, batch.position);
      this.#statements
        .of(
          `INSERT INTO places VALUES (?, ?, ?) ON CONFLICT (name)
           DO UPDATE SET position = excluded.position, event_id = excluded.event_id`,
        )
        .run(group, batch.position, this.#reader.idAt(Number(batch.position)) ?? '');
    }
    return { events: batch.events.map((event) => ({ event, attempt: 1 })), upTo: Number(batch.position) };
  }

  /** All processes are on one machine: events of a process that has ended are released at once. */
  #releaseThoseOfTheDead(group: string): void {
    const owners = this.#statements
      .of('SELECT DISTINCT owner FROM entries WHERE name = ? AND owner IS NOT NULL AND owner <> ?')
      .all(group, self) as { owner: string }[];
    for (const { owner } of owners) {
      if (isAlive(owner)) continue;
      this.#statements
        .of('UPDATE entries SET owner = NULL, visible_at = 0 WHERE name = ? AND owner = ?')
        .run(group, owner);
    }
  }
}
