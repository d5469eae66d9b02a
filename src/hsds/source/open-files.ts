import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import { DatapackageError } from '../errors.ts';
import { hasTables } from './layout.ts';
import type { PackageFiles } from './package-files.ts';
import { inFolderOfTables } from './tables-folder.ts';
import { openZip, type ZipLimits } from './zip.ts';
import { messageOf } from '../../ground/store-error.ts';

/**
 * The files at a path: of a folder, of a zip file or workbook, or a single JSON or CSV file. Throws `DatapackageError` when the path does not exist or is
 * none of these. `name`: how people call it, when it is stored under another name.
 */
export async function openFiles(
  path: string,
  limits?: Partial<ZipLimits>,
  name = basename(path),
): Promise<PackageFiles> {
  const found = await stat(path).catch((error: unknown) => {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw missing
      ? new DatapackageError('not_found', `There is no file or folder ${path}.`)
      : new DatapackageError('unreadable', `${path} cannot be read: ${messageOf(error)}.`, { cause: error });
  });
  if (found.isDirectory()) return openFolder(path);
  if (found.isFile() && /\.zip$/i.test(path)) return openZip(path, limits, name);
  if (found.isFile() && /\.xls[xm]$/i.test(path)) return openZip(path, limits, name);
  if (found.isFile() && /\.(jsonl?|csv|tsv)$/i.test(path)) return openFile(path, found.size, name);
  if (found.isFile() && /\.(xls|xlsb|ods|numbers)$/i.test(path))
    throw new DatapackageError(
      'not_a_datapackage',
      `${name} is a spreadsheet of another kind. Save it as .xlsx or .csv and try again.`,
    );
  throw new DatapackageError(
    'not_a_datapackage',
    `${name} is neither a folder nor a .zip, .json, .xlsx or .csv file: a directory is one of these.`,
  );
}

/** The most files of a folder, with all folders in it. */
const mostFiles = 10_000;
/** How deep a folder is looked through that holds no tables itself. */
const deepest = 6;

async function openFolder(path: string): Promise<PackageFiles> {
  const here = await filesIn(path, '', 0);
  // What is in its folders, such as an older copy, counts only where it holds no tables itself.
  const found = hasTables({ names: here }) || here.some(isJson) ? here : await filesIn(path, '', deepest);
  const named = new Map(
    inFolderOfTables(
      found.map((file) => [file, file] as const),
      basename(path),
    ),
  );
  // A link that leads nowhere is no error until the file is needed.
  const sizes = await Promise.all(
    [...named.values()].map((file) =>
      stat(join(path, file)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return {
    names: [...named.keys()],
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    open: (name) => Promise.resolve(createReadStream(join(path, named.get(name) ?? name))),
    close: () => undefined,
  };
}

const isJson = (file: string): boolean =>
  /\.jsonl?$/i.test(file) && file.toLowerCase() !== 'datapackage.json';

/** The files of a folder, and of the folders in it down to a depth, by their names with folders. */
async function filesIn(root: string, folder: string, depth: number): Promise<string[]> {
  const path = join(root, folder);
  const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
    throw new DatapackageError('unreadable', `${path} cannot be read: ${messageOf(error)}.`, {
      cause: error,
    });
  });
  const files: string[] = [];
  for (const entry of entries) {
    const name = posix.join(folder, entry.name);
    if (!entry.isDirectory()) files.push(name);
    else if (depth > 0 && !entry.name.startsWith('.')) files.push(...(await filesIn(root, name, depth - 1)));
    if (files.length > mostFiles)
      throw new DatapackageError(
        'too_large',
        `${basename(root)} has more than ${mostFiles.toLocaleString('en')} files; it is not read.`,
      );
  }
  return files;
}

const openFile = (path: string, bytes: number, name: string): PackageFiles => ({
  names: [name],
  bytes,
  alone: true,
  open: () => Promise.resolve(createReadStream(path)),
  close: () => undefined,
});
