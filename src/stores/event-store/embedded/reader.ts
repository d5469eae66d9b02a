import type { DatabaseSync } from 'node:sqlite';
import { DamagedEvent, StoreError } from '../../errors.ts';
import { Statements } from '../../sqlite.ts';
import {
  beginning,
  type EventBatch,
  type EventFilter,
  type EventText,
  type ReadStreamsOptions,
  type RecordedEvent,
  type TextBatch,
} from '../port.ts';

const columns = 'position, stream, revision, id, type, metadata, data';
type Row = readonly [
  position: number,
  stream: string,
  revision: number,
  id: string,
  type: string,
  metadata: string,
  data: string,
];

/** The most rows that one statement of a long scan visits, so that the WAL can be checkpointed in between. */
const scanRows = 20_000;

/** Reads of one connection. */
export class EventReader {
  readonly #statements: Statements;

  constructor(db: DatabaseSync) {
    this.#statements = new Statements(db);
  }

  stream(
    stream: string,
    from: number | undefined,
    direction: 'forwards' | 'backwards',
    limit: number,
  ): RecordedEvent[] {
    const rows =
      direction === 'forwards'
        ? this.#statements
            .arraysOf(
              `SELECT ${columns} FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT +?`,
            )
            .all(stream, from ?? 0, limit)
        : this.#statements
            .arraysOf(
              `SELECT ${columns} FROM events WHERE stream = ? AND revision <= ? ORDER BY revision DESC LIMIT +?`,
            )
            .all(stream, from ?? Number.MAX_SAFE_INTEGER, limit);
    return (rows as unknown as Row[]).map(recorded);
  }

  /** Events of several streams, one after another. */
  streams(streams: readonly string[], { upTo, types }: ReadStreamsOptions): RecordedEvent[] {
    const condition = where(types && { types });
    const statement = this.#statements.arraysOf(
      `SELECT ${columns} FROM events WHERE stream = ? AND position <= ? ${condition.sql} ORDER BY revision`,
    );
    const last = upTo === undefined ? Number.MAX_SAFE_INTEGER : Number(upTo);
    return streams.flatMap((stream) =>
      (statement.all(stream, last, ...condition.values) as unknown as Row[]).map(recorded),
    );
  }

  /** A page after a position. Its position is past the events that the filter left out. */
  page(
    after: number,
    filter: EventFilter | undefined,
    limit: number,
  ): EventBatch & { readonly atHead: boolean } {
    const { rows, position, atHead } = this.#rows(after, filter, limit);
    return { events: rows.map(recorded), position, atHead };
  }

  /** A page after a position, with data and metadata as they are stored. */
  texts(after: number, limit: number): TextBatch {
    const { rows, position } = this.#rows(after, undefined, limit);
    return { events: rows.map(asText), position };
  }

  #rows(after: number, filter: EventFilter | undefined, limit: number) {
    const head = this.head();
    if (head <= after) return { rows: [], position: BigInt(after), atHead: true };
    const condition = where(filter);
    // With a filter, the range bounds the rows that one statement visits; without one, the limit does.
    const until = filter ? Math.min(head, after + scanRows) : head;
    const rows = this.#statements
      .arraysOf(
        `SELECT ${columns} FROM events WHERE position > ? AND position <= ? ${condition.sql} ORDER BY position LIMIT +?`,
      )
      .all(after, until, ...condition.values, limit) as unknown as Row[];
    const last = rows.at(-1);
    const position = rows.length === limit && last ? last[0] : until;
    return { rows, position: BigInt(position), atHead: position >= head };
  }

  /** The newest events, oldest first. */
  newest(limit: number): RecordedEvent[] {
    const rows = this.#statements
      .arraysOf(`SELECT ${columns} FROM events ORDER BY position DESC LIMIT +?`)
      .all(limit) as unknown as Row[];
    return rows.map(recorded).reverse();
  }

  head(): number {
    const row = this.#statements.of('SELECT max(position) AS head FROM events').get() as {
      head: number | null;
    };
    return row.head ?? Number(beginning);
  }

  count(
    after: number,
    filter: EventFilter | undefined,
    atMost: number,
    counts?: (event: RecordedEvent) => boolean,
  ): number {
    if (counts) return this.#countEach(after, filter, atMost, counts);
    const condition = where(filter);
    const row = this.#statements
      .of(`SELECT count(*) AS n FROM (SELECT 1 FROM events WHERE position > ? ${condition.sql} LIMIT +?)`)
      .get(after, ...condition.values, atMost) as { n: number };
    return row.n;
  }

  #countEach(
    after: number,
    filter: EventFilter | undefined,
    atMost: number,
    counts: (event: RecordedEvent) => boolean,
  ): number {
    let found = 0;
    for (let seen = after; found < atMost;) {
      const { events, position, atHead } = this.page(seen, filter, 1_000);
      found += events.filter(counts).length;
      if (atHead) break;
      seen = Number(position);
    }
    return Math.min(found, atMost);
  }

  idAt(position: number): string | undefined {
    const row = this.#statements.of('SELECT id FROM events WHERE position = ?').get(position) as
      { id: string } | undefined;
    return row?.id;
  }

  byPosition(position: number): RecordedEvent {
    const row = this.#statements
      .arraysOf(`SELECT ${columns} FROM events WHERE position = ?`)
      .get(position) as unknown as Row | undefined;
    if (!row) throw new StoreError('incompatible', `There is no event at position ${position}.`);
    return recorded(row);
  }
}

function where(filter: EventFilter | undefined): { sql: string; values: string[] } {
  if (!filter) return { sql: '', values: [] };
  if ('types' in filter) {
    return { sql: `AND type IN (${filter.types.map(() => '?').join(', ')})`, values: [...filter.types] };
  }
  // GLOB would need escaping; substr compares the prefix literally.
  const each = filter.streamPrefixes.map(() => 'substr(stream, 1, length(?)) = ?').join(' OR ');
  return { sql: `AND (${each})`, values: filter.streamPrefixes.flatMap((prefix) => [prefix, prefix]) };
}

const asText = ([position, stream, revision, id, type, metadata, data]: Row): EventText => ({
  id,
  stream,
  revision,
  position: BigInt(position),
  type,
  data,
  metadata,
});

/** @throws DamagedEvent. The message of the SyntaxError quotes the content, so it is not passed on. */
function recorded([position, stream, revision, id, type, metadata, data]: Row): RecordedEvent {
  try {
    return {
      id,
      stream,
      revision,
      position: BigInt(position),
      type,
      data: JSON.parse(data),
      metadata: JSON.parse(metadata) as Record<string, unknown>,
    };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new DamagedEvent({ position: BigInt(position), id, stream, revision });
  }
}
