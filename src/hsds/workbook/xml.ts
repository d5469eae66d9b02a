import { SaxesParser } from 'saxes';
import { TextDecoder } from 'node:util';
import { DatapackageError } from '../errors.ts';
import type { PackageFiles } from '../source/package-files.ts';
import { messageOf } from '../../ground/store-error.ts';

/** What is told of a part of a workbook while it is read. Names are without their namespace prefix. */
export interface XmlHandlers {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** No part of a workbook nests this deep. */
const deepest = 64;
/** Excel takes 32,767 characters in a cell. A text of more than this, in bytes, is made to fill the memory. */
const longestText = 8 * 1024 * 1024;

/**
 * Reads a part of a workbook as a stream; yields after each piece, so that what was found can be taken. A document type, by
 * which XML expands entities, is refused. Throws `DatapackageError`.
 */
export async function* readXml(
  files: PackageFiles,
  part: string,
  book: string,
  handlers: XmlHandlers,
): AsyncGenerator<void> {
  const parser = new SaxesParser({});
  let depth = 0;
  let sinceTag = 0;
  parser.on('error', (error) => {
    throw brokenBook(book, part, error);
  });
  parser.on('doctype', () => {
    throw new DatapackageError('broken_zip', `${book} is not read: ${part} holds a document type.`);
  });
  parser.on('opentag', ({ name, attributes }) => {
    sinceTag = 0;
    if (++depth > deepest) throw brokenBook(book, part, new Error('it nests too deep'));
    handlers.open?.(local(name), attributes);
  });
  parser.on('text', (text) => handlers.text?.(text));
  parser.on('cdata', (text) => handlers.text?.(text));
  parser.on('closetag', ({ name }) => {
    sinceTag = 0;
    depth--;
    handlers.close?.(local(name));
  });
  for await (const text of textOf(files, part, book)) {
    sinceTag += text.length;
    parser.write(text);
    if (sinceTag > longestText)
      throw new DatapackageError('too_large', `${book} is not read: ${part} holds a text that is too long.`);
    yield;
  }
  parser.close();
  yield;
}

/** Reads a part to its end. */
export async function readWholeXml(
  files: PackageFiles,
  part: string,
  book: string,
  handlers: XmlHandlers,
): Promise<void> {
  const pieces = readXml(files, part, book, handlers);
  while ((await pieces.next()).done !== true);
}

/** The text of a part, in pieces. */
export async function* textOf(files: PackageFiles, part: string, book: string): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  try {
    for await (const chunk of (await files.open(part)) as AsyncIterable<Buffer>) {
      decoder ??= new TextDecoder(chunk[0] === 0xff && chunk[1] === 0xfe ? 'utf-16le' : 'utf-8');
      yield decoder.decode(chunk, { stream: true });
    }
  } catch (error) {
    throw error instanceof DatapackageError ? error : brokenBook(book, part, error);
  }
}

export const brokenBook = (book: string, part: string, error: unknown): DatapackageError =>
  new DatapackageError(
    'broken_zip',
    `${book} is damaged, or was cut off: its part ${part} cannot be read (${messageOf(error)}). Open it in a spreadsheet program and save it again.`,
    { cause: error },
  );

const local = (name: string): string => name.slice(name.indexOf(':') + 1);
