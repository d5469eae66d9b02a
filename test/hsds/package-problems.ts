import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { publishedTables, type PublishedField, type PublishedTable } from './published-schemas.ts';

type Row = Readonly<Record<string, string>>;

/** Tables of a datapackage, by file name. */
export type Tables = ReadonlyMap<string, readonly Row[]>;

/** What of a table is wrong by the published datapackage of HSDS 3.1. */
export interface PackageProblem {
  readonly file: string;
  readonly column: string;
  readonly cell: string;
  readonly why:
    'no such table' | 'no such column' | 'required' | 'not of its type' | 'twice' | 'leads nowhere';
}

/** Reads the tables of a CSV datapackage. */
export async function tablesIn(folder: string): Promise<Tables> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.csv'));
  return new Map(
    await Promise.all(
      files.map(async (file) => {
        const rows: Row[] = parse(await readFile(join(folder, file)), { columns: true });
        return [file, rows] as const;
      }),
    ),
  );
}

/** Checks every row as a Frictionless validator does: required, enum, type, format, primary and foreign keys. */
export function packageProblems(tables: Tables): PackageProblem[] {
  const problems: PackageProblem[] = [];
  const ids = new Map([...tables].map(([file, rows]) => [file, new Set(rows.map(({ id }) => id))]));
  for (const [file, rows] of tables) {
    const published = publishedTables.get(file);
    if (!published) {
      problems.push({ file, column: '', cell: '', why: 'no such table' });
      continue;
    }
    const fields = new Map(published.schema.fields.map((field) => [field.name, field]));
    const leads = leadsOf(published);
    const seen = new Set<string>();
    for (const row of rows) {
      const problem = (column: string, why: PackageProblem['why']): void => {
        problems.push({ file, column, cell: row[column] ?? '', why });
      };
      for (const column of Object.keys(row)) if (!fields.has(column)) problem(column, 'no such column');
      for (const [column, field] of fields) {
        const cell = row[column] ?? '';
        if (cell === '') {
          if (field.constraints?.required) problem(column, 'required');
        } else if (!isOf(field, cell)) problem(column, 'not of its type');
      }
      const { id = '' } = row;
      if (seen.has(id)) problem('id', 'twice');
      seen.add(id);
      for (const [column, of] of leads) {
        const cell = row[column] ?? '';
        if (cell !== '' && !ids.get(of)?.has(cell)) problem(column, 'leads nowhere');
      }
    }
  }
  return problems;
}

/** The columns that name another table, and its file. The published keys call a table by the name of its entity. */
const leadsOf = ({ schema }: PublishedTable): (readonly [string, string])[] =>
  (schema.foreignKeys ?? []).map(({ fields, reference }) => {
    const file = [...publishedTables].find(([, { name }]) => name === reference.resource)?.[0];
    return [fields, file ?? reference.resource];
  });

function isOf({ type, format, enum: values, constraints }: PublishedField, cell: string): boolean {
  const one = values ?? constraints?.enum;
  if (one && !one.includes(cell)) return false;
  if (type === 'number') return cell.trim() !== '' && Number.isFinite(Number(cell));
  if (type === 'date') return /^\d{4}-\d\d-\d\d$/.test(cell) && !Number.isNaN(Date.parse(cell));
  if (type === 'datetime')
    return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(cell) && !Number.isNaN(Date.parse(cell));
  if (type === 'time') return /^([01]\d|2[0-4]):[0-5]\d(:[0-5]\d)?$/.test(cell);
  if (format === 'uuid') return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(cell);
  if (format === 'uri') return /^https?:\/\/[^\s]+$/.test(cell) && URL.canParse(cell);
  if (format === 'email') return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(cell);
  return true;
}
