import { contentOf } from './content.ts';
import { isColumnName } from './guess-mapping.ts';
import type { SheetRow } from '../workbook/rows.ts';

/** The names of the columns, and after which row the services begin. */
export interface Header {
  /** Each once; the places are those of the cells. */
  readonly columns: readonly string[];
  /** The row that holds the names; 0 where none does. */
  readonly line: number;
}

/** The names of the columns may stand below a title. So many rows are looked at. */
export const mostRowsAbove = 30;

/** Finds the names of the columns among the first rows of a sheet. */
export function findHeader(rows: readonly SheetRow[]): Header {
  const first = rows.slice(0, mostRowsAbove);
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const scored = first.map((row) => ({ row, ...scoreOf(row) }));
  const best = scored.reduce<(typeof scored)[number] | undefined>(
    (most, each) => (most === undefined || each.score > most.score ? each : most),
    undefined,
  );
  // A sheet without names begins with a service.
  if (!best || best.names === 0) {
    const hasValues = first[0]?.cells.some((cell) => {
      const content = contentOf([cell]);
      return (['phone', 'email', 'url', 'address', 'long text'] as const).some(
        (kind) => content.share(kind) > 0,
      );
    });
    if (hasValues !== false) return { columns: named([], width), line: 0 };
  }
  const row = best?.names ? best.row : first[0];
  return { columns: named(row?.cells ?? [], width), line: row?.line ?? 0 };
}

function scoreOf({ cells }: SheetRow): { readonly score: number; readonly names: number } {
  const filled = cells.filter((cell) => cell !== '');
  const names = filled.filter((cell) => cell.length <= 80 && isColumnName(cell)).length;
  const values = filled.filter((cell) => cell.length > 80 || /\d{4}|@|https?:/.test(cell)).length;
  if (filled.length < 2) return { score: -1, names: 0 };
  return { score: names * 4 + Math.min(filled.length, 20) - values * 6, names: names > values ? names : 0 };
}

/** Columns without a name are called as spreadsheet programs call them; of two with one name the second is numbered. */
function named(cells: readonly string[], width: number): string[] {
  const taken = new Set<string>();
  return Array.from({ length: width }, (_, at) => {
    const written = (cells[at] ?? '').replace(/\s+/g, ' ').trim().slice(0, 200) || `Column ${letters(at)}`;
    let name = written;
    for (let number = 2; taken.has(name); number++) name = `${written} (${number})`;
    taken.add(name);
    return name;
  });
}

/** `A` to `Z`, then `AA`. */
export function letters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : letters(Math.floor(column / 26) - 1) + last;
}
