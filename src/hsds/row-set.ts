import type { TableName } from './source/layout.ts';
import type { Row } from './source/related-rows.ts';

/** A set of rows, a bit for each row of their tables: a million rows take 128 kB. */
export class RowSet {
  readonly #bits = new Map<TableName, Uint8Array>();
  readonly #sizes = new Map<string, { readonly table: TableName; readonly file: string; rows: number }>();

  add(row: Row): void {
    if (this.has(row)) return;
    const bits = this.#bitsOf(row.table, row.number >> 3);
    bits[row.number >> 3] = (bits[row.number >> 3] ?? 0) | (1 << (row.number & 7));
    this.#count(row, 1);
  }

  has({ table, number }: Row): boolean {
    return ((this.#bits.get(table)?.[number >> 3] ?? 0) & (1 << (number & 7))) !== 0;
  }

  delete(row: Row): void {
    if (!this.has(row)) return;
    const bits = this.#bitsOf(row.table, row.number >> 3);
    bits[row.number >> 3] = (bits[row.number >> 3] ?? 0) & ~(1 << (row.number & 7));
    this.#count(row, -1);
  }

  /** How many rows of a table in a file are in the set. */
  sizeOf(table: TableName, file: string): number {
    return this.#sizes.get(`${table}\0${file}`)?.rows ?? 0;
  }

  /** How many rows there are, by table and file. */
  sizes(): readonly { readonly table: TableName; readonly file: string; readonly rows: number }[] {
    return [...this.#sizes.values()].filter(({ rows }) => rows > 0);
  }

  #count({ table, file }: Row, change: 1 | -1): void {
    const key = `${table}\0${file}`;
    const size = this.#sizes.get(key) ?? { table, file, rows: 0 };
    size.rows += change;
    this.#sizes.set(key, size);
  }

  #bitsOf(table: TableName, byte: number): Uint8Array {
    const existing = this.#bits.get(table);
    if (existing && byte < existing.length) return existing;
    const bits = new Uint8Array(Math.max(1_024, 2 ** Math.ceil(Math.log2(byte + 1))));
    if (existing) bits.set(existing);
    this.#bits.set(table, bits);
    return bits;
  }
}
