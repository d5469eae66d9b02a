import { createHash } from 'node:crypto';
import { DatapackageError } from '../errors.ts';
import type { NotCarried } from '../accounting.ts';
import type { TableName } from '../source/layout.ts';
import type { OpenFile, StagedRows } from '../source/staged-rows.ts';
import { quoted } from '../text.ts';
import { coveredBy } from './covered.ts';
import { guessMapping } from './guess-mapping.ts';
import { findHeader, mostRowsAbove, type Header } from './header.ts';
import { changed, targetsOf, type Mapping } from './mapping.ts';
import { ownCells, ownColumnsIn } from './own-export.ts';
import { cellText, RowValues } from './row-values.ts';
import type { SheetName, SheetRow, Sheets } from '../workbook/rows.ts';
import { keyOf, tableRows, type TableRow } from './table-rows.ts';

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
    const told = Object.values(chosen.guessed.columns).filter((target) => target !== null);
    const score = chosen.first.length === 0 ? -1 : told.length + (told.includes('name') ? 5 : 0);
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

/** Adds the rows of a sheet to the tables of HSDS. */
class SheetRows {
  readonly #staged: StagedRows;
  readonly #file: string;
  readonly #header: Header;
  readonly #targets: ReturnType<typeof targetsOf>;
  readonly #own: ReturnType<typeof ownColumnsIn>;
  readonly #open = new Map<TableName, { readonly rows: OpenFile; readonly places: Map<string, number> }>();
  /** Where a service without an id was first, and a digest of its row. */
  readonly #seen = new Map<string, { readonly line: number; readonly digest: string; count: number }>();
  readonly #shared = new Set<string>();
  readonly #left: number[];
  #heading = '';
  services = 0;

  constructor(
    staged: StagedRows,
    file: string,
    header: Header,
    targets: ReturnType<typeof targetsOf>,
    own: ReturnType<typeof ownColumnsIn>,
  ) {
    this.#staged = staged;
    this.#file = file;
    this.#header = header;
    this.#targets = targets;
    this.#own = own;
    this.#left = header.columns.map(() => 0);
  }

  add(row: SheetRow): void {
    const { columns } = this.#header;
    if (row.cells.every((cell, at) => cell === '' || cell === columns[at])) return;
    const values = new RowValues(row, columns, this.#targets);
    if (this.#isHeading(row)) return;
    this.#count(row);
    const own = this.#own?.(row.cells);
    const name = values.text('name') || values.text('organization');
    if (name === '' && own === undefined) {
      this.#say('problem', row.line, 'has no name; it is left out');
      return;
    }
    const id = own ? own.svc_id : this.#idOf(row, values, name);
    if (id === undefined) return;
    this.services++;
    for (const each of tableRows(id, values)) this.#put(row.line, each, own?.cells);
    if (this.#heading !== '' && values.all('category').length === 0) this.#putHeading(row.line, id);
  }

  get hasHeadings(): boolean {
    return this.#heading !== '';
  }

  notCarried(): NotCarried[] {
    return this.#left.flatMap((rows, at) =>
      rows === 0 || this.#targets[at] !== undefined || this.#own
        ? []
        : [
            {
              file: this.#file,
              column: this.#header.columns[at] ?? '',
              rows,
              why: 'no place was chosen for it',
            },
          ],
    );
  }

  /** A row with one text alone is a heading: what follows belongs to it. */
  #isHeading({ line, cells }: SheetRow): boolean {
    const filled = cells.flatMap((cell, at) => (cell === '' ? [] : [{ cell, target: this.#targets[at] }]));
    const chosen = this.#targets.filter((target) => target !== undefined).length;
    const [first] = filled;
    if (this.#own || filled.length !== 1 || chosen < 3 || !first) return false;
    const { cell: only, target } = first;
    if (only.length > 80 || /@|\d.*\d.*\d.*\d.*\d/.test(only)) return false;
    if (target !== undefined && !['name', 'organization', 'category', 'id'].includes(target)) return false;
    this.#heading = only;
    this.#say('warning', line, `holds ${quoted(only)} alone; taken as the heading of the rows below it`);
    return true;
  }

  #putHeading(line: number, id: string): void {
    const taxonomy_id = keyOf('term', this.#heading);
    this.#put(line, { table: 'terms', cells: { id: taxonomy_id, name: this.#heading } });
    this.#put(line, {
      table: 'servicesTaxonomy',
      cells: { id: `${id}-heading`, service_id: id, taxonomy_id },
    });
  }

  #count({ cells }: SheetRow): void {
    for (const [at, cell] of cells.entries()) if (cell !== '') this.#left[at] = (this.#left[at] ?? 0) + 1;
  }

  /** The id in the sheet, else one that is the same as long as name, organization and address are. */
  #idOf({ line, cells }: SheetRow, values: RowValues, name: string): string | undefined {
    const given = values.text('id');
    if (given !== '') return given;
    const where = (['address', 'city', 'postal_code', 'location_name'] as const).map((each) =>
      values.text(each),
    );
    const id = keyOf('row', name, values.text('organization'), ...where);
    const digest = createHash('sha256').update(JSON.stringify(cells)).digest('base64').slice(0, 12);
    const before = this.#seen.get(id);
    if (!before) {
      this.#seen.set(id, { line, digest, count: 1 });
      return id;
    }
    if (before.digest === digest) {
      this.#say('problem', line, `is the same as row ${before.line}; it is left out`);
      return undefined;
    }
    before.count++;
    this.#say(
      'warning',
      line,
      `has the name, organization and address of row ${before.line}; taken as another service. Numbers of their own would tell them apart for ever`,
    );
    return `${id}-${before.count}`;
  }

  #put(line: number, { table, cells }: TableRow, own?: string): void {
    // Services share organizations and terms. The first row counts.
    if (table === 'organizations' || table === 'terms') {
      if (this.#shared.has(cells['id'] ?? '')) return;
      this.#shared.add(cells['id'] ?? '');
    }
    const open = this.#open.get(table) ?? {
      rows: this.#staged.open(table, this.#file, []),
      places: new Map<string, number>(),
    };
    this.#open.set(table, open);
    const row = own !== undefined && table === 'services' ? { ...cells, [ownCells]: own } : cells;
    for (const column of Object.keys(row)) {
      if (open.places.has(column)) continue;
      open.places.set(column, open.rows.columns.push(column) - 1);
    }
    open.rows.add(
      line,
      open.rows.columns.map((column) => row[column] ?? ''),
    );
  }

  #say(kind: 'problem' | 'warning', line: number, reason: string): void {
    this.#staged.addProblem({ kind, file: this.#file, line, reason });
  }
}
