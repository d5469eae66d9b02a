import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { PackageFiles } from '../source/package-files.ts';
import { readXml } from './xml.ts';

/** So many characters are kept in memory. Further texts go into a temporary database. */
const mostInMemory = 16 * 1024 * 1024;

/** The texts that the cells of a workbook name by number. */
export interface SharedStrings {
  at(number: number): string;
  close(): void;
}

/** Reads the texts of a workbook. Without the part, there are none. */
export async function readSharedStrings(
  files: PackageFiles,
  part: string | undefined,
  book: string,
): Promise<SharedStrings> {
  const texts = new TextStore();
  if (part === undefined || !files.names.includes(part)) return texts;
  let text = '';
  let inText = false;
  /** How a word is pronounced, which is no part of the cell. */
  let inPhonetic = false;
  const pieces = readXml(files, part, book, {
    open(name) {
      if (name === 'si') text = '';
      else if (name === 't') inText = !inPhonetic;
      else if (name === 'rPh') inPhonetic = true;
    },
    text(piece) {
      if (inText) text += piece;
    },
    close(name) {
      if (name === 'si') texts.add(text);
      else if (name === 't') inText = false;
      else if (name === 'rPh') inPhonetic = false;
    },
  });
  try {
    while ((await pieces.next()).done !== true);
  } catch (error) {
    texts.close();
    throw error;
  }
  return texts;
}

class TextStore implements SharedStrings {
  readonly #texts: string[] = [];
  #characters = 0;
  #count = 0;
  #stored: { readonly database: DatabaseSync; insert: StatementSync; get: StatementSync } | undefined;

  add(text: string): void {
    const number = this.#count++;
    this.#characters += text.length + 16;
    if (this.#characters <= mostInMemory) this.#texts.push(text);
    else this.#store().insert.run(number, text);
  }

  at(number: number): string {
    if (number < this.#texts.length) return this.#texts[number] ?? '';
    const row = this.#stored?.get.get(number) as { readonly text: string } | undefined;
    return row?.text ?? '';
  }

  close(): void {
    this.#stored?.database.close();
    this.#stored = undefined;
  }

  #store() {
    if (this.#stored) return this.#stored;
    const database = new DatabaseSync('');
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -8192');
    database.exec('CREATE TABLE texts (number INTEGER PRIMARY KEY, text TEXT); BEGIN');
    this.#stored = {
      database,
      insert: database.prepare('INSERT INTO texts VALUES (?, ?)'),
      get: database.prepare('SELECT text FROM texts WHERE number = ?'),
    };
    return this.#stored;
  }
}
