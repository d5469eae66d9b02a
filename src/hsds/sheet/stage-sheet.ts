import { DatapackageError } from '../errors.ts';
import type { NotCarried } from '../accounting.ts';
import type { StagedRows } from '../source/staged-rows.ts';
import { quoted } from '../text.ts';
import { coveredBy } from './covered.ts';
import { guessMapping } from './guess-mapping.ts';
import { findHeader, mostRowsAbove, type Header } from './header.ts';
import { changed, targetsOf, type Mapping } from './mapping.ts';
import { ownColumnsIn } from './own-export.ts';
import { cellText } from './row-values.ts';
import type { SheetName, SheetRow, Sheets } from '../workbook/rows.ts';
import { SheetRows } from './sheet-rows.ts';

// Over 300 lines: one pass over a sheet, whose steps share what its header says.

/** How a sheet is to be read. */
export interface SheetChoice {
  /** The name of the sheet. Absent: the visible one with the most columns that say something known. */
  readonly sheet?: string | undefined;
  /** What columns say. What it does not name is guessed. */
  readonly columns?: Mapping['columns'] | undefined;
  /** So many services are read, to show them. Absent: all. */
  readonly most?: number | undefined;
}

/** A sheet as it is read. */
export interface SheetReading {
  readonly kind: Sheets['kind'];
  readonly sheets: readonly SheetName[];
  /** The one that is read. Empty: a CSV file. */
  readonly sheet: string;
  /** The names of its columns. */
  readonly header: readonly string[];
  readonly mapping: Mapping;
  /** What each column holds, for example. */
  readonly examples: readonly (readonly string[])[];
  /** An export of this directory: its rows are the records themselves. */
  readonly own: boolean;
  /** The fields of records of which its columns say something. */
  readonly covered: readonly string[];
  /** Columns that no place was chosen for. */
  readonly notCarried: readonly NotCarried[];
}

/** Rows that are looked at before the columns are guessed. */
const sampled = 200;
/** Of a workbook, so many sheets are looked into. */
const mostLookedAt = 20;

/** Reads a sheet into the tables of HSDS. Throws `DatapackageError`. */
export async function stageSheet(
  staged: StagedRows,
  sheets: Sheets,
  choice: SheetChoice = {},
): Promise<SheetReading> {
  const chosen = await chooseSheet(sheets, choice.sheet);
  const file = chosen.sheet === '' ? sheets.file : `${sheets.file}: ${chosen.sheet}`;
  const { header, first, rest } = chosen;
  const mapping = changed(chosen.guessed, header.columns, choice.columns ?? {});
  const targets = targetsOf(mapping, header.columns);
  const own = ownColumnsIn(header.columns);
  const rows = new SheetRows(staged, file, header, targets, own);
  const most = choice.most ?? Infinity;
  try {
    for (const row of first) if (rows.services < most) rows.add(row);
    while (rows.services < most) {
      const next = await rest.next();
      if (next.done === true) break;
      for (const row of next.value) if (rows.services < most) rows.add(row);
    }
  } finally {
    await rest.return(undefined);
  }
  const say = (line: number, reason: string): void =>
    staged.addProblem({ kind: 'warning', file, line, reason });
  for (const note of sheets.notes) say(1, note);
  for (const { line, reason } of sheets.notesOf(chosen.sheet)) say(line, reason);
  for (const { name, hidden } of sheets.sheets)
    if (name !== chosen.sheet)
      say(1, `the ${hidden ? 'hidden ' : ''}sheet ${quoted(name)} is not read; it can be chosen instead`);
  return {
    kind: sheets.kind,
    sheets: sheets.sheets,
    sheet: chosen.sheet,
    header: header.columns,
    mapping,
    examples: header.columns.map((_, at) => examplesIn(first.map(({ cells }) => cells[at] ?? ''))),
    own: own !== undefined,
    covered: coveredBy(targets, rows.hasHeadings),
    notCarried: rows.notCarried(),
  };
}

/** The first different texts of a column, cut where they are long. */
const examplesIn = (cells: readonly string[]): string[] =>
  [...new Set(cells.filter((cell) => cell !== ''))]
    .slice(0, 2)
    .map((cell) => (cell.length > 60 ? `${cell.slice(0, 60).trimEnd()}…` : cell).replace(/\s+/g, ' '));

interface ChosenSheet {
  readonly sheet: string;
  readonly header: Header;
  readonly guessed: Mapping;
  /** The rows below the header that were looked at. */
  readonly first: readonly SheetRow[];
  readonly rest: AsyncGenerator<readonly SheetRow[]>;
}

async function chooseSheet(sheets: Sheets, wanted: string | undefined): Promise<ChosenSheet> {
  if (wanted !== undefined && wanted !== '') {
    const named =
      sheets.sheets.find(({ name }) => name === wanted) ??
      sheets.sheets.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
    if (!named)
      throw new DatapackageError(
        'no_services',
        `${sheets.file} has no sheet ${quoted(wanted)}. It has: ${sheets.sheets.map(({ name }) => name).join(', ')}.`,
      );
    return lookInto(sheets, named.name);
  }
  const visible = sheets.sheets.filter(({ hidden }) => !hidden);
  if (visible.length === 0)
    throw new DatapackageError(
      'no_services',
      `All sheets of ${sheets.file} are hidden: ${sheets.sheets.map(({ name }) => name).join(', ')}. Choose one by its name.`,
    );
  let best: { readonly chosen: ChosenSheet; readonly score: number } | undefined;
  for (const { name } of visible.slice(0, mostLookedAt)) {
    const chosen = await lookInto(sheets, name);
    const targets = Object.values(chosen.guessed.columns).filter((target) => target !== null);
    const score = chosen.first.length === 0 ? -1 : targets.length + (targets.includes('name') ? 5 : 0);
    if (best === undefined || score > best.score) {
      await best?.chosen.rest.return(undefined);
      best = { chosen, score };
    } else await chosen.rest.return(undefined);
  }
  if (!best || best.score < 0)
    throw new DatapackageError('no_services', `${sheets.file} holds no rows below the names of its columns.`);
  return best.chosen;
}

async function lookInto(sheets: Sheets, sheet: string): Promise<ChosenSheet> {
  const rest = sheets.rows(sheet);
  const rows: SheetRow[] = [];
  while (rows.length < mostRowsAbove + sampled) {
    const next = await rest.next();
    if (next.done === true) break;
    rows.push(...next.value);
  }
  const header = findHeader(rows.slice(0, mostRowsAbove + sampled));
  const first = rows.filter(({ line }) => line > header.line);
  const cells = first
    .slice(0, sampled)
    .map((row) =>
      row.cells.map((cell, at) => row.links?.get(at)?.replace(/^mailto:/i, '') ?? cellText(cell)),
    );
  return { sheet, header, guessed: guessMapping(header.columns, cells, sheet), first, rest };
}
