import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { ExportError } from '../exports/export-error.ts';
import type { Format } from '../exports/format.ts';

/** Read at once. A longer line is read in several pieces. */
const pieceBytes = 1024 * 1024;

/** A line of a file, by its bytes. */
export interface LinePlace {
  /** From 0, not counting what is before the first event. */
  readonly number: number;
  readonly offset: number;
  readonly bytes: number;
}

export interface ReadLine extends LinePlace {
  /** Good until the next page. */
  readonly content: Buffer;
}

/** What a file was found to be. */
export interface ReadFile {
  readonly bytes: number;
  readonly sha256: string;
}

/** A file of an export with a line for each event, read in pages. Memory does not grow with it. */
export class ExportLines {
  readonly #path: string;
  readonly #form: Pick<Format, 'begin' | 'between' | 'end' | 'endEmpty'>;
  /** Once the lines have been read to the end. */
  read: ReadFile | undefined;

  constructor(path: string, form: Pick<Format, 'begin' | 'between' | 'end' | 'endEmpty'>) {
    this.#path = path;
    this.#form = form;
  }

  /** @throws ExportError when the file is not there or cannot be read */
  async *pages(): AsyncGenerator<readonly ReadLine[]> {
    const { begin, between, end, endEmpty } = this.#form;
    const separator = Buffer.byteLength(between) - 1;
    const closing = [end, endEmpty].map((text) => text.trim()).find((text) => text !== '');
    const hash = createHash('sha256');
    const file = await this.#open();
    try {
      let skip = Buffer.byteLength(begin);
      let rest = Buffer.alloc(0);
      let offset = 0;
      let number = 0;
      let bytes = 0;
      for (;;) {
        const piece = Buffer.allocUnsafe(pieceBytes);
        const { bytesRead } = await file.read(piece, 0, pieceBytes);
        const read = piece.subarray(0, bytesRead);
        hash.update(read);
        bytes += bytesRead;
        const whole = rest.length === 0 ? read : Buffer.concat([rest, read]);
        const lines: ReadLine[] = [];
        let at = Math.min(skip, whole.length);
        skip -= at;
        for (;;) {
          const found = whole.indexOf(0x0a, at);
          // Without a line break at its end, the last line was cut off.
          const until = found === -1 && bytesRead === 0 ? whole.length : found;
          if (until === -1 || (found === -1 && at === whole.length)) break;
          const content = withoutSeparator(whole.subarray(at, until), between, separator);
          if (content.length > 0 && content.toString('latin1') !== closing)
            lines.push({ number: number++, offset: offset + at, bytes: content.length, content });
          at = until + 1;
          if (found === -1) break;
        }
        if (lines.length > 0) yield lines;
        if (bytesRead === 0) break;
        offset += Math.min(at, whole.length);
        rest = Buffer.from(whole.subarray(at));
      }
      this.read = { bytes, sha256: hash.digest('hex') };
    } finally {
      await file.close();
    }
  }

  /** The text of a line that was read before. */
  async textAt({ offset, bytes }: LinePlace): Promise<string> {
    const file = await this.#open();
    try {
      const content = Buffer.alloc(bytes);
      await file.read(content, 0, bytes, offset);
      return content.toString();
    } finally {
      await file.close();
    }
  }

  async #open(): Promise<FileHandle> {
    return open(this.#path, 'r').catch((error: unknown) => {
      const { code, message } = error as NodeJS.ErrnoException;
      throw new ExportError(
        code === 'ENOENT' ? `${this.#path} is missing.` : `${this.#path} cannot be read: ${message}`,
        { cause: error },
      );
    });
  }
}

function withoutSeparator(line: Buffer, between: string, separator: number): Buffer {
  if (separator === 0 || line.length < separator) return line;
  const end = line.toString('latin1', line.length - separator);
  return end === between.slice(0, separator) ? line.subarray(0, line.length - separator) : line;
}

/** A file with one JSON value or hash a line. */
export const plainLines = { begin: '', between: '\n', end: '\n', endEmpty: '' } as const;
