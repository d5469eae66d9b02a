import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { quoted } from '../src/stores/sqlite.ts';
import { temporaryFolder } from '../test/support/folder.ts';

/** A table of a read model with all its rows, as a rebuild leaves it. */
interface Finished {
  readonly creates: readonly string[];
  readonly indexes: readonly string[];
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SQLInputValue[])[];
  /** Its index of terms, and the terms of each row. Undefined without one. */
  readonly terms: { readonly table: string; readonly ofRows: readonly string[] } | undefined;
}

/** Rows in one commit. */
const rowsACommit = 5_000;

/**
 * Writes what a rebuild ends with, and does nothing else: no event is read, nothing is folded, each row is written once in
 * the order of its key, terms with it, indexes afterwards. No rebuild that ends with these tables can be faster.
 * Returns the work; what it writes is in memory before it begins.
 */
export function writingFinishedRows(views: string, isCounted: (name: string) => boolean): () => void {
  const finished = finishedTables(views, isCounted);
  return () => {
    const folder = temporaryFolder();
    const db = new DatabaseSync(join(folder.path, 'views.db'));
    // As views.db is opened for a load (src/stores/documents/embedded/documents.ts).
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    db.exec('PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 32768');
    for (const each of finished) write(db, each);
    db.exec('PRAGMA wal_checkpoint(PASSIVE)');
    db.close();
    folder.remove();
  };
}

function write(db: DatabaseSync, { creates, indexes, table, columns, rows, terms }: Finished): void {
  for (const sql of creates) db.exec(sql);
  if (terms) db.exec(`INSERT INTO ${terms.table} (${terms.table}, rank) VALUES ('automerge', 16)`);
  const marks = columns.map(() => '?').join(', ');
  const put = db.prepare(`INSERT INTO ${table} (${columns.map(quoted).join(', ')}) VALUES (${marks})`);
  const index = terms && db.prepare(`INSERT INTO ${terms.table} (rowid, terms) VALUES (?, ?)`);
  const key = columns.indexOf('_key');
  for (let from = 0; from < rows.length; from += rowsACommit) {
    db.exec('BEGIN IMMEDIATE');
    for (const [at, row] of rows.slice(from, from + rowsACommit).entries()) {
      put.run(...row);
      index?.run(row[key] ?? null, terms?.ofRows[from + at] ?? '');
    }
    db.exec('COMMIT');
  }
  for (const sql of indexes) db.exec(sql);
}

function finishedTables(views: string, isCounted: (name: string) => boolean): Finished[] {
  const db = new DatabaseSync(views, { readOnly: true });
  const serving = db.prepare('SELECT name, generation FROM generations WHERE serving = 1').all();
  const finished = serving
    .filter(({ name }) => isCounted((name as string).replace(/-v\d+$/, '')))
    .map(({ name, generation }) => finishedTable(db, `${String(name)}.${String(generation)}`));
  db.close();
  return finished.filter(({ rows }) => rows.length > 0);
}

function finishedTable(db: DatabaseSync, plain: string): Finished {
  const made = db
    .prepare('SELECT type, sql FROM sqlite_schema WHERE (tbl_name = ? OR name = ?) AND sql IS NOT NULL')
    .all(plain, `${plain}.terms`);
  const sqlOf = (type: string) => made.filter((each) => each['type'] === type).map(({ sql }) => String(sql));
  const table = quoted(plain);
  const rows = db.prepare(`SELECT * FROM ${table} ORDER BY _key`).all() as Record<string, SQLInputValue>[];
  const columns = Object.keys(rows[0] ?? {});
  const hasTerms = made.some(({ sql }) => String(sql).includes('fts5'));
  return {
    creates: sqlOf('table'),
    indexes: sqlOf('index'),
    table,
    columns,
    rows: rows.map((row) => columns.map((column) => row[column] ?? null)),
    terms: hasTerms
      ? {
          table: quoted(`${plain}.terms`),
          ofRows: rows.map(({ _body }) => (JSON.parse(_body as string) as { terms?: string }).terms ?? ''),
        }
      : undefined,
  };
}
