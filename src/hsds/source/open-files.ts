import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DatapackageError } from '../errors.ts';
import type { PackageFiles } from './package-files.ts';
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

async function openFolder(path: string): Promise<PackageFiles> {
  const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
    throw new DatapackageError('unreadable', `${path} cannot be read: ${messageOf(error)}.`, {
      cause: error,
    });
  });
  const names = entries.filter((entry) => !entry.isDirectory()).map((entry) => entry.name);
  // A link that leads nowhere is no error until the file is needed.
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(path, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return {
    names,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    open: (name) => Promise.resolve(createReadStream(join(path, name))),
    close: () => undefined,
  };
}

const openFile = (path: string, bytes: number, name: string): PackageFiles => ({
  names: [name],
  bytes,
  alone: true,
  open: () => Promise.resolve(createReadStream(path)),
  close: () => undefined,
});
