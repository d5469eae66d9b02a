import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import type { Readable } from 'node:stream';
import { DatapackageError } from '../errors.ts';
import { messageOf } from '../../ground/store-error.ts';

const newline = 0x0a;

/**
 * The bytes of a file in chunks of whole UTF-8 characters. A file that says by its first two bytes that it is UTF-16,
 * as spreadsheets save text, is converted. Throws `DatapackageError`: `invalid_encoding` with file
 * and line, `unreadable` when the stream fails.
 */
export async function* utf8Bytes(file: string, source: Readable): AsyncGenerator<Buffer> {
  let line = 1;
  let rest = Buffer.alloc(0);
  for await (const chunk of converted(file, chunks(file, source))) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.length - incompleteTail(bytes);
    const whole = bytes.subarray(0, end);
    if (!isUtf8(whole)) throw invalid(file, line + linesBeforeError(whole));
    line += countNewlines(whole);
    rest = bytes.subarray(end);
    if (whole.length > 0) yield whole;
  }
  if (rest.length > 0) throw invalid(file, line);
}

/** From UTF-16, when the file begins with its byte order mark. */
async function* converted(
  file: string,
  source: AsyncGenerator<Buffer<ArrayBuffer>>,
): AsyncGenerator<Buffer<ArrayBuffer>> {
  let decoder: TextDecoder | undefined;
  let began = false;
  for await (const chunk of source) {
    if (!began) decoder = decoderFor(chunk);
    began = true;
    yield decoder ? decoded(file, () => decoder?.decode(chunk, { stream: true })) : chunk;
  }
  if (decoder) yield decoded(file, () => decoder.decode());
}

function decoderFor([first, second]: Buffer): TextDecoder | undefined {
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le', { fatal: true });
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be', { fatal: true });
  return undefined;
}

function decoded(file: string, decode: () => string | undefined): Buffer<ArrayBuffer> {
  try {
    return Buffer.from(decode() ?? '');
  } catch (error) {
    throw new DatapackageError(
      'invalid_encoding',
      `${file} begins as UTF-16, but holds bytes that are no character. Save it as UTF-8 and try again.`,
      { cause: error },
    );
  }
}

async function* chunks(file: string, source: Readable): AsyncGenerator<Buffer<ArrayBuffer>> {
  try {
    for await (const chunk of source) yield chunk as Buffer<ArrayBuffer>;
  } catch (error) {
    throw new DatapackageError('unreadable', `${file} cannot be read: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

/** How many bytes at the end belong to an incomplete character. */
function incompleteTail(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? back : 0;
    }
  }
  return 0;
}

function linesBeforeError(bytes: Buffer): number {
  let lines = 0;
  for (let start = 0; start < bytes.length; lines++) {
    const at = bytes.indexOf(newline, start);
    const end = at === -1 ? bytes.length : at + 1;
    if (!isUtf8(bytes.subarray(start, end))) return lines;
    start = end;
  }
  return lines;
}

function countNewlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) count++;
  return count;
}

function invalid(file: string, line: number): DatapackageError {
  return new DatapackageError(
    'invalid_encoding',
    `${file} is not UTF-8: line ${line} holds bytes that are no character. Save it as UTF-8 and try again.`,
  );
}
