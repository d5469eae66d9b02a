import { posix } from 'node:path';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { DatapackageError } from '../errors.ts';
import type { PackageFiles } from './package-files.ts';
import { inFolderOfTables } from './tables-folder.ts';
import { messageOf } from '../../ground/store-error.ts';

/** Limits for a zip file, so that a small file cannot unpack into a huge one. */
export interface ZipLimits {
  /** Entries, folders included. */
  readonly entries: number;
  /**
   * Sum of the uncompressed sizes, in bytes. yauzl ends a stream that grows beyond the declared size of its entry.
   */
  readonly bytes: number;
}

/** A directory of 100,000 services is about 200 MB. The limit is twenty times that. */
export const zipLimits: ZipLimits = { entries: 10_000, bytes: 4 * 1024 ** 3 };

/**
 * The files of the one datapackage in a zip file: those in the folder, at any depth, that holds services.csv. Nothing
 * is written to disk. Entries are read on demand. `name`: how messages call the file.
 */
export async function openZip(
  path: string,
  limits: Partial<ZipLimits> = {},
  name = posix.basename(path),
): Promise<PackageFiles> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch((error: unknown) =>
    broken(name, error),
  );
  try {
    const entries = await listEntries(zip, name, { ...zipLimits, ...limits });
    const files = new Map(namedFiles(entries, name));
    return {
      names: [...files.keys()],
      bytes: [...files.values()].reduce((sum, entry) => sum + entry.uncompressedSize, 0),
      open: (file) => {
        const entry = files.get(file);
        if (!entry) throw new DatapackageError('unreadable', `${name} holds no ${file}.`);
        return zip.openReadStreamPromise(entry).catch((error: unknown) => broken(name, error));
      },
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function listEntries(zip: ZipFile, name: string, limits: ZipLimits): Promise<Entry[]> {
  const entries: Entry[] = [];
  let bytes = 0;
  if (zip.entryCount > limits.entries) throw tooMany(name, limits);
  try {
    for await (const entry of zip.eachEntry()) {
      bytes += entry.uncompressedSize;
      if (entries.push(entry) > limits.entries) throw tooMany(name, limits);
      if (bytes > limits.bytes) {
        throw new DatapackageError(
          'too_large',
          `${name} would unpack to more than ${limits.bytes.toLocaleString('en')} bytes; it is not read.`,
        );
      }
    }
  } catch (error) {
    if (error instanceof DatapackageError) throw error;
    broken(name, error);
  }
  return entries;
}

/** The entries of the datapackage, by their names. */
const namedFiles = (entries: readonly Entry[], name: string): (readonly [string, Entry])[] =>
  inFolderOfTables(
    entries
      .filter(({ fileName }) => !fileName.endsWith('/'))
      .map((entry) => [entry.fileName, entry] as const),
    name,
  );

function tooMany(name: string, limits: ZipLimits): DatapackageError {
  return new DatapackageError(
    'too_large',
    `${name} has more than ${limits.entries.toLocaleString('en')} entries; it is not read.`,
  );
}

function broken(name: string, error: unknown): never {
  throw new DatapackageError('broken_zip', `${name} is not a usable zip file: ${messageOf(error)}.`, {
    cause: error,
  });
}
