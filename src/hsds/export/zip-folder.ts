import { createWriteStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** The same for every file, so that equal folders give equal zip files. A zip knows no earlier day. */
const mtime = new Date(1980, 0, 1);

/** Writes the files of a folder into a new zip file. */
export async function zipFolder(folder: string, path: string): Promise<void> {
  const zip = new ZipFile();
  const made = pipeline(zip.outputStream, createWriteStream(path, { flags: 'wx', flush: true }));
  const failed = new Promise<never>((_, reject) => zip.on('error', reject));
  for (const name of (await readdir(folder)).sort()) {
    zip.addFile(join(folder, name), name, { mtime, forceDosTimestamp: true, mode: 0o100644 });
  }
  zip.end();
  await Promise.race([made, failed]);
}
