import { existsSync, statSync } from 'node:fs';
import { DatabaseSync, type DatabaseSyncOptions, type StatementSync } from 'node:sqlite';
import { StoreError } from './errors.ts';
import { messageOf } from '../ground/store-error.ts';

/** A SQLite error as node:sqlite throws it: `errcode` is SQLite's (extended) result code. */
interface SqliteError extends Error {
  readonly code: 'ERR_SQLITE_ERROR';
  readonly errcode: number;
}

export function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && (error as { code?: unknown }).code === 'ERR_SQLITE_ERROR';
}

const BUSY = 5;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

/** The primary result code (https://sqlite.org/rescode.html), without its extension. */
export const primaryCode = (error: SqliteError): number => error.errcode & 0xff;
export const isBusy = (error: unknown): boolean => isSqliteError(error) && primaryCode(error) === BUSY;

/** Whether it says that the file is damaged, or no database. */
export const isDamage = (error: SqliteError): boolean => [CORRUPT, NOTADB].includes(primaryCode(error));

/** Where operators read what a damaged file holds and what to do. */
export const damageGuide = 'docs/backup.md, "Files of the embedded stores"';

/** The paths of files in which this thread has met damage. */
export const foundDamaged = new Set<string>();

/** Turns an error of SQLite into a StoreError that names the file and what to do. */
export function storeError(error: unknown, path: string, outcome: 'none' | 'unknown' = 'none'): StoreError {
  if (error instanceof StoreError) return error;
  // A JSON column that does not parse. The original message quotes the data, so it is not passed on.
  if (error instanceof SyntaxError) {
    return new StoreError('incompatible', `${path}: is damaged and cannot be read`, { outcome });
  }
  if (!isSqliteError(error)) {
    return new StoreError('unavailable', `${path}: ${messageOf(error)}`, {
      cause: error,
      outcome,
    });
  }
  const options = { cause: error, outcome };
  switch (primaryCode(error)) {
    case FULL:
      // Certain also for a COMMIT: a transaction that did not fit into the WAL is not committed.
      return new StoreError('full', `${path}: no room left on the device`, { cause: error, outcome: 'none' });
    case READONLY:
      return new StoreError('unavailable', `${path}: the data folder is read-only`, options);
    case CANTOPEN:
      return new StoreError(
        'unavailable',
        isFolder(path)
          ? `${path}: is a folder where a file must be; move it away`
          : `${path}: cannot be opened; is the data folder there and writable?`,
        options,
      );
    case BUSY:
      return new StoreError(
        'unavailable',
        `${path}: another process has held the lock for too long`,
        options,
      );
    case CORRUPT:
    case NOTADB:
      foundDamaged.add(path);
      return new StoreError(
        'incompatible',
        `${path}: is damaged, or not a database of ours. What it holds, and what to do: ${damageGuide}.`,
        options,
      );
    case IOERR:
      return new StoreError('unavailable', `${path}: the device failed (${error.message})`, options);
    default:
      return new StoreError('unavailable', `${path}: ${error.message}`, options);
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

export interface Schema {
  /** Stored as `user_version`; a file with a higher one is refused. */
  readonly version: number;
  readonly sql: string;
  /** FULL: a commit survives a power cut. NORMAL: it survives a crash, and a cut loses only the newest. */
  readonly synchronous: 'FULL' | 'NORMAL';
  /** Everything in it is made again from the log. */
  readonly madeFromLog?: true;
}

/** How long a statement waits for another process's lock. */
const busyTimeoutMs = 10_000;

/**
 * Opens a database for writing. Creates it when it does not exist, and checks its format version. `further`: tables that are
 * no part of the schema, made where they are missing.
 */
export function openForWriting(path: string, schema: Schema, further = ''): DatabaseSync {
  if (schema.madeFromLog !== true) refuseLeftLog(path);
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { timeout: busyTimeoutMs });
    enterWal(db);
    db.exec(`PRAGMA synchronous = ${schema.synchronous}; PRAGMA foreign_keys = ON`);
    let found = userVersion(db);
    if (found === 0) {
      db.exec('BEGIN IMMEDIATE');
      found = userVersion(db);
      if (found === 0) {
        db.exec(`${schema.sql}; PRAGMA user_version = ${String(schema.version)}`);
        found = schema.version;
      }
      db.exec('COMMIT');
    }
    refuseOtherVersion(found, schema.version, path);
    if (further !== '') db.exec(further);
    return db;
  } catch (error) {
    // An open handle would keep its lock until it is garbage-collected.
    db?.close();
    throw storeError(error, path);
  }
}

/**
 * SQLite deletes a write-ahead log whose database is gone. It may hold the newest of what is then put back.
 * @throws StoreError unavailable
 */
function refuseLeftLog(path: string): void {
  if (!hasLeftLog(path)) return;
  const left = `${path}-wal`;
  throw new StoreError(
    'unavailable',
    `${path}: is gone, and ${left} of it is there. Nothing was changed. Put the file back; if it is lost, move ${left} out of the folder: ${damageGuide}.`,
  );
}

/** Whether a database is gone and its write-ahead log is there, with something in it. */
export const hasLeftLog = (path: string): boolean =>
  !existsSync(path) && (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;

/** How long to rest before WAL is entered again. */
const restMs = 10;

/**
 * Changes the journal mode. It needs the file alone: where two who have just opened it want that at once, SQLite tells
 * one of them BUSY without waiting.
 */
function enterWal(db: DatabaseSync): void {
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  for (const until = Date.now() + busyTimeoutMs; ;) {
    try {
      db.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || Date.now() >= until) throw error;
      Atomics.wait(nobody, 0, 0, restMs);
    }
  }
}

/** Opens a database that exists, for reading only. */
export function openForReading(path: string, options: DatabaseSyncOptions = {}): DatabaseSync {
  try {
    return new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs, ...options });
  } catch (error) {
    throw storeError(error, path);
  }
}

/**
 * Checkpoints the WAL of a closed database. The last connection does so when it closes, but not a read-only one: so
 * the file is opened once more for writing, and closed.
 */
export function checkpointLog(path: string): void {
  if (!existsSync(`${path}-wal`)) return;
  try {
    const db = new DatabaseSync(path, { timeout: 0 });
    try {
      db.exec('SELECT 1 FROM sqlite_schema');
    } finally {
      db.close();
    }
  } catch {
    // Nothing is lost: the next start checkpoints the WAL.
  }
}

/**
 * Copies the write-ahead log into the file and empties it, so that no deleted content is left in it.
 * @throws StoreError unavailable, when another process reads for longer than statements wait
 */
export function scrubLog(db: DatabaseSync, path: string): void {
  const { busy } = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
  if (busy === 0) return;
  throw new StoreError(
    'unavailable',
    `${path}: another process reads it, so what was deleted is still in its write-ahead log. Try again.`,
  );
}

/**
 * Prepared statements of one connection, each compiled once. Write `LIMIT +?`: SQLite uses the value of a bare
 * `LIMIT ?` for planning and compiles the statement again for each binding, which took 4 µs of 7.
 */
export class Statements {
  readonly #db: DatabaseSync;
  readonly #objects = new Map<string, StatementSync>();
  readonly #arrays = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** How many statements there are. */
  get size(): number {
    return this.#objects.size + this.#arrays.size;
  }

  /** Gives each row as an object. */
  of(sql: string): StatementSync {
    return this.#objects.get(sql) ?? this.#compile(sql, this.#objects, false);
  }

  /** Gives each row as an array, in the order of the columns: two thirds of the cost of an object. */
  arraysOf(sql: string): StatementSync {
    return this.#arrays.get(sql) ?? this.#compile(sql, this.#arrays, true);
  }

  /** Drops all statements, when their tables are gone. */
  clear(): void {
    this.#objects.clear();
    this.#arrays.clear();
  }

  #compile(sql: string, into: Map<string, StatementSync>, asArrays: boolean): StatementSync {
    const statement = this.#db.prepare(sql);
    statement.setReturnArrays(asArrays);
    into.set(sql, statement);
    return statement;
  }
}

/** The name of a table, an index or a column as SQL has it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Runs `work` in one immediate transaction: all of it, or nothing. */
export function transaction<Result>(db: DatabaseSync, work: () => Result): Result {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** Runs reads in one transaction: all of them see the same. */
export function snapshot<Result>(db: DatabaseSync, reads: () => Result): Result {
  db.exec('BEGIN');
  try {
    return reads();
  } finally {
    db.exec('COMMIT');
  }
}

/** Runs work on a database file, whose failures name it. @throws StoreError; `outcome`: of a write that fails */
export function inFile<Result>(path: string, work: () => Result, outcome?: 'none' | 'unknown'): Result {
  try {
    return work();
  } catch (error) {
    throw storeError(error, path, outcome);
  }
}

function userVersion(db: DatabaseSync): number {
  return (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}

function refuseOtherVersion(found: number, expected: number, path: string): void {
  if (found === expected) return;
  throw new StoreError(
    'incompatible',
    found > expected
      ? `${path} was written by a newer version of Commonweal (format ${found}; this one writes ${expected}). Start the newer version, or set DATA_DIR to another folder.`
      : `${path} has format ${found}; this version writes ${expected} and cannot convert it.`,
  );
}
