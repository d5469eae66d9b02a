import type { Row } from './source/related-rows.ts';

/** A set of rows, a bit for each line of their files: a million rows take 128 kB. */
export class RowSet {
  readonly #files = new Map<string, Uint8Array>();
  readonly #sizes = new Map<string, number>();

  /** False when it is in the set already. */
  add({ file, line }: Pick<Row, 'file' | 'line'>): boolean {
    const bits = this.#bitsOf(file, line >> 3);
    const bit = 1 << (line & 7);
    const byte = bits[line >> 3] ?? 0;
    if ((byte & bit) !== 0) return false;
    bits[line >> 3] = byte | bit;
    this.#sizes.set(file, this.sizeOf(file) + 1);
    return true;
  }

  has({ file, line }: Pick<Row, 'file' | 'line'>): boolean {
    return ((this.#files.get(file)?.[line >> 3] ?? 0) & (1 << (line & 7))) !== 0;
  }

  delete(row: Pick<Row, 'file' | 'line'>): void {
    const bits = this.#files.get(row.file);
    if (!bits || !this.has(row)) return;
    bits[row.line >> 3] = (bits[row.line >> 3] ?? 0) & ~(1 << (row.line & 7));
    this.#sizes.set(row.file, this.sizeOf(row.file) - 1);
  }

  /** How many rows of a file are in the set. */
  sizeOf(file: string): number {
    return this.#sizes.get(file) ?? 0;
  }

  /** The files with a row in the set. */
  get files(): readonly string[] {
    return [...this.#sizes.keys()];
  }

  #bitsOf(file: string, byte: number): Uint8Array {
    const known = this.#files.get(file) ?? new Uint8Array(1_024);
    if (byte < known.length && this.#files.has(file)) return known;
    const bits = new Uint8Array(Math.max(known.length, 2 ** Math.ceil(Math.log2(byte + 1))));
    bits.set(known);
    this.#files.set(file, bits);
    return bits;
  }
}
