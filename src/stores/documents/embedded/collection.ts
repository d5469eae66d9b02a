import type { DatabaseSync } from 'node:sqlite';
import { Statements, storeError } from '../../sqlite.ts';
import type {
  Collection,
  CollectionSpec,
  CountQuery,
  PageQuery,
  Scalar,
  VocabularyQuery,
  WordLengths,
} from '../port.ts';
import type { ReaderClient } from './reader-client.ts';
import type { GenerationRow } from './schema.ts';
import { countSql, pageSql, table, type Table } from './table.ts';
import { vocabularySql, wordCountSql } from './term-index.ts';
import { documentOf } from './writer.ts';

/** The most cached documents per collection. The cache is cleared with every change. */
const cachedDocuments = 10_000;

/** Returns the serving generation, read again whenever another connection has committed. */
export interface Serving {
  of(name: string): GenerationRow | undefined;
  /** Reads again with the next call, whatever was read before. */
  expire(): void;
}

type Rows = (Scalar | null)[][];
interface Sql {
  readonly sql: string;
  readonly values: readonly Scalar[];
}

/**
 * What SQLite says of a table that was dropped: before the statement is prepared, or, of an index of terms, while it is
 * being opened.
 */
const saysDropped = /no such table|vtable constructor failed/;

/** Reads from the serving generation, searches on the reader thread. A collection without a generation is empty. */
export class EmbeddedCollection<Doc extends object> implements Collection<Doc> {
  readonly #path: string;
  readonly #spec: CollectionSpec<Doc>;
  readonly #serving: Serving;
  readonly #reader: ReaderClient;
  readonly #cache = new Map<string, Doc | undefined>();
  readonly #statements: Statements;
  #generation: number | undefined;
  #changed: number | undefined;
  #table: Table | undefined;
  #stamp: string | undefined;

  constructor(
    db: DatabaseSync,
    path: string,
    spec: CollectionSpec<Doc>,
    serving: Serving,
    reader: ReaderClient,
  ) {
    this.#statements = new Statements(db);
    this.#path = path;
    this.#spec = spec;
    this.#serving = serving;
    this.#reader = reader;
  }

  async get(id: string): Promise<Doc | undefined> {
    return this.#read(undefined, (now) => this.#one(now, id));
  }

  async getMany(ids: readonly string[]): Promise<ReadonlyMap<string, Doc>> {
    return this.#read(new Map<string, Doc>(), (now) => {
      const found = new Map<string, Doc>();
      for (const id of ids) {
        const doc = this.#one(now, id);
        if (doc) found.set(id, doc);
      }
      return found;
    });
  }

  async page(query: PageQuery<Doc>): Promise<Doc[]> {
    const columns = [...this.#spec.fields, '_body'];
    const rows = await this.#rows(query, (now) => pageSql(this.#spec, now, query, columns), columns.length);
    return rows.map((row) => documentFrom<Doc>(row, this.#spec));
  }

  async select<Field extends keyof Doc & string>(
    query: PageQuery<Doc>,
    fields: readonly Field[],
  ): Promise<Pick<Doc, Field>[]> {
    const rows = await this.#rows(query, (now) => pageSql(this.#spec, now, query, fields), fields.length);
    return rows.map((row) => selected<Doc, Field>(row, fields));
  }

  async count(query: CountQuery<Doc>): Promise<number> {
    const [row] = await this.#rows(query, (now) => countSql(this.#spec, now, query), 1);
    return Number(row?.[0] ?? 0);
  }

  async vocabulary(query: VocabularyQuery, limit: number, lengths?: WordLengths): Promise<string[]> {
    const rows = await this.#searched((now) => vocabularySql(now.termTables, query, limit, lengths), 1);
    return rows.map(([word]) => String(word));
  }

  /** On the calling thread: to count some thousand words takes as long as to wake the other. */
  async vocabularyStamp(beginning: string): Promise<string> {
    return this.#read('none', (now) => {
      const sql = wordCountSql(now.termTables, beginning);
      const [row] = sql
        ? (this.#statements.arraysOf(sql.sql).all(...sql.values) as unknown as Rows)
        : ([] as Rows);
      return `${this.#generation ?? 0}.${row?.[0] ?? 0}`;
    });
  }

  async stamp(): Promise<string | undefined> {
    this.#refresh();
    return this.#stamp ?? 'none';
  }

  #one(now: Table, id: string): Doc | undefined {
    if (this.#cache.has(id)) return this.#cache.get(id);
    const { cluster } = this.#spec;
    const key = cluster ? cluster.fromId(id) : id;
    if (key === undefined) return undefined;
    const row = this.#statements
      .of(`SELECT * FROM ${now.name} WHERE ${cluster ? '_key' : '_id'} = ? AND _deleted = 0`)
      .get(key);
    const doc =
      row && (row as Record<string, Scalar>)['_id'] === id
        ? documentOf<Doc>(row as Record<string, Scalar | null>, this.#spec)
        : undefined;
    if (this.#cache.size >= cachedDocuments) this.#cache.clear();
    this.#cache.set(id, doc);
    return doc;
  }

  #rows(query: CountQuery<Doc>, sqlOf: (now: Table) => Sql, width: number): Promise<Rows> | Rows {
    if (query.matching) return this.#searched(sqlOf, width);
    return this.#read([] as Rows, (now) => {
      const { sql, values } = sqlOf(now);
      return this.#statements.arraysOf(sql).all(...values) as unknown as Rows;
    });
  }

  /** Reads on the calling thread. */
  #read<Result>(empty: Result, work: (now: Table) => Result): Result {
    try {
      for (let dropped: number | undefined; ;) {
        const now = this.#refresh();
        if (!now) return empty;
        const generation = this.#generation;
        try {
          return work(now);
        } catch (error) {
          dropped = this.#unlessDropped(error, generation, dropped);
        }
      }
    } catch (error) {
      throw storeError(error, this.#path);
    }
  }

  /** Reads on the reader thread. The statement is undefined when it would find nothing. */
  async #searched(sqlOf: (now: Table) => Sql | undefined, width: number): Promise<Rows> {
    try {
      for (let dropped: number | undefined; ;) {
        const now = this.#refresh();
        const statement = now && sqlOf(now);
        if (!statement) return [];
        const generation = this.#generation;
        try {
          return await this.#reader.rows(statement.sql, statement.values, width);
        } catch (error) {
          dropped = this.#unlessDropped(error, generation, dropped);
        }
      }
    } catch (error) {
      throw storeError(error, this.#path);
    }
  }

  /**
   * The generation may have been dropped before the read. The next attempt then finds its successor, which may be dropped
   * as well. What the generation that still serves has not, is missing. Returns the generation; `former`: that of the
   * attempt before.
   */
  #unlessDropped(error: unknown, generation: number | undefined, former: number | undefined) {
    if (generation === former || !(error instanceof Error) || !saysDropped.test(error.message)) throw error;
    this.#generation = undefined;
    this.#serving.expire();
    return generation;
  }

  #refresh(): Table | undefined {
    const row = this.#serving.of(this.#spec.name);
    if (!row) {
      this.#stamp = undefined;
      this.#generation = undefined;
      return undefined;
    }
    if (row.generation !== this.#generation) {
      this.#generation = row.generation;
      this.#table = table(this.#spec, row.generation);
      this.#statements.clear();
      this.#changed = undefined;
    }
    if (row.changed !== this.#changed) {
      this.#changed = row.changed;
      this.#stamp = `${row.generation}.${row.version}.${row.changed}`;
      this.#cache.clear();
    }
    return this.#table;
  }
}

/** The document of a row with all fields and the body, in this order. */
function documentFrom<Doc extends object>(
  row: readonly (Scalar | null)[],
  { fields }: Pick<CollectionSpec<Doc>, 'fields'>,
): Doc {
  const doc = JSON.parse(String(row.at(-1))) as Record<string, unknown>;
  return Object.assign(doc, selected<Doc, keyof Doc & string>(row, fields)) as Doc;
}

/** A row of some fields; those the document does not have are left out. */
function selected<Doc extends object, Field extends keyof Doc & string>(
  row: readonly (Scalar | null)[],
  fields: readonly Field[],
): Pick<Doc, Field> {
  const doc: Partial<Record<Field, Scalar>> = {};
  fields.forEach((field, place) => {
    const value = row[place];
    if (value !== null && value !== undefined) doc[field] = value;
  });
  return doc as Pick<Doc, Field>;
}
