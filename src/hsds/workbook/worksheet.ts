import { DatapackageError } from '../errors.ts';
import type { PackageFiles } from '../source/package-files.ts';
import { plain, shownNumber, type NumberFormat } from './number-formats.ts';
import { isEmptyRow, sheetLimits, type SheetRow } from './rows.ts';
import type { SharedStrings } from './shared-strings.ts';
import { readXml, textOf } from './xml.ts';

export interface WorksheetNote {
  readonly line: number;
  readonly reason: string;
}

/** What the cells of a sheet are read with. */
interface Reading {
  readonly part: string;
  readonly book: string;
  readonly strings: SharedStrings;
  readonly formats: readonly NumberFormat[];
  readonly since1904: boolean;
  /** The address of a relation of the sheet. */
  linkOf(id: string): string | undefined;
}

interface Cell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  value: string;
  /** The cell is computed. Without a saved value it says nothing. */
  formula: boolean;
}

/** The rows of a sheet that say something. Cells that are merged downwards say the same in each of their rows. */
export async function* readWorksheet(
  files: PackageFiles,
  reading: Reading,
  note: (note: WorksheetNote) => void,
): AsyncGenerator<readonly SheetRow[]> {
  const { merges, links } = await readRanges(files, reading);
  const merged = new MergedCells(merges);
  let rows: SheetRow[] = [];
  let line = 0;
  let last = 0;
  let count = 0;
  let cells: string[] = [];
  let ownLinks: Map<number, string> | undefined;
  let nextColumn = 0;
  let cell: Cell | undefined;
  let inValue = false;
  let inPhonetic = false;
  const reported = new Set<string>();
  const noteOnce = (reason: string): void => {
    if (!reported.has(reason)) note({ line, reason });
    reported.add(reason);
  };

  const endOfRow = (): void => {
    last = Math.max(last, line);
    const own = isEmptyRow(cells);
    merged.fill(line, cells, own);
    if (own) return;
    if (++count > sheetLimits.rows)
      throw new DatapackageError(
        'too_large',
        `${reading.book} has more than ${sheetLimits.rows.toLocaleString('en')} rows; it is not read.`,
      );
    rows.push({ line, cells, ...(ownLinks ? { links: ownLinks } : {}) });
  };

  const pieces = readXml(files, reading.part, reading.book, {
    open(name, attributes) {
      if (name === 'row') {
        line = Number(attributes['r'] ?? '') || last + 1;
        cells = [];
        ownLinks = undefined;
        nextColumn = 0;
      } else if (name === 'c') {
        const column = columnIn(attributes['r'] ?? '') ?? nextColumn;
        nextColumn = column + 1;
        cell = {
          column,
          type: attributes['t'] ?? 'n',
          style: Number(attributes['s'] ?? '0'),
          value: '',
          formula: false,
        };
      } else if (name === 'f' && cell) cell.formula = true;
      else if (name === 'rPh') inPhonetic = true;
      else if (name === 'v' || name === 't') inValue = cell !== undefined && !inPhonetic;
    },
    text(text) {
      if (inValue && cell) cell.value += text;
    },
    close(name) {
      if (name === 'v' || name === 't') inValue = false;
      else if (name === 'rPh') inPhonetic = false;
      else if (name === 'c' && cell) {
        put(cell);
        cell = undefined;
      } else if (name === 'row') endOfRow();
    },
  });

  function put(done: Cell): void {
    if (done.column >= sheetLimits.columns) {
      if (done.value !== '')
        noteOnce(
          `has more than ${sheetLimits.columns.toLocaleString('en')} columns; the others are left out`,
        );
      return;
    }
    if (done.formula && done.value === '')
      noteOnce('holds a formula without a saved value; save the file in a spreadsheet program first');
    if (done.type === 'e')
      noteOnce(`holds a formula with the error ${done.value}; such cells count as empty`);
    const text = shown(done, reading).trim();
    if (text === '') return;
    while (cells.length < done.column) cells.push('');
    cells[done.column] = text.slice(0, sheetLimits.cell);
    const link = links.get(`${line}:${done.column}`);
    if (link !== undefined) (ownLinks ??= new Map()).set(done.column, link);
  }

  for (;;) {
    const { done } = await pieces.next();
    if (rows.length > 0) yield rows;
    rows = [];
    if (done === true) return;
  }
}

function shown({ type, value, style }: Cell, { strings, formats, since1904 }: Reading): string {
  switch (type) {
    case 's':
      return strings.at(Number(value));
    case 'b':
      return value === '1' ? 'TRUE' : value === '0' ? 'FALSE' : '';
    case 'e':
      return '';
    case 'd':
      return value.replace(/T00:00:00.*$/, '');
    case 'n':
      return shownNumber(value, formats[style] ?? plain, since1904);
    // A text: inlineStr, or str where a formula made it.
    default:
      return value;
  }
}

/** The place of a column from a reference such as `AB12`, from 0. */
export function columnIn(reference: string): number | undefined {
  const letters = /^\$?([A-Z]{1,3})/i.exec(reference)?.[1]?.toUpperCase();
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

interface Range {
  readonly column: number;
  readonly from: number;
  readonly to: number;
}

/** So many merged cells and links of a sheet are looked at. */
const mostRanges = 100_000;

/** Merged cells and links stand behind the rows, so the part is looked through before. */
async function readRanges(files: PackageFiles, { part, book, ...reading }: Reading) {
  const merges: Range[] = [];
  const links = new Map<string, string>();
  let rest = '';
  for await (const piece of textOf(files, part, book)) {
    const text = rest + piece;
    for (const [, name, attributes = ''] of text.matchAll(/<(?:\w+:)?(mergeCell|hyperlink)\s([^<>]*)>/g)) {
      const ref = /\bref="([^"]*)"/.exec(attributes)?.[1] ?? '';
      const range = rangeOf(ref);
      if (!range) continue;
      if (name === 'mergeCell') {
        if (range.to > range.from && merges.length < mostRanges) merges.push(range);
        continue;
      }
      const link = reading.linkOf(/\w+:id="([^"]*)"/.exec(attributes)?.[1] ?? '');
      if (link !== undefined && links.size < mostRanges) links.set(`${range.from}:${range.column}`, link);
    }
    const open = text.lastIndexOf('<');
    rest = open === -1 || text.includes('>', open) ? '' : text.slice(open).slice(0, 10_000);
  }
  return { merges, links };
}

function rangeOf(ref: string): Range | undefined {
  const [, first = '', from = '', to] =
    /^\$?([A-Z]{1,3})\$?(\d+)(?::\$?[A-Z]{1,3}\$?(\d+))?$/i.exec(ref) ?? [];
  const column = columnIn(first);
  return column === undefined ? undefined : { column, from: Number(from), to: Number(to ?? from) };
}

/** Cells that are merged with those below them. */
class MergedCells {
  readonly #waiting: Range[];
  #open: (Range & { readonly value: string })[] = [];
  #next = 0;

  constructor(merges: readonly Range[]) {
    this.#waiting = [...merges].sort((one, other) => one.from - other.from);
  }

  /** Puts what is merged into the cells of a row. `empty`: the row says nothing of its own. */
  fill(line: number, cells: string[], empty: boolean): void {
    this.#open = this.#open.filter(({ to }) => to >= line);
    for (const { column, value } of empty ? [] : this.#open) {
      if ((cells[column] ?? '') !== '') continue;
      while (cells.length < column) cells.push('');
      cells[column] = value;
    }
    for (; (this.#waiting[this.#next]?.from ?? Infinity) <= line; this.#next++) {
      const range = this.#waiting[this.#next];
      const value = range && range.from === line ? (cells[range.column] ?? '') : '';
      if (range && value !== '' && range.to > line) this.#open.push({ ...range, value });
    }
  }
}
