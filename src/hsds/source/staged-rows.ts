import { createHash } from 'node:crypto';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { HsdsProblem, HsdsWarning } from '../item.ts';
import { repairMojibake } from '../mojibake.ts';
import { linkColumns, type LinkColumn, type TableName } from './layout.ts';
import { lookupIn, type LookedUpFile } from './lookup.ts';
import { ownerColumns, type RelatedRows, type UnusableTable } from './related-rows.ts';

/** A longer cell is cut: no field takes as much. */
const longestCell = 100_000;

/** Problems read at a time. */
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
  addUnusable(table: UnusableTable): void;
  addProblem(item: HsdsProblem | HsdsWarning): void;
  /** What was reported while the rows were read. */
  problems(): Iterable<HsdsProblem | HsdsWarning>;
  close(): void;
}

/** A file while its rows are being added. */
class GrowingFile implements LookedUpFile {
  readonly name: string;
  readonly table: TableName;
  readonly columns: string[];
  /** Rows that have a value, by the place of the column. */
  readonly counts: number[] = [];
  readonly repaired = { rows: 0, places: 0 };
  rows = 0;

  constructor(name: string, table: TableName, columns: readonly string[]) {
    this.name = name;
    this.table = table;
    this.columns = [...columns];
  }

  get filled(): ReadonlyMap<string, number> {
    return new Map(
      this.columns.flatMap((column, at) => {
        const count = this.counts[at] ?? 0;
        return column === '' || count === 0 ? [] : [[column, count] as const];
      }),
    );
  }
}

/**
 * An empty staging. SQLite deletes the file of a database without a name as soon as it has opened it, so nothing is
 * left of it after a crash. It creates the file when the pages no longer fit into its cache. Source:
 * https://sqlite.org/inmemorydb.html#temp_db
 */
export function stageRows(): StagedRows {
  const database = new DatabaseSync('', { defensive: false });
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -16384');
  database.exec('CREATE TABLE problems (kind TEXT, file TEXT, line INTEGER, reason TEXT)');
  database.exec('CREATE TABLE known (digest BLOB PRIMARY KEY) WITHOUT ROWID');
  database.exec('BEGIN');

  const files: GrowingFile[] = [];
  const unknownFiles: string[] = [];
  const unusable: UnusableTable[] = [];
  const prepared = new Map<string, StatementSync>();

  const statement = (sql: string): StatementSync => {
    const compiled = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, compiled);
    return compiled;
  };
  const lookup = lookupIn(database, files);

  return {
    files: files,
    unknownFiles,
    unusable,
    ...lookup,
    open(table, name, columns) {
      lookup.forget();
      if (!files.some((file) => file.table === table)) {
        const ids = linkColumns.map((column) => `${column} TEXT`).join(', ');
        database.exec(
          `CREATE TABLE ${table} (file INTEGER, line INTEGER, owner INTEGER, cells TEXT, ${ids})`,
        );
      }
      const file = new GrowingFile(name, table, columns);
      const at = files.push(file) - 1;
      // The columns of JSON come with its rows.
      const linked = linkColumns.filter((column) => columns.length === 0 || columns.includes(column));
      const insert = statement(
        `INSERT INTO ${table} (${['file', 'line', 'owner', 'cells', ...linked].join(', ')})
         VALUES (${['?', '?', '?', '?', ...linked.map(() => '?')].join(', ')})`,
      );
      const add = (line: number, read: readonly string[], once = false): void => {
        if (once && isRepeated(table, read)) return;
        file.rows += 1;
        const whole = shortened(read, (column) => {
          newProblem({
            kind: 'warning',
            file: name,
            line,
            reason: `the ${file.columns[column] ?? ''} is longer than ${longestCell.toLocaleString('en')} characters; it was cut`,
          });
        });
        const cells = repaired(file, whole);
        for (const [column, cell] of cells.entries()) {
          if (cell !== '') file.counts[column] = (file.counts[column] ?? 0) + 1;
        }
        const idIn = (column: LinkColumn): string | null => cells[file.columns.indexOf(column)] || null;
        const owner = ownerColumns.findIndex((column) => idIn(column) !== null);
        insert.run(at, line, owner, JSON.stringify(cells), ...linked.map(idIn));
      };
      return { columns: file.columns, add };
    },
    addUnknown: (file) => unknownFiles.push(file),
    addUnusable: (table) => unusable.push(table),
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

  function isRepeated(table: TableName, cells: readonly string[]): boolean {
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
function repaired(file: GrowingFile, cells: readonly string[]): readonly string[] {
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
