import { createHash } from 'node:crypto';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { HsdsProblem, HsdsWarning } from '../item.ts';
import { repairMojibake } from '../mojibake.ts';
import { linkColumns, type LinkColumn, type TableName } from './layout.ts';
import { linksOf } from './links.ts';
import { mostRows, ownerColumns, type RelatedRows, type Row } from './related-rows.ts';

/** A longer cell is cut: no field takes as much. */
const longestCell = 100_000;

/** At most so many characters of the rows of one table are read for one id. */
const mostCharacters = 8 * 1024 * 1024;

/** Rows read at a time by `each`. */
const page = 200;

/** A file whose rows are being added. */
export interface OpenFile {
  /** The columns of the cells. Columns without a name are left out. */
  readonly columns: string[];
  /** `once`: unless an equal row is there already. */
  add(line: number, cells: readonly string[], once?: boolean): void;
}

/** The rows of a source in a temporary database, so that memory stays flat however many there are. */
export interface StagedRows extends RelatedRows {
  open(table: TableName, file: string, columns: readonly string[]): OpenFile;
  addUnknown(file: string): void;
  addProblem(item: HsdsProblem | HsdsWarning): void;
  /** What was reported while the rows were read. */
  problems(): Iterable<HsdsProblem | HsdsWarning>;
  close(): void;
}

interface MutableFile {
  readonly name: string;
  readonly table: TableName;
  rows: number;
  readonly columns: string[];
  readonly filled: Map<string, number>;
  readonly repaired: { rows: number; places: number };
  /** The places of the columns, for reading. */
  places?: ReadonlyMap<string, number>;
}

/**
 * An empty staging. SQLite deletes the file of a database without a name as soon as it has opened it, so nothing is
 * left of it after a crash. It creates the file when the pages no longer fit into its cache. Source:
 * https://sqlite.org/inmemorydb.html#temp_db
 */
export function stageRows(): StagedRows {
  const database = new DatabaseSync('', { defensive: false });
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32768');
  database.exec('CREATE TABLE problems (kind TEXT, file TEXT, line INTEGER, reason TEXT)');
  database.exec('CREATE TABLE known (digest BLOB PRIMARY KEY) WITHOUT ROWID');
  database.exec('BEGIN');

  const files: MutableFile[] = [];
  const unknownFiles: string[] = [];
  const reported = new Set<string>();
  const indexed = new Set<string>();
  const prepared = new Map<string, StatementSync>();
  let newWarnings: HsdsWarning[] = [];

  const statement = (sql: string): StatementSync => {
    const known = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, known);
    return known;
  };

  const rowFrom = (table: TableName, stored: StoredRow): Row => {
    const file = files[stored.file];
    if (!file) throw new Error(`there is no file ${stored.file}`);
    file.places ??= new Map(file.columns.map((column, at) => [column, at] as const).reverse());
    const { places } = file;
    const cells = JSON.parse(stored.cells) as string[];
    return {
      kind: 'row',
      table,
      number: stored.number,
      file: file.name,
      line: stored.line,
      cell: (column) => cells[places.get(column) ?? -1] ?? '',
    };
  };

  const isFilled = (table: TableName, column: LinkColumn): boolean =>
    files.some((file) => file.table === table && (file.filled.get(column) ?? 0) > 0);

  /** Most columns are never asked for, so each gets its index when it is. */
  const index = (table: TableName, column: LinkColumn): void => {
    const name = `${table}_${column}`;
    if (indexed.has(name)) return;
    database.exec(`CREATE INDEX ${name} ON ${table} (${column}, owner)`);
    indexed.add(name);
  };

  function read(table: TableName, column: LinkColumn, id: string, owner: number | undefined): Row[] {
    if (id === '' || !isFilled(table, column)) return [];
    index(table, column);
    const condition = owner === undefined ? `${column} = ?` : `${column} = ? AND owner = ${owner}`;
    const stored = statement(
      `SELECT rowid AS number, file, line, cells FROM ${table} WHERE ${condition} ORDER BY rowid LIMIT ${mostRows + 1}`,
    );
    const rows: Row[] = [];
    let characters = 0;
    for (const each of stored.iterate(id) as Iterable<unknown>) {
      const found = each as StoredRow;
      characters += found.cells.length;
      if (rows.length === mostRows || (characters > mostCharacters && rows.length > 0)) {
        reportTooMany(table, column, id, condition, rowFrom(table, found), rows.length);
        break;
      }
      rows.push(rowFrom(table, found));
    }
    return rows;
  }

  function reportTooMany(
    table: TableName,
    column: LinkColumn,
    id: string,
    condition: string,
    { file, line }: Row,
    kept: number,
  ): void {
    const key = `${table} ${column} ${id}`;
    if (reported.has(key)) return;
    reported.add(key);
    const found = statement(`SELECT count(*) AS rows FROM ${table} WHERE ${condition}`).get(id);
    const all = Number(found?.['rows']);
    newWarnings.push({
      kind: 'warning',
      file,
      line,
      reason: `${column} ${id.slice(0, 200)} has ${all.toLocaleString('en')} rows; only the first ${kept.toLocaleString('en')} are read`,
    });
  }

  return {
    files: files,
    unknownFiles,
    rowsOf: (table, column, id) => read(table, column, id, undefined),
    belongingTo: (table, column, id) => read(table, column, id, ownerColumns.indexOf(column)),
    rowOf(table, id) {
      if (id === '' || !isFilled(table, 'id')) return undefined;
      index(table, 'id');
      const found = statement(
        `SELECT rowid AS number, file, line, cells FROM ${table} WHERE id = ? ORDER BY rowid LIMIT 1`,
      ).get(id);
      return found && rowFrom(table, found as unknown as StoredRow);
    },
    *each(table) {
      if (!files.some((file) => file.table === table)) return;
      const next = statement(
        `SELECT rowid AS number, file, line, cells FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${page}`,
      );
      for (let after = 0; ;) {
        const rows = next.all(after) as unknown as StoredRow[];
        for (const row of rows) yield rowFrom(table, row);
        if (rows.length < page) return;
        after = rows.at(-1)?.number ?? after;
      }
    },
    links: () => linksOf(database, files, index),
    warnings() {
      const warnings = newWarnings;
      newWarnings = [];
      return warnings;
    },
    open(table, name, header) {
      if (!files.some((file) => file.table === table)) {
        const columns = linkColumns.map((column) => `${column} TEXT`).join(', ');
        database.exec(
          `CREATE TABLE ${table} (file INTEGER, line INTEGER, owner INTEGER, cells TEXT, ${columns})`,
        );
      }
      const file: MutableFile = {
        name,
        table,
        rows: 0,
        columns: [...header],
        filled: new Map(),
        repaired: { rows: 0, places: 0 },
      };
      const at = files.push(file) - 1;
      const insert = statement(
        `INSERT INTO ${table} VALUES (?, ?, ?, ?, ${linkColumns.map(() => '?').join(', ')})`,
      );
      const add = (line: number, given: readonly string[], once = false): void => {
        if (once && isKnown(table, given)) return;
        file.rows += 1;
        const whole = shortened(given, (column) => {
          newProblem({
            kind: 'warning',
            file: name,
            line,
            reason: `the ${file.columns[column] ?? ''} is longer than ${longestCell.toLocaleString('en')} characters; it was cut`,
          });
        });
        const cells = repaired(file, whole);
        const ids = new Map<string, string>();
        cells.forEach((cell, column) => {
          const called = file.columns[column] ?? '';
          if (cell === '' || called === '') return;
          file.filled.set(called, (file.filled.get(called) ?? 0) + 1);
          ids.set(called, cell);
        });
        const owner = ownerColumns.findIndex((column) => ids.has(column));
        insert.run(
          at,
          line,
          owner,
          JSON.stringify(cells),
          ...linkColumns.map((column) => ids.get(column) ?? null),
        );
      };
      return { columns: file.columns, add };
    },
    addUnknown: (file) => unknownFiles.push(file),
    addProblem: newProblem,
    *problems() {
      const next = statement(
        `SELECT rowid, kind, file, line, reason FROM problems WHERE rowid > ? ORDER BY rowid LIMIT ${page}`,
      );
      for (let after = 0; ;) {
        const rows = next.all(after) as unknown as ((HsdsProblem | HsdsWarning) & { rowid: number })[];
        for (const { kind, file, line, reason } of rows) yield { kind, file, line, reason };
        if (rows.length < page) return;
        after = rows.at(-1)?.rowid ?? after;
      }
    },
    close: () => database.close(),
  };

  function isKnown(table: TableName, cells: readonly string[]): boolean {
    // Columns may have come since.
    const filled = cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1);
    const content = JSON.stringify([table, filled]);
    const digest = createHash('sha256').update(content).digest().subarray(0, 16);
    return statement('INSERT OR IGNORE INTO known VALUES (?)').run(digest).changes === 0;
  }

  function newProblem({ kind, file, line, reason }: HsdsProblem | HsdsWarning): void {
    statement('INSERT INTO problems VALUES (?, ?, ?, ?)').run(kind, file, line, reason);
  }
}

interface StoredRow {
  readonly number: number;
  readonly file: number;
  readonly line: number;
  readonly cells: string;
}

/** The cells, of which those that are too long are cut. */
function shortened(cells: readonly string[], onCut: (column: number) => void): readonly string[] {
  if (cells.every((cell) => cell.length <= longestCell)) return cells;
  return cells.map((cell, column) => {
    if (cell.length <= longestCell) return cell;
    onCut(column);
    return cell.slice(0, longestCell);
  });
}

const ids: ReadonlySet<string> = new Set(linkColumns);

/** The cells with what was misread in them repaired. Ids stay, so that a record keeps its own. */
function repaired(file: MutableFile, cells: readonly string[]): readonly string[] {
  let places = 0;
  const better = cells.map((cell, column) => {
    if (ids.has(file.columns[column] ?? '')) return cell;
    const { text, repairs } = repairMojibake(cell);
    places += repairs;
    return text;
  });
  if (places === 0) return cells;
  file.repaired.rows += 1;
  file.repaired.places += places;
  return better;
}
