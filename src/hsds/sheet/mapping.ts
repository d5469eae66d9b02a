import { z } from 'zod';
import { sheetTarget, type SheetTarget } from './targets.ts';

const columnName = z.string().min(1).max(300);

/** What the columns of a sheet say. Plain JSON, so that it can be shown, changed and remembered. */
export const mapping = z.strictObject({
  /** The name of the sheet. Absent: a CSV file, or the first sheet that has rows. */
  sheet: z.string().max(300).optional(),
  /** By the names of the columns. `null`: the column is left out. */
  columns: z.record(columnName, sheetTarget.nullable()),
});
export type Mapping = z.output<typeof mapping>;

/** The target of each column, in the order of the sheet. */
export const targetsOf = (
  { columns }: Mapping,
  header: readonly string[],
): readonly (SheetTarget | undefined)[] =>
  header.map((name) => (Object.hasOwn(columns, name) ? (columns[name] ?? undefined) : undefined));

/** The mapping with what a person wants otherwise. Columns that the sheet does not have are left out. */
export const changed = (
  proposed: Mapping,
  header: readonly string[],
  wanted: Mapping['columns'],
): Mapping => ({
  ...proposed,
  columns: Object.fromEntries(
    header.map((name) => [name, (Object.hasOwn(wanted, name) ? wanted : proposed.columns)[name] ?? null]),
  ),
});
