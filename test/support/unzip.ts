import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';

/** Writes the files of a zip file, which has no folders, into a folder. */
export async function unzip(bytes: Buffer, folder: string): Promise<void> {
  const zip = await fromBufferPromise(bytes);
  for await (const entry of zip.eachEntry()) {
    writeFileSync(join(folder, entry.fileName), await buffer(await zip.openReadStreamPromise(entry)));
  }
}
