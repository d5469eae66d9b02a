import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** What is wrong with a file of this folder, and in which line. Nothing starts with such a file. */
export class TableError extends Error {
  override readonly name = 'TableError';

  constructor(file: string, line: number, what: string) {
    super(`src/tables/${file}:${line}: ${what}`);
  }
}

/** A cell that must say something. */
export const cell = z.string().min(1, 'must not be empty');

/** Several things in one cell, separated by commas. */
export const listCell = cell
  .transform((text) => text.split(/\s*,\s*/))
  .refine((items) => !items.includes(''), 'has a comma with nothing before or after it')
  .refine((items) => new Set(items).size === items.length, 'says something twice');

type Columns = Readonly<Record<string, z.ZodType>>;
type RowOf<Of extends Columns> = Readonly<{ [Column in keyof Of]: z.infer<Of[Column]> }>;

/**
 * The rows of a table beside this file. The first line names the columns; cells are separated by tabs, without quotes;
 * lines that begin with `#` are remarks. Throws `TableError` for what does not fit `columns`, and for two rows with the
 * same values in the columns of `key`.
 */
export function readTable<Of extends Columns>(
  file: string,
  columns: Of,
  key: readonly (keyof Of & string)[],
): readonly RowOf<Of>[] {
  return rowsIn(file, readFileSync(new URL(file, import.meta.url), 'utf8'), columns, key);
}

/** The rows of a table from its text. */
export function rowsIn<Of extends Columns>(
  file: string,
  text: string,
  columns: Of,
  key: readonly (keyof Of & string)[],
): readonly RowOf<Of>[] {
  const lines = text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .map((line, at) => ({ line: at + 1, cells: line.split('\t').map((each) => each.trim()) }))
    .filter(
      ({ cells: [first = '', ...others] }) => !first.startsWith('#') && [first, ...others].some(Boolean),
    );
  const [header, ...rows] = lines;
  const names = Object.keys(columns);
  if (header?.cells.join('\t') !== names.join('\t')) {
    const found = header === undefined ? 'no line' : header.cells.join(', ');
    throw new TableError(file, header?.line ?? 1, `the columns must be ${names.join(', ')}; found ${found}`);
  }
  const lineOfKey = new Map<string, number>();
  return rows.map(({ line, cells }) => {
    const row = rowOf(file, line, cells, columns);
    const own = JSON.stringify(key.map((name) => cells[names.indexOf(name)]));
    const before = lineOfKey.get(own);
    if (before !== undefined) throw new TableError(file, line, `${key.join(' and ')} as in line ${before}`);
    lineOfKey.set(own, line);
    return row;
  });
}

function rowOf<Of extends Columns>(
  file: string,
  line: number,
  cells: readonly string[],
  columns: Of,
): RowOf<Of> {
  const names = Object.keys(columns);
  if (cells.length > names.length) {
    throw new TableError(file, line, `has ${cells.length} cells for ${names.length} columns`);
  }
  const values = names.map((name, at) => {
    // An editor may drop the tabs at the end of a line, and with them only empty cells.
    const written = cells[at] ?? '';
    if (written.startsWith('"')) throw new TableError(file, line, `${name}: write it without quotes`);
    const { success, data, error } = (columns[name] as z.ZodType).safeParse(written);
    if (!success) throw new TableError(file, line, `${name}: ${error.issues[0]?.message ?? 'does not fit'}`);
    return [name, data] as const;
  });
  return Object.fromEntries(values) as RowOf<Of>;
}
