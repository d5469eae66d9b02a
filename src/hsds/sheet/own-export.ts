/** The column of the staged services that holds the cells of an export of this directory, as JSON. */
export const ownCells = 'cells of the export';

/** What a row of such an export says. */
export const ownRowOf = (svc_id: string, cells: string) => ({
  svc_id,
  cells: JSON.parse(cells) as Readonly<Record<string, string>>,
});

/** A row of an export of this directory: the record that it is, and its cells as JSON. */
export interface OwnRow {
  readonly svc_id: string;
  readonly cells: string;
}

/** Columns that only exports of this directory have together. */
const telling = ['svc_id', 'name', 'category', 'updated_at'];

/** Reads the rows of an export of this directory. Undefined for every other sheet. */
export function ownColumnsIn(
  header: readonly string[],
): ((cells: readonly string[]) => OwnRow | undefined) | undefined {
  if (!telling.every((name) => header.includes(name))) return undefined;
  const at = header.indexOf('svc_id');
  return (cells) => {
    const svc_id = cells[at] ?? '';
    if (!/^r_[0-9a-zA-Z]+$/.test(svc_id)) return undefined;
    return {
      svc_id,
      cells: JSON.stringify(Object.fromEntries(header.map((name, column) => [name, cells[column] ?? '']))),
    };
  };
}
