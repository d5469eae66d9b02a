/** Whole SQLite files: consistent copies of open databases, their integrity, and whether somebody uses them. */
import { existsSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { isBusy, openForReading, storeError } from './sqlite.ts';
import { messageOf } from '../ground/store-error.ts';

/** The state of a database at one moment, whatever is written afterwards. */
export interface Snapshot {
  /** About how many pages a copy has. */
  readonly pages: number;
  /**
   * Writes this state to a file that does not exist yet, as one file without a WAL.
   * @throws StoreError full, unavailable
   */
  copyTo(path: string, onProgress?: (pages: number) => void): Promise<void>;
  close(): void;
}

/** How many pages are copied before others have their turn. */
const pagesAtOnce = 1_000;

/**
 * Takes a snapshot: an open read transaction. Writers go on; until `close` the WAL keeps what they write. Without the
 * transaction SQLite's backup would begin again after every write of others.
 * @throws StoreError
 */
export function snapshotOf(path: string): Snapshot {
  const db = openForReading(path);
  try {
    db.exec('BEGIN');
    const pages = numberOf(db, 'page_count');
    return {
      pages,
      async copyTo(target, onProgress = () => undefined) {
        try {
          await backup(db, target, {
            rate: pagesAtOnce,
            progress: ({ totalPages, remainingPages }) => onProgress(totalPages - remainingPages),
          });
          onProgress(pages);
          leaveWal(target);
        } catch (error) {
          throw storeError(error, target);
        }
      },
      close: () => db.close(),
    };
  } catch (error) {
    db.close();
    throw storeError(error, path);
  }
}

/**
 * Makes a database that nobody uses one file, which can be copied and read anywhere: its WAL is written into it, and its
 * header does not ask for one any more.
 */
export function leaveWal(path: string): void {
  const db = new DatabaseSync(path);
  try {
    db.exec('PRAGMA journal_mode = DELETE');
  } finally {
    db.close();
  }
}

export interface FileFacts {
  readonly pageBytes: number;
  readonly pages: number;
  /** Pages that nothing uses. They are used again before the file grows. */
  readonly freePages: number;
  /** The version of the schema, `user_version`. */
  readonly format: number;
}

/** @throws StoreError incompatible, when it is damaged or no database */
export function factsOf(path: string): FileFacts {
  return reading(path, (db) => ({
    pageBytes: numberOf(db, 'page_size'),
    pages: numberOf(db, 'page_count'),
    freePages: numberOf(db, 'freelist_count'),
    format: numberOf(db, 'user_version'),
  }));
}

/**
 * What SQLite finds wrong with a file, at most ten findings; empty: nothing. `full` also compares each index with its
 * table, which takes several times longer.
 */
export function damageOf(path: string, { full = false } = {}): string[] {
  const pragma = full ? 'integrity_check' : 'quick_check';
  try {
    return reading(path, (db) =>
      db
        .prepare(`PRAGMA ${pragma}(10)`)
        .all()
        .map((row) => String(Object.values(row)[0]))
        .filter((finding) => finding !== 'ok'),
    );
  } catch (error) {
    return [messageOf(error)];
  }
}

/** A trigger or an index, with the statement that makes it. */
export interface SchemaPart {
  readonly name: string;
  readonly statement: string;
}

/**
 * The triggers and indexes of a schema that a file lacks, or has in another form: what keeps a log append-only and its
 * streams without doubles. `further`: the statements that follow from what a file holds.
 * @throws StoreError incompatible, when it is damaged or no database
 */
export function missingIn(
  path: string,
  schema: string,
  further?: (db: DatabaseSync) => string,
): SchemaPart[] {
  const whole = new DatabaseSync(':memory:');
  try {
    const found = reading(path, (db) => ({ parts: partsOf(db), further: further?.(db) ?? '' }));
    whole.exec(schema + found.further);
    const present = new Map(found.parts.map(({ name, statement }) => [name, inOneLine(statement)] as const));
    return partsOf(whole).filter(({ name, statement }) => present.get(name) !== inOneLine(statement));
  } finally {
    whole.close();
  }
}

const partsOf = (db: DatabaseSync): SchemaPart[] =>
  db
    .prepare(`SELECT name, sql FROM sqlite_master WHERE type IN ('trigger', 'index') AND sql IS NOT NULL`)
    .all()
    .map(({ name, sql }) => ({ name: String(name), statement: String(sql) }));

const inOneLine = (statement: string): string => statement.replace(/\s+/g, ' ');

/**
 * Whether a process has the database open. SQLite lets a file leave its WAL only for somebody who has it alone. Only
 * for a file that nothing should use: until it is opened for writing again, it has no WAL.
 */
export function isInUse(path: string): boolean {
  if (!existsSync(path)) return false;
  const db = new DatabaseSync(path, { timeout: 0 });
  try {
    db.exec('PRAGMA journal_mode = DELETE');
    return false;
  } catch (error) {
    // A damaged file is used by nobody: its process would have stopped.
    return isBusy(error);
  } finally {
    db.close();
  }
}

function reading<Result>(path: string, work: (db: DatabaseSync) => Result): Result {
  const db = openForReading(path);
  try {
    return work(db);
  } catch (error) {
    throw storeError(error, path);
  } finally {
    db.close();
  }
}

function numberOf(db: DatabaseSync, pragma: string): number {
  return Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
}
