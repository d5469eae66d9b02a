import { hash } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { HsdsWarning } from '../item.ts';
import type { LinkColumn, TableName } from './layout.ts';
import { linksOf } from './links.ts';
import { mostRows, ownerColumns, type RelatedRows, type Row, type StagedFile } from './related-rows.ts';

/** At most so many characters of the rows of one table are read for one id. */
const mostCharacters = 8 * 1024 * 1024;

/** Most ids have fewer rows than this. They are read at once, which is quicker than one by one. */
const fewRows = 32;

/** Rows read at a time by `each`. */
const page = 200;

/** A file with the columns of its stored cells. */
export interface LookedUpFile extends StagedFile {
  readonly columns: readonly string[];
}

/** The part of `RelatedRows` that reads what is staged. */
export interface Lookup extends Omit<RelatedRows, 'files' | 'unknownFiles' | 'unusable'> {
  /** Called when rows are added. */
  forget(): void;
}

/** How rows are found by a column. */
interface Query {
  /** What was found last: the mapping of a record asks for some rows several times. */
  last?: { readonly id: string; readonly rows: readonly Row[] };
  readonly few: StatementSync;
  readonly all: StatementSync;
  readonly count: StatementSync;
  /** Those beyond a number, without their cells. */
  readonly further: StatementSync;
}

/** Rows of one id beyond the first ones. */
interface PassedOver {
  readonly table: TableName;
  readonly id: string;
  readonly kept: number;
  readonly further: StatementSync;
}

/** As an array: a look-up takes 1.8 µs, and took 2.6 with objects. */
type StoredRow = readonly [number: number, file: number, line: number, cells: string];

const stored = 'rowid, file, line, cells';

export function lookupIn(database: DatabaseSync, files: readonly LookedUpFile[]): Lookup {
  const places: ReadonlyMap<string, number>[] = [];
  /** By the place of the owner, by table and column. Undefined where no row has a value. */
  const queries: Map<TableName, Map<LinkColumn, Query | undefined>>[] = [];
  const pages = new Map<TableName, StatementSync>();
  const indexed = new Set<string>();
  const repeated = new Map<TableName, boolean>();
  const reported = new Set<string>();
  let newWarnings: HsdsWarning[] = [];
  let newPassedOver: PassedOver[] = [];

  const placesOf = (file: number): ReadonlyMap<string, number> =>
    (places[file] ??= new Map(
      (files[file]?.columns ?? []).map((column, at) => [column, at] as const).reverse(),
    ));

  const columns: string[] = [];
  const columnsOf = (file: number): string =>
    (columns[file] ??= hash('sha256', JSON.stringify(files[file]?.columns ?? []), 'base64url').slice(0, 22));

  /** Its cells are parsed when the first one is asked for. */
  const rowFrom = (table: TableName, [number, file, line, json]: StoredRow): Row => {
    let cells: readonly string[] | undefined;
    return {
      kind: 'row',
      table,
      number,
      file: files[file]?.name ?? '',
      line,
      cell(column) {
        cells ??= JSON.parse(json) as string[];
        return cells[placesOf(file).get(column) ?? -1] ?? '';
      },
      get content() {
        return json + columnsOf(file);
      },
    };
  };

  const asArrays = (sql: string): StatementSync => {
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  };

  const isFilled = (table: TableName, column: LinkColumn): boolean =>
    files.some((file) => file.table === table && (file.filled.get(column) ?? 0) > 0);

  /**
   * Most columns are never asked for, so each gets its index when it is. Its entries of one id are in the order of the
   * rows, so that nothing has to be sorted.
   */
  const index = (table: TableName, columns: string): void => {
    const name = `${table}_${columns.replace(', ', '_')}`;
    if (indexed.has(name)) return;
    database.exec(`CREATE INDEX ${name} ON ${table} (${columns})`);
    indexed.add(name);
  };

  function queryOf(table: TableName, column: LinkColumn, owner: number): Query | undefined {
    const ofOwner = (queries[owner + 1] ??= new Map());
    let ofTable = ofOwner.get(table);
    if (!ofTable) ofOwner.set(table, (ofTable = new Map<LinkColumn, Query | undefined>()));
    const cached = ofTable.get(column);
    if (cached || ofTable.has(column)) return cached;
    const query = isFilled(table, column) ? makeQuery(table, column, owner) : undefined;
    ofTable.set(column, query);
    return query;
  }

  function makeQuery(table: TableName, column: LinkColumn, owner: number): Query {
    index(table, owner < 0 ? column : `${column}, owner`);
    const condition = `${column} = ?${owner < 0 ? '' : ` AND owner = ${owner}`}`;
    const rows = `SELECT ${stored} FROM ${table} WHERE ${condition} ORDER BY rowid`;
    return {
      few: asArrays(`${rows} LIMIT ${fewRows}`),
      all: asArrays(`${rows} LIMIT ${mostRows + 1}`),
      count: database.prepare(`SELECT count(*) AS rows FROM ${table} WHERE ${condition}`),
      further: asArrays(
        `SELECT rowid, file, line, '[]' FROM ${table} WHERE ${condition}
         ORDER BY rowid LIMIT -1 OFFSET ?`,
      ),
    };
  }

  /** `owner`: the place of the column among those of owners; less than 0 for any rows. */
  function read(table: TableName, column: LinkColumn, id: string, owner: number): readonly Row[] {
    if (id === '') return [];
    const query = queryOf(table, column, owner);
    if (!query) return [];
    if (query.last?.id === id) return query.last.rows;
    const few = query.few.all(id) as unknown as readonly StoredRow[];
    const rows =
      few.length < fewRows ? few.map((row) => rowFrom(table, row)) : readMany(table, column, id, query);
    query.last = { id, rows };
    return rows;
  }

  function readMany(table: TableName, column: LinkColumn, id: string, query: Query): Row[] {
    const rows: Row[] = [];
    let characters = 0;
    for (const each of query.all.iterate(id) as Iterable<unknown>) {
      const found = each as StoredRow;
      characters += found[3].length;
      if (rows.length === mostRows || (characters > mostCharacters && rows.length > 0)) {
        reportTooMany(query, column, id, { next: rowFrom(table, found), kept: rows.length });
        break;
      }
      rows.push(rowFrom(table, found));
    }
    return rows;
  }

  function reportTooMany(
    { count, further }: Query,
    column: LinkColumn,
    id: string,
    { next: { table, file, line }, kept }: { readonly next: Row; readonly kept: number },
  ): void {
    const key = `${table} ${column} ${id}`;
    if (reported.has(key)) return;
    reported.add(key);
    const rows = Number(count.get(id)?.['rows']).toLocaleString('en');
    const reason = `${column} ${id.slice(0, 200)} has ${rows} rows; only the first ${kept.toLocaleString('en')} are read`;
    newWarnings.push({ kind: 'warning', file, line, reason });
    newPassedOver.push({ table, id, kept, further });
  }

  return {
    rowsOf: (table, column, id) => read(table, column, id, -1),
    belongingTo: (table, column, id) => read(table, column, id, ownerColumns.indexOf(column)),
    rowOf: (table, id) => read(table, 'id', id, -1)[0],
    hasRepeatedIds(table) {
      const cached = repeated.get(table);
      if (cached !== undefined) return cached;
      if (!isFilled(table, 'id')) return false;
      index(table, 'id');
      const found = database
        .prepare(`SELECT 1 FROM ${table} WHERE id IS NOT NULL GROUP BY id HAVING count(*) > 1 LIMIT 1`)
        .get();
      repeated.set(table, found !== undefined);
      return found !== undefined;
    },
    *each(table) {
      if (!files.some((file) => file.table === table)) return;
      const next =
        pages.get(table) ??
        asArrays(`SELECT ${stored} FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${page}`);
      pages.set(table, next);
      for (let after = 0; ;) {
        const rows = next.all(after) as unknown as readonly StoredRow[];
        for (const row of rows) yield rowFrom(table, row);
        if (rows.length < page) return;
        after = rows.at(-1)?.[0] ?? after;
      }
    },
    links: () => linksOf(database, files, index),
    warnings() {
      const warnings = newWarnings;
      newWarnings = [];
      return warnings;
    },
    *passedOver() {
      const passedOver = newPassedOver;
      newPassedOver = [];
      for (const { table, id, kept, further } of passedOver)
        for (const row of further.iterate(id, kept) as Iterable<unknown>)
          yield rowFrom(table, row as StoredRow);
    },
    forget() {
      places.length = 0;
      columns.length = 0;
      repeated.clear();
      queries.length = 0;
    },
  };
}
