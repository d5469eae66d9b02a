import { posix } from 'node:path';
import { DatapackageError } from '../errors.ts';

/**
 * The files of the one datapackage among these: those in the folder, at any depth, that holds services.csv, by their names in
 * it. Without services.csv: all files, by their names with folders.
 *
 * @throws DatapackageError ambiguous
 */
export function inFolderOfTables<File>(
  files: readonly (readonly [path: string, file: File])[],
  name: string,
): (readonly [name: string, file: File])[] {
  const own = files.filter(([path]) => !/(^|\/)(__MACOSX\/|\._)/.test(path));
  const folders = new Set(
    own
      .filter(([path]) => /^services?\.csv$/i.test(posix.basename(path)))
      .map(([path]) => posix.dirname(path)),
  );
  if (folders.size > 1) {
    throw new DatapackageError(
      'ambiguous',
      `${name} holds ${folders.size} datapackages (in ${[...folders].sort().join(', ')}); it may hold one.`,
    );
  }
  if (folders.size === 0) return own;
  return own
    .filter(([path]) => folders.has(posix.dirname(path)))
    .map(([path, file]) => [posix.basename(path), file] as const);
}
