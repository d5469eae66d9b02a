import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Room } from '../doctor/room.ts';
import { embeddedFiles, readModelsFile } from '../stores/embedded-files.ts';

/** Files of others in the same folder are not told: each name is a series of the metrics. */
const ours: ReadonlySet<string> = new Set([...embeddedFiles.map(({ name }) => name), readModelsFile]);

/** What the data folder holds, and the room on its disk, in bytes. */
export interface Storage {
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
  readonly disk_free: number;
  readonly disk_size: number;
}

/** The room on the disk of the data folder. */
export async function roomOf(dataDir: string): Promise<Room> {
  const { bavail, blocks, bsize } = await statfs(dataDir);
  return { free: bavail * bsize, size: blocks * bsize };
}

/** Only their sizes are asked for: opening and closing a database file would free the locks that SQLite holds on it. */
export async function storageOf(dataDir: string): Promise<Storage> {
  const { free, size } = await roomOf(dataDir);
  const names = (await readdir(dataDir, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && ours.has(entry.name))
    .map(({ name }) => name)
    .sort();
  const files = await Promise.all(
    names.map(async (name) => ({ name, bytes: await sizeOf(join(dataDir, name)) })),
  );
  return { files, disk_free: free, disk_size: size };
}

/** With the write-ahead log, which is merged into the file from time to time. */
async function sizeOf(path: string): Promise<number> {
  const sizes = await Promise.all(
    [path, `${path}-wal`].map((each) =>
      stat(each).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
