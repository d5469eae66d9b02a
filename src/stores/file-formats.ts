import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { viewsSchema } from './documents/embedded/schema.ts';
import { embeddedFiles, readModelsFile } from './embedded-files.ts';
import { StoreError } from './errors.ts';
import { factsOf } from './sqlite-files.ts';

const inLog: readonly string[] = ['log', 'consumers'];

/** The files that an installation has in its data folder, and the format in which this release writes each. */
export const filesOf = ({ log, besideLog }: { readonly log: boolean; readonly besideLog: boolean }) => [
  ...embeddedFiles.filter(({ part }) => (inLog.includes(part) ? log : besideLog)),
  ...(besideLog ? [{ name: readModelsFile, format: viewsSchema.version }] : []),
];

/**
 * Refuses a data folder with a file that a newer release wrote, before any of its files is opened: otherwise those that are
 * opened first would be changed. Creates and changes nothing. Says nothing about damaged files. Of the files of an
 * installation whose `log`, or everything beside it, is embedded.
 * @throws StoreError incompatible, naming each file
 */
export function refuseNewerFiles(directory: string, parts: Parameters<typeof filesOf>[0]): void {
  const newer = filesOf(parts).flatMap(({ name, format }) => {
    const path = join(directory, name);
    const found = formatAt(path);
    return found > format
      ? [`${path} was written by a newer version of Commonweal (format ${found}; this one writes ${format}).`]
      : [];
  });
  if (newer.length === 0) return;
  throw new StoreError(
    'incompatible',
    `${newer.join(' ')} Nothing was started and nothing was changed. Start the newer version, restore a backup of this one, or set DATA_DIR to another folder.`,
  );
}

/** How a SQLite file begins, and where it has its `user_version` (https://sqlite.org/fileformat2.html#the_database_header). */
const magic = 'SQLite format 3\0';
const versionAt = 60;

/**
 * The `user_version` of a file: 0 where there is none, or where it cannot be read. Without a write-ahead log it is read from
 * the header, because SQLite creates files beside a database that it opens.
 */
function formatAt(path: string): number {
  if (!existsSync(path)) return 0;
  try {
    if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return factsOf(path).format;
    const header = Buffer.alloc(versionAt + 4);
    const file = openSync(path, 'r');
    try {
      readSync(file, header, 0, header.length, 0);
    } finally {
      closeSync(file);
    }
    return header.toString('latin1', 0, magic.length) === magic ? header.readUInt32BE(versionAt) : 0;
  } catch {
    // Opening the store says what is wrong with it.
    return 0;
  }
}
