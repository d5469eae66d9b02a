import { createWriteStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** The same for every file, so that equal folders give equal zip files. A zip knows no earlier day. */
const mtime = new Date(1980, 0, 1);

/** The files of a folder as a zip file, made while it is read. */
export async function zipStream(folder: string): Promise<Readable> {
  const zip = new ZipFile();
  const out = new PassThrough();
  zip.on('error', (error) => out.destroy(error as Error));
  await addFiles(zip, folder);
  return zip.outputStream.pipe(out);
}

/** Writes the files of a folder into a new zip file. */
export async function zipFolder(folder: string, path: string): Promise<void> {
  const zip = new ZipFile();
  const made = pipeline(zip.outputStream, createWriteStream(path, { flags: 'wx', flush: true }));
  const failed = new Promise<never>((_, reject) => zip.on('error', reject));
  await addFiles(zip, folder);
  await Promise.race([made, failed]);
}

async function addFiles(zip: ZipFile, folder: string): Promise<void> {
  for (const name of (await readdir(folder)).sort()) {
    zip.addFile(join(folder, name), name, { mtime, forceDosTimestamp: true, mode: 0o100644 });
  }
  zip.end();
}
