import { hsdsColumns, sameColumns, type ColumnUse } from './columns.ts';
import { RowSet } from './row-set.ts';
import { layouts, type TableName } from './source/layout.ts';
import type { RelatedRows, Row, StagedFile } from './source/related-rows.ts';

/** Rows of a file that are not carried into any record: the values in one column, or whole rows. */
export interface NotCarried {
  readonly file: string;
  /** The table of HSDS. A file of JSON holds several. Absent where HSDS has none. */
  readonly table?: string;
  /** Absent where whole rows are not carried. */
  readonly column?: string;
  readonly rows: number;
  readonly why: string;
}

/** Links that a source leaves out, and that only one answer was possible for. */
export interface RepairedLinks {
  readonly file: string;
  readonly table: string;
  readonly column: string;
  readonly rows: number;
  readonly how: string;
}

/** What of a source was not carried into its records, and what was repaired. */
export interface SourceSummary {
  readonly not_carried: readonly NotCarried[];
  readonly repaired_links: readonly RepairedLinks[];
  /** Text that had been read in a wrong encoding ("donâ€™t"), by file. */
  readonly repaired_text: readonly RepairedText[];
  /** Rows that name a row of another table that is not there. */
  readonly broken_links: readonly BrokenLinks[];
}

export interface RepairedText {
  readonly file: string;
  readonly table: string;
  readonly rows: number;
  readonly places: number;
}

export interface BrokenLinks {
  readonly file: string;
  readonly column: string;
  readonly rows: number;
  readonly first_line: number;
}

/** Why a row of a table may have been read for no record. Elsewhere it belongs to no service. */
const unread: Partial<Record<TableName, string>> = {
  services: 'see the problems',
  organizations: 'they have no id or no name, or an id that is there already',
  programs: 'no service belongs to it',
  locations: 'no service is offered there',
  servicesAtLocations: 'they name no service, or no location',
  phones: 'they belong to no service, or to an organization or a location whose services have their own',
  contacts: 'they belong to no service, or to an organization whose services have their own',
  addresses: 'no service is offered there',
  physicalAddresses: 'no service is offered there',
  postalAddresses: 'no service is offered there',
  schedules: 'they belong to no service, or to a location whose services have their own',
  languages: 'they belong to no service, or to a location whose services have their own',
  attributes: 'they belong to no service',
  metadata: 'they tell no change of a service',
};
const nameOf = (table: TableName): string => layouts[table].names[0];

const noService = 'they belong to no service';
const tooMany = 'there are too many of one id; see the warnings';

/** Terms and units that no row names are nothing lost. Tables that are not read are counted by their columns alone. */
const isRead = (table: TableName): boolean =>
  table === 'servicesAtLocations' ||
  (table !== 'terms' && table !== 'units' && Object.values(hsdsColumns[table]).some((use) => 'to' in use));

/** Reports that are remembered, so that what services share is reported once. */
const mostRemembered = 20_000;

/** Keeps, while the records of one source are made, what is carried into them and what is not. */
export class Accounting {
  readonly #read = new RowSet();
  /** Rows that belong to a service and are in no record, because it has too many. */
  readonly #passedOver = new RowSet();
  readonly #reported = new Set<string>();
  readonly #left = new Map<string, RowSet>();
  readonly #repaired = new Map<string, RowSet>();
  #reports = 0;

  /** How often something was reported of a row so far, also what had been reported before. */
  get reports(): number {
    return this.#reports;
  }

  hasRead(row: Row): boolean {
    return this.#read.has(row);
  }

  /** Whether something about a row is not reported yet. */
  isNew({ file, line }: Pick<Row, 'file' | 'line'>, reason: string): boolean {
    this.#reports += 1;
    const report = `${file}\0${line}\0${reason}`;
    if (this.#reported.has(report)) return false;
    if (this.#reported.size >= mostRemembered) this.#reported.clear();
    this.#reported.add(report);
    return true;
  }

  /** These rows are carried into a record: what their columns hold, as `columns.ts` says. */
  read(...rows: readonly (Row | undefined)[]): void {
    for (const row of rows) {
      if (!row) continue;
      this.#add(row);
      for (const [kept, other] of sameColumns[row.table]) {
        const [counts, besides] = [row.cell(kept), row.cell(other)];
        if (counts !== '' && besides !== '' && counts !== besides) this.leave(row, other, `${kept} counts`);
      }
    }
  }

  /** The value in this column is not carried; without a column, the row. A row counts once, in whatever records. */
  leave(row: Row, column: string | undefined, why: string): void {
    this.#reports += 1;
    this.#add(row);
    setOf(this.#left, `${column ?? ''}\0${why}`).add(row);
  }

  /** The row was not looked at, because there are too many of its id. It may still be read by another id. */
  passOver(row: Row): void {
    if (!this.#read.has(row)) this.#passedOver.add(row);
  }

  /** The link in this column was left out in the source. */
  repair(row: Row, column: string, how: string): void {
    this.#reports += 1;
    setOf(this.#repaired, `${column}\0${how}`).add(row);
  }

  /** Call it when all records are made. */
  summary(related: Pick<RelatedRows, 'files' | 'unknownFiles' | 'unusable' | 'links'>): SourceSummary {
    return {
      not_carried: [
        ...related.files.flatMap((file) => [
          ...this.#unread(file),
          ...this.#leftIn(file),
          ...columnsOf(file),
        ]),
        ...related.unusable
          .filter(({ rows }) => rows > 0)
          .map(({ file, table, rows, lacks }) => ({ file, table: nameOf(table), rows, why: lacks })),
        ...related.unknownFiles.map((file) => ({ file, rows: 0, why: 'HSDS has no such table' })),
      ],
      repaired_links: [...this.#repaired].flatMap(([key, rows]) => {
        const [column = '', how = ''] = key.split('\0');
        return rows
          .sizes()
          .map(({ table, file, rows: count }) => ({ file, table: nameOf(table), column, rows: count, how }));
      }),
      repaired_text: related.files
        .filter(({ repaired }) => repaired.rows > 0)
        .map(({ name, table, repaired }) => ({ file: name, table: nameOf(table), ...repaired })),
      broken_links: related
        .links()
        .flatMap(({ file, column, dangling, firstLine }) =>
          firstLine === undefined ? [] : [{ file, column, rows: dangling, first_line: firstLine }],
        ),
    };
  }

  #add(row: Row): void {
    this.#read.add(row);
    this.#passedOver.delete(row);
  }

  #unread({ name, table, rows }: StagedFile): NotCarried[] {
    if (!isRead(table)) return [];
    const passedOver = this.#passedOver.sizeOf(table, name);
    const without = rows - passedOver - this.#read.sizeOf(table, name);
    return [
      { rows: without, why: unread[table] ?? noService },
      { rows: passedOver, why: tooMany },
    ]
      .filter((entry) => entry.rows > 0)
      .map((entry) => ({ file: name, table: nameOf(table), ...entry }));
  }

  #leftIn({ name, table }: StagedFile): NotCarried[] {
    return [...this.#left].flatMap(([key, set]) => {
      const [column = '', why = ''] = key.split('\0');
      const rows = set.sizeOf(table, name);
      return rows === 0
        ? []
        : [{ file: name, table: nameOf(table), ...(column === '' ? {} : { column }), rows, why }];
    });
  }
}

/** A table of which nothing is carried counts as a whole. */
function columnsOf({ name, table, rows, filled }: StagedFile): NotCarried[] {
  const columns: Readonly<Record<string, ColumnUse>> = hsdsColumns[table];
  const reasons = new Set(Object.values(columns).flatMap((use) => ('not' in use ? [use.not] : [])));
  const [why] = reasons;
  const whole = !isRead(table) && table !== 'terms' && table !== 'units' && why !== undefined;
  return [
    ...(whole && rows > 0 ? [{ file: name, table: nameOf(table), rows, why }] : []),
    ...[...filled].flatMap(([column, count]) => {
      const use = Object.hasOwn(columns, column) ? columns[column] : undefined;
      if (count === 0 || (use && (whole || !('not' in use)))) return [];
      return [
        { file: name, table: nameOf(table), column, rows: count, why: use?.not ?? 'HSDS has no such column' },
      ];
    }),
  ];
}

function setOf(sets: Map<string, RowSet>, key: string): RowSet {
  const set = sets.get(key) ?? new RowSet();
  sets.set(key, set);
  return set;
}
