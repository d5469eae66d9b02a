import { readFileSync } from 'node:fs';

const [newline, tab, minus, dot, zero, hash] = [10, 9, 45, 46, 48, 35] as const;

/** Degrees are kept as whole thousandths: 110 metres, and half the memory. */
export const perDegree = 1000;

/**
 * A table of `src/tables/gazetteer`. These are made by a script and have 80,000 lines, so they stay bytes, of which a cell
 * is read when somebody asks for it, and are not checked as the tables that people edit.
 */
export class GazetteerFile {
  readonly length: number;
  readonly #bytes: Buffer;
  /** Where each line begins; at last, where the file ends. */
  readonly #starts: Uint32Array;

  constructor(file: string) {
    const bytes = readFileSync(new URL(`../tables/gazetteer/${file}`, import.meta.url));
    const starts: number[] = [];
    let isHeaderRead = false;
    for (let at = 0; at < bytes.length; at = bytes.indexOf(newline, at) + 1 || bytes.length) {
      // Remarks, and then the line that names the columns, stand before the rest.
      if (isHeaderRead) starts.push(at);
      else isHeaderRead = bytes[at] !== hash;
    }
    this.#bytes = bytes;
    this.length = starts.length;
    this.#starts = Uint32Array.from([...starts, bytes.length]);
  }

  /** The text of a cell. */
  text(line: number, column: number): string {
    const from = this.#cell(line, column);
    let to = from;
    while (!this.#ends(to)) to++;
    return this.#bytes.toString('utf8', from, to);
  }

  /** The cell of a column of whole numbers. */
  number(line: number, column: number): number {
    let value = 0;
    for (let at = this.#cell(line, column); !this.#ends(at); at++) {
      value = value * 10 + (this.#bytes[at] as number) - zero;
    }
    return value;
  }

  /** The cells of a column of degrees, in thousandths. */
  degrees(column: number): Int32Array {
    const all = new Int32Array(this.length);
    for (let line = 0; line < this.length; line++) all[line] = this.#thousandths(this.#cell(line, column));
    return all;
  }

  #thousandths(from: number): number {
    const isNegative = this.#bytes[from] === minus;
    let value = 0;
    let decimals = -1;
    for (let at = isNegative ? from + 1 : from; !this.#ends(at); at++) {
      const byte = this.#bytes[at] as number;
      if (byte === dot) {
        decimals = 0;
      } else {
        value = value * 10 + byte - zero;
        if (decimals >= 0) decimals++;
      }
    }
    for (let n = Math.max(decimals, 0); n < 3; n++) value *= 10;
    return isNegative ? -value : value;
  }

  #cell(line: number, column: number): number {
    let at = this.#starts[line] as number;
    for (let passed = 0; passed < column; at++) if (this.#bytes[at] === tab) passed++;
    return at;
  }

  #ends(at: number): boolean {
    const byte = this.#bytes[at];
    return byte === tab || byte === newline || byte === undefined;
  }
}

/** The first line for which `isBefore` is false, of lines in order. */
export function firstLine(length: number, isBefore: (line: number) => boolean): number {
  let [from, to] = [0, length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isBefore(middle)) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The value of a function, which is called when somebody first asks for it. */
export function atFirstUse<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
