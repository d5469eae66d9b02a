import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { embeddedFiles, readModelsFile } from './embedded-files.ts';
import { StoreError } from './errors.ts';
import { isDamage, isSqliteError } from './sqlite.ts';

/**
 * Names the files behind an error of SQLite that names none: a page is read, and found damaged, only when a statement
 * needs it. Reads the files whole, so only after an error that ends a command anyway. Answers every other error as it is.
 */
export function withDamagedFiles(error: unknown, directory: string): unknown {
  if (!isSqliteError(error) || !isDamage(error)) return error;
  const damaged = [...embeddedFiles.map(({ name }) => name), readModelsFile]
    .map((name) => join(directory, name))
    .filter(isDamaged);
  const files = damaged.length > 0 ? damaged.join(', ') : `A database in ${directory}`;
  return new StoreError(
    'incompatible',
    `${files}: is damaged, or not a database of ours. What it holds, and what to do: docs/operations.md, "Files of the embedded stores".`,
    { cause: error },
  );
}

function isDamaged(path: string): boolean {
  if (!existsSync(path)) return false;
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { readOnly: true });
    const { quick_check: found } = db.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
    return found !== 'ok';
  } catch (error) {
    return isSqliteError(error) && isDamage(error);
  } finally {
    db?.close();
  }
}
