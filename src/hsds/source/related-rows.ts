import type { HsdsWarning } from '../item.ts';
import type { LinkColumn, TableName } from './layout.ts';

/** One row of a table. */
export interface Row {
  readonly kind: 'row';
  readonly table: TableName;
  /** Its place among all rows of the table, from 1. Rows of JSON share lines. */
  readonly number: number;
  readonly file: string;
  /** The line on which the row begins; the header is line 1. */
  readonly line: number;
  /** The trimmed text of a column; empty when the table has no such column. */
  readonly cell: (column: string) => string;
  /** Its cells and a digest of the names of their columns, as one text: equal ones say the same. */
  readonly content: string;
}

/** At most so many rows of a table are read for one id. Further ones are reported. */
export const mostRows = 2_000;

/** The rows of a whole source, looked up by the ids that link them. An empty id finds nothing. */
export interface RelatedRows {
  /** The rows of a table with this id in a column, in the order of the file. At most `mostRows`. */
  rowsOf(table: TableName, column: LinkColumn, id: string): readonly Row[];
  /**
   * Those of them that belong to nothing more specific: a row that names a service belongs to it, else to the service
   * at a location, else to the location, the organization, the program, the contact, the phone that it names.
   */
  belongingTo(table: TableName, column: OwnerColumn, id: string): readonly Row[];
  /** The first row of a table with this id. */
  rowOf(table: TableName, id: string): Row | undefined;
  /** Whether two rows of a table have the same id. */
  hasRepeatedIds(table: TableName): boolean;
  /** Every row of a table, in the order of its files. */
  each(table: TableName): Iterable<Row>;
  /** The files that hold tables, with what is in them. */
  readonly files: readonly StagedFile[];
  /** Names of the files that hold no table of HSDS. */
  readonly unknownFiles: readonly string[];
  /** The tables whose rows lack a column that they need. They are none of `files`. */
  readonly unusable: readonly UnusableTable[];
  /** For each column that names a row of another table: where it leads. Reads all tables, so call it once. */
  links(): readonly StagedLink[];
  /** Warnings that came up since the last call. */
  warnings(): HsdsWarning[];
  /** Rows, without their cells, that were not read since the last call because there are too many of one id. */
  passedOver(): Iterable<Row>;
}

/** The columns that say what a row belongs to, the most specific first. */
export const ownerColumns = [
  'service_id',
  'service_at_location_id',
  'location_id',
  'organization_id',
  'program_id',
  'contact_id',
  'phone_id',
] as const satisfies readonly LinkColumn[];

export type OwnerColumn = (typeof ownerColumns)[number];

/** A table in a file. */
export interface StagedFile {
  readonly name: string;
  readonly table: TableName;
  readonly rows: number;
  /** Rows that have a value, by column. */
  readonly filled: ReadonlyMap<string, number>;
  /** Text that was read in a wrong encoding before it came here, and was repaired. */
  readonly repaired: { readonly rows: number; readonly places: number };
}

/** A table without a column that its rows need. */
export interface UnusableTable {
  readonly file: string;
  readonly table: TableName;
  readonly rows: number;
  /** Which column, in words. */
  readonly lacks: string;
}

/** What the values of a link column lead to. */
export interface StagedLink {
  readonly file: string;
  readonly column: LinkColumn;
  /** Rows with a value in this column. */
  readonly rows: number;
  /** Those whose value is the id of no row, though the source has the table that it names. */
  readonly dangling: number;
  /** The first of these. */
  readonly firstLine: number | undefined;
  readonly firstId: string | undefined;
}

/** A service whose rows are looked up, with one of its locations. */
export interface Place {
  readonly service: string;
  readonly organization: string;
  readonly location: string;
  readonly serviceAtLocation: string;
}

/**
 * The rows that apply to a service at a location: the service's own (those for this location before those for another
 * one), else the location's, else the organization's. Rows that are not `usable` count as absent.
 */
export function nearestRows(
  related: RelatedRows,
  table: TableName,
  place: Place,
  usable: (row: Row) => boolean = () => true,
): readonly Row[] {
  const own = related.belongingTo(table, 'service_id', place.service).filter(usable);
  if (own.length > 0) {
    const here = own.filter((row) => isHere(row, place));
    return here.length > 0 ? here : own;
  }
  const others = [
    ['service_at_location_id', place.serviceAtLocation],
    ['location_id', place.location],
    ['organization_id', place.organization],
  ] as const;
  for (const [column, id] of others) {
    const rows = related.belongingTo(table, column, id).filter(usable);
    if (rows.length > 0) return rows;
  }
  return [];
}

const isHere = (row: Row, place: Place): boolean =>
  ['', place.serviceAtLocation].includes(row.cell('service_at_location_id')) &&
  ['', place.location].includes(row.cell('location_id'));
