import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ExportError } from './export-error.ts';

/** Written at once. */
const bufferBytes = 1024 * 1024;

/** What was written to a file. */
export interface WrittenFile {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** A new file that is written from its beginning to its end, and hashed meanwhile. */
export class HashedFile {
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #hash = createHash('sha256');
  readonly #buffer = Buffer.allocUnsafe(bufferBytes);
  #buffered = 0;
  #bytes = 0;

  private constructor(path: string, handle: FileHandle) {
    this.#path = path;
    this.#handle = handle;
  }

  static async create(folder: string, name: string): Promise<HashedFile> {
    const path = join(folder, name);
    return new HashedFile(path, await open(path, 'wx').catch((error: unknown) => refuse(path, error)));
  }

  /** Writes without waiting. False, and nothing is written, when the buffer has no room. */
  take(piece: Buffer): boolean {
    if (this.#buffered + piece.length >= bufferBytes) return false;
    this.#buffered += piece.copy(this.#buffer, this.#buffered);
    return true;
  }

  async write(piece: string | Buffer): Promise<void> {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    for (let at = 0; at < bytes.length;) {
      const taken = bytes.copy(this.#buffer, this.#buffered, at);
      at += taken;
      this.#buffered += taken;
      if (this.#buffered === bufferBytes) await this.#flush();
    }
  }

  /** Writes what is left, and syncs the file to the device. */
  async end(): Promise<WrittenFile> {
    await this.#flush();
    await this.#handle.sync().catch((error: unknown) => refuse(this.#path, error));
    await this.#handle.close();
    return { file: basename(this.#path), bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  /** Closes a file that is given up. */
  async abandon(): Promise<void> {
    await this.#handle.close().catch(() => undefined);
  }

  async #flush(): Promise<void> {
    const bytes = this.#buffer.subarray(0, this.#buffered);
    this.#hash.update(bytes);
    for (let at = 0; at < bytes.length;) {
      const { bytesWritten } = await this.#handle
        .write(bytes, at)
        .catch((error: unknown) => refuse(this.#path, error));
      at += bytesWritten;
    }
    this.#bytes += bytes.length;
    this.#buffered = 0;
  }
}

function refuse(path: string, error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException;
  const why =
    code === 'ENOSPC' || code === 'EDQUOT'
      ? 'There is no room left on the device'
      : `The device failed: ${message}`;
  throw new ExportError(`${why}. The export ${path} was given up, and nothing of it stays.`, {
    cause: error,
  });
}
