import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { embeddedFiles, readModelsFile } from './embedded-files.ts';
import { StoreError } from './errors.ts';
import { damageGuide, foundDamaged, isDamage, isSqliteError, quoted } from './sqlite.ts';

const all = [...embeddedFiles.map(({ name }) => name), readModelsFile];
/**
 * Names the files behind an error of SQLite that names none: a page is read, and found damaged, only when a statement
 * needs it. Reads the files whole, so only after an error that ends a command anyway. Answers every other error as it is.
 */
export function withDamagedFiles(error: unknown, directory: string): unknown {
  if (!isSqliteError(error) || !isDamage(error)) return error;
  const damaged = all.map((name) => join(directory, name)).filter((path) => isDamaged(path, checkWhole));
  const files = damaged.length > 0 ? damaged.join(', ') : `A database in ${directory}`;
  return new StoreError(
    'incompatible',
    `${files}: is damaged, or not a database of ours. What it holds, and what to do: ${damageGuide}.`,
    { cause: error },
  );
}

/** How many tables and indexes of a file are looked at each time after the first: a millisecond or two. */
const atOnce = 40;

/**
 * Looks whether the files of a data folder can be read: opens each anew, so that nothing is answered from a cache, and
 * reads the first row of its tables and indexes, all of them at first and some in turn later. A scan would read
 * gigabytes; the doctor makes it once a day. A file that a request has found damaged stays damaged until the next start.
 */
export class FileChecks {
  readonly #paths: readonly string[];
  /** Where the next look at a file begins. Undefined: it has not been looked at. */
  readonly #turn = new Map<string, number>();
  /** Which file each path was when it was first looked at. */
  readonly #first = new Map<string, string>();

  constructor(directory: string, names: readonly string[]) {
    this.#paths = names.map((name) => join(directory, name));
  }

  /** The paths of files that are damaged. */
  damaged(): string[] {
    return this.#paths.filter(
      (path) => foundDamaged.has(path) || isDamaged(path, (db) => this.#checkSome(db, path)),
    );
  }

  /** The paths at which the file that was there at the first look is there no more: what is open is not what others see. */
  moved(): string[] {
    return this.#paths.filter((path) => {
      const found = statSync(path, { throwIfNoEntry: false });
      const file = found && `${found.dev} ${found.ino}`;
      if (file !== undefined && !this.#first.has(path)) this.#first.set(path, file);
      return this.#first.get(path) !== file;
    });
  }

  #checkSome(db: DatabaseSync, path: string): boolean {
    const trees = db
      .prepare(`SELECT type, name, tbl_name AS "table" FROM sqlite_schema WHERE rootpage > 0`)
      .all() as unknown as Tree[];
    const from = this.#turn.get(path);
    this.#turn.set(path, from === undefined ? 0 : (from + atOnce) % Math.max(trees.length, 1));
    const turn = from === undefined ? trees : [...trees.slice(from), ...trees].slice(0, atOnce);
    for (const tree of turn) readFirst(db, tree);
    return false;
  }
}

interface Tree {
  readonly type: 'table' | 'index';
  readonly name: string;
  readonly table: string;
}

function readFirst(db: DatabaseSync, { type, name, table }: Tree): void {
  const from =
    type === 'table' ? `${quoted(table)} NOT INDEXED` : `${quoted(table)} INDEXED BY ${quoted(name)}`;
  try {
    db.prepare(`SELECT * FROM ${from} LIMIT 1`).get();
  } catch (error) {
    // A partial index is of no use for this question, and a table may have been dropped meanwhile.
    if (isSqliteError(error) && isDamage(error)) throw error;
  }
}

const checkWhole = (db: DatabaseSync): boolean => {
  const { quick_check: found } = db.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
  return found !== 'ok';
};

function isDamaged(path: string, check: (db: DatabaseSync) => boolean): boolean {
  if (!existsSync(path)) return false;
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { readOnly: true });
    return check(db);
  } catch (error) {
    return isSqliteError(error) && isDamage(error);
  } finally {
    db?.close();
  }
}
