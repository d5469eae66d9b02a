import { createHash } from 'node:crypto';
import type { NotCarried } from '../accounting.ts';
import type { TableName } from '../source/layout.ts';
import type { OpenFile, StagedRows } from '../source/staged-rows.ts';
import { quoted } from '../text.ts';
import type { SheetRow } from '../workbook/rows.ts';
import type { Header } from './header.ts';
import type { targetsOf } from './mapping.ts';
import { ownCells, type ownColumnsIn } from './own-export.ts';
import { RowValues } from './row-values.ts';
import { keyOf, tableRows, type TableRow } from './table-rows.ts';

/** Adds the rows of a sheet to the tables of HSDS. */
export class SheetRows {
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
    const written = values.text('id');
    if (written !== '') return written;
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
