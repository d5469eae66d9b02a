import { beginsFormula } from '../../ground/csv.ts';
import { flagIn } from './content.ts';
import type { SheetRow } from '../workbook/rows.ts';
import type { SheetTarget } from './targets.ts';

/** A cell that says something, with the name of its column. */
export interface Value {
  readonly column: string;
  readonly text: string;
  /** The address to which it leads. */
  readonly link: string | undefined;
}

/** What one row of a sheet says. */
export class RowValues {
  readonly #values = new Map<SheetTarget, Value[]>();

  constructor(row: SheetRow, header: readonly string[], targets: readonly (SheetTarget | undefined)[]) {
    for (const [at, target] of targets.entries()) {
      const text = cellText(row.cells[at] ?? '');
      if (target === undefined || text === '') continue;
      const values = this.#values.get(target) ?? [];
      values.push({ column: header[at] ?? '', text, link: row.links?.get(at) });
      this.#values.set(target, values);
    }
  }

  /** How many of the columns that were chosen say something. */
  get size(): number {
    return this.#values.size;
  }

  all(target: SheetTarget): readonly Value[] {
    return this.#values.get(target) ?? [];
  }

  /** The text of the first column. Empty where it says nothing. */
  text(target: SheetTarget): string {
    return this.all(target)[0]?.text ?? '';
  }

  /** All of them, where the column of each further one is named. */
  joined(target: SheetTarget): string {
    return this.all(target)
      .map(({ column, text }, at) => (at === 0 ? text : `${column}: ${text}`))
      .join('\n');
  }

  /** The parts of all of them: of a cell that is a mark, the name of its column. */
  parts(target: SheetTarget, separator: RegExp): string[] {
    return this.all(target).flatMap(({ column, text }) => {
      const flag = flagIn(text);
      if (flag !== undefined) return flag ? [column] : [];
      return text
        .split(separator)
        .map((part) => part.trim())
        .filter((part) => part !== '');
    });
  }
}

/** Our own exports put an apostrophe before what a spreadsheet would run. */
export const cellText = (cell: string): string =>
  cell.startsWith("'") && beginsFormula(cell.slice(1)) ? cell.slice(1) : cell;
