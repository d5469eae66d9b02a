import { z } from 'zod';
import { cell, readTable } from '../tables/read-table.ts';
import { tableNames, type TableName } from './source/layout.ts';

/** What becomes of a column of HSDS. The words are explained in the table. */
export type ColumnUse =
  | { readonly to: string; readonly when?: string }
  | { readonly joins: string }
  | { readonly repeats: string }
  | { readonly not: string };

const rows = readTable(
  'hsds-columns.tsv',
  {
    table: z.enum(tableNames, { message: 'must be one of the tables in hsds/source/layout.ts' }),
    column: cell,
    use: z.enum(['to', 'joins', 'repeats', 'not']),
    what: cell,
    when: z.string(),
    after: z.string(),
  },
  ['table', 'column'],
);
type Row = (typeof rows)[number];

/** Every table and column of HSDS 1.1, 2.0, 3.0 and 3.1, and what becomes of it. */
export const hsdsColumns = byTable((columns): Readonly<Record<string, ColumnUse>> =>
  Object.fromEntries(columns.map((row) => [row.column, useOf(row)])),
);

/** Columns that say the same, the one that counts first. What the other one says besides is not carried. */
export const sameColumns = byTable((columns) =>
  columns.filter(({ after }) => after !== '').map(({ column, after }) => [after, column] as const),
);

/** Also why a text that is only sometimes carried is not. */
export const noPlaceText = reasonOf('locations', 'url');

function byTable<Value>(of: (columns: readonly Row[]) => Value): Readonly<Record<TableName, Value>> {
  return Object.fromEntries(
    tableNames.map((name) => [name, of(rows.filter(({ table }) => table === name))]),
  ) as Record<TableName, Value>;
}

function useOf({ use, what, when }: Row): ColumnUse {
  switch (use) {
    case 'to':
      return when === '' ? { to: what } : { to: what, when };
    case 'joins':
      return { joins: what };
    case 'repeats':
      return { repeats: what };
    case 'not':
      return { not: what };
  }
}

function reasonOf(table: TableName, column: string): string {
  const use = hsdsColumns[table][column];
  if (use === undefined || !('not' in use)) throw new Error(`hsds-columns.tsv carries ${table}.${column}`);
  return use.not;
}
