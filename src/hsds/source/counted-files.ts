import { Readable } from 'node:stream';
import type { PackageFiles } from './package-files.ts';

/** The same files. Calls `onRead` with the bytes that were read of them so far, and those of all of them. */
export function counted(
  files: PackageFiles,
  onRead: ((bytes: number, total: number) => void) | undefined,
): PackageFiles {
  if (!onRead) return files;
  let read = 0;
  async function* counting(source: Readable): AsyncGenerator<Buffer> {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      read += chunk.length;
      onRead?.(Math.min(read, files.bytes), files.bytes);
      yield chunk;
    }
  }
  return {
    ...files,
    open: async (name) => Readable.from(counting(await files.open(name)), { objectMode: false }),
    close: () => files.close(),
  };
}
