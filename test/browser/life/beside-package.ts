import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { csvLine } from '../../../src/ground/csv.ts';

type Files = Readonly<Record<string, string>>;
type Row = Readonly<Record<string, string>>;

/** The files of a package on disk with the rows of another one after theirs. Ids must differ. */
export function besidePackage(folder: string, files: Files): Files {
  const names = readdirSync(folder).filter((name) => name.endsWith('.csv'));
  const theirs = Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  const both = Object.entries(files).map(([name, text]): [string, string] => {
    const other = theirs[name];
    return [name, other === undefined ? text : joined(rowsOf(other), rowsOf(text))];
  });
  return { ...theirs, ...Object.fromEntries(both) };
}

const rowsOf = (text: string): readonly Row[] => parse(text, { columns: true, bom: true });

function joined(...tables: readonly (readonly Row[])[]): string {
  const rows = tables.flat();
  const columns = [...new Set(tables.flatMap(([first = {}]) => Object.keys(first)))];
  return [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))].map(csvLine).join('');
}
