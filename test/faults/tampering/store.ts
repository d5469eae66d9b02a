import { isDeepStrictEqual } from 'node:util';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Finding } from '../../../src/audit/verify/finding.ts';
import type { Chance } from '../seeded-random.ts';
import type { Row } from './scene.ts';

/** What was done to a copy, and what `verify` must say of it. */
export interface Tampering {
  readonly what: string;
  /** Whether the findings name what was done. */
  readonly isNamed: (findings: readonly Finding[]) => boolean;
  /** Leaves that may be named. Another one would be an innocent one. */
  readonly leaves: ReadonlySet<number>;
}

export type TamperKind = 'flip' | 'flip-page' | 'drop' | 'duplicate' | 'swap' | 'add';
export const tamperKinds: readonly TamperKind[] = ['flip', 'flip-page', 'drop', 'duplicate', 'swap', 'add'];

/** Changes the log of a data folder in which nothing runs, as somebody with the file could. */
export function tamperStore(
  kind: TamperKind,
  folder: string,
  rows: readonly Row[],
  chance: Chance,
): Tampering {
  const path = join(folder, 'events.db');
  const row = rows[chance.count(0, rows.length - 1)] as Row;
  if (kind === 'flip-page') return flipPage(path, rows, chance);
  const db = new DatabaseSync(path);
  try {
    db.exec('DROP TRIGGER events_are_never_changed; DROP TRIGGER events_are_never_deleted;');
    switch (kind) {
      case 'flip':
        return flip(db, row, chance);
      case 'drop':
        db.prepare('DELETE FROM events WHERE position = ?').run(row.position);
        return {
          what: `dropped ${nameOf(row)}`,
          leaves: new Set([row.leaf]),
          isNamed: (findings) => findings.some(({ kind, leaf }) => kind === 'missing' && leaf === row.leaf),
        };
      case 'duplicate':
        return duplicate(db, row, rows, chance);
      case 'swap':
        return swap(db, row, rows, chance);
      case 'add':
        return add(db, row);
    }
  } finally {
    db.close();
  }
}

export const nameOf = ({ id, stream, revision, leaf }: Row): string =>
  `${id} (${stream}@${revision}, leaf ${leaf})`;

const columns = ['stream', 'id', 'type', 'metadata', 'data'] as const;

/** One bit of one byte of a column, as an UPDATE. */
function flip(db: DatabaseSync, row: Row, chance: Chance): Tampering {
  // A name that is taken would break the unique index.
  db.exec('DROP INDEX events_by_stream');
  for (;;) {
    const column = columns[chance.count(0, columns.length - 1)] as (typeof columns)[number];
    const bytes = flipped(Buffer.from(row[column]), chance);
    if (isSame(column, row[column], bytes.toString())) continue;
    db.exec(
      `UPDATE events SET ${column} = CAST(x'${bytes.toString('hex')}' AS TEXT) WHERE position = ${row.position}`,
    );
    return changed(`flipped a bit in ${column} of ${nameOf(row)}`, row);
  }
}

/** One bit of one byte of the file, inside the content of an event. */
function flipPage(path: string, rows: readonly Row[], chance: Chance): Tampering {
  const file = readFileSync(path);
  for (;;) {
    const row = rows[chance.count(0, rows.length - 1)] as Row;
    // SQLite stores the columns of a short row one after another.
    const content = Buffer.from(row.id + row.type + row.metadata + row.data);
    const at = file.indexOf(content);
    if (at === -1 || file.indexOf(content, at + 1) !== -1) continue;
    const bytes = flipped(content, chance);
    const [id, type, metadata, data] = cut(bytes, row);
    const same =
      id === row.id &&
      type === row.type &&
      isSame('metadata', row.metadata, metadata) &&
      isSame('data', row.data, data);
    if (same) continue;
    bytes.copy(file, at);
    writeFileSync(path, file);
    return changed(`flipped a bit of a page in ${nameOf(row)}`, row);
  }
}

function cut(bytes: Buffer, { id, type, metadata }: Row): [string, string, string, string] {
  const [a, b, c] = [id, type, metadata].map((text) => Buffer.byteLength(text)) as [number, number, number];
  const part = (from: number, to?: number) => bytes.subarray(from, to).toString();
  return [part(0, a), part(a, a + b), part(a + b, a + b + c), part(a + b + c)];
}

function duplicate(db: DatabaseSync, row: Row, rows: readonly Row[], chance: Chance): Tampering {
  const before = rows[chance.count(0, rows.length - 1)] as Row;
  db.exec('DROP INDEX events_by_stream');
  makeRoom(db, before.position);
  insert(db, { ...row, position: before.position });
  return {
    what: `duplicated ${nameOf(row)} before leaf ${before.leaf}`,
    leaves: new Set([row.leaf, before.leaf, row.leaf + 1]),
    isNamed: (findings) =>
      findings.some(({ kind, event }) => ['added', 'duplicated'].includes(kind) && event?.id === row.id),
  };
}

function swap(db: DatabaseSync, row: Row, rows: readonly Row[], chance: Chance): Tampering {
  const others = rows.filter(({ leaf }) => leaf !== row.leaf);
  const other = others[chance.count(0, others.length - 1)] as Row;
  const move = db.prepare('UPDATE events SET position = ? WHERE position = ?');
  move.run(-1_000_000, row.position);
  move.run(row.position, other.position);
  move.run(other.position, -1_000_000);
  const ids = [row.id, other.id];
  const neighbours = Math.abs(row.leaf - other.leaf) === 1;
  return {
    what: `swapped ${nameOf(row)} with ${nameOf(other)}`,
    leaves: new Set([row.leaf, other.leaf]),
    isNamed: (findings) => {
      const moved = findings.filter(({ kind, event }) => kind === 'moved' && ids.includes(event?.id ?? ''));
      return new Set(moved.map(({ event }) => event?.id)).size >= (neighbours ? 1 : 2);
    },
  };
}

function add(db: DatabaseSync, before: Row): Tampering {
  makeRoom(db, before.position);
  const id = crypto.randomUUID();
  insert(db, { ...before, id, stream: `team-forged-${id}`, revision: 0 });
  return {
    what: `added ${id} before ${nameOf(before)}`,
    leaves: new Set([before.leaf]),
    isNamed: (findings) => findings.some(({ kind, event }) => kind === 'added' && event?.id === id),
  };
}

function makeRoom(db: DatabaseSync, position: number): void {
  db.prepare('UPDATE events SET position = -position - 1 WHERE position >= ?').run(position);
  db.exec('UPDATE events SET position = -position WHERE position < 0');
}

function insert(db: DatabaseSync, { position, stream, revision, id, type, metadata, data }: Row): void {
  db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)').run(
    position,
    stream,
    revision,
    id,
    type,
    metadata,
    data,
  );
}

/** Changed metadata may make the event one of another installation: then its leaf is missing. */
const changed = (what: string, row: Row): Tampering => ({
  what,
  leaves: new Set([row.leaf]),
  isNamed: (findings) =>
    findings.some(({ kind, leaf }) => ['changed', 'missing'].includes(kind) && leaf === row.leaf),
});

/** With one bit of one byte flipped. */
export function flipped(bytes: Buffer, chance: Chance): Buffer {
  const copy = Buffer.from(bytes);
  const at = chance.count(0, copy.length - 1);
  copy[at] = (copy[at] as number) ^ (1 << chance.count(0, 7));
  return copy;
}

/** JSON may be written in several ways: `\u001f` and `\u001F` are the same content. */
function isSame(column: (typeof columns)[number], before: string, after: string): boolean {
  if (before === after) return true;
  if (column !== 'metadata' && column !== 'data') return false;
  try {
    return isDeepStrictEqual(JSON.parse(before), JSON.parse(after));
  } catch {
    return false;
  }
}
