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
import type { GenerationRow } from './schema.ts';
import { countSql, pageSql, table, type Table } from './table.ts';
import { vocabularySql } from './term-index.ts';
import { documentOf } from './writer.ts';

/** The most cached documents per collection. The cache is cleared with every change. */
const cachedDocuments = 10_000;

/** Returns the serving generation, read again whenever another connection has committed. */
export interface Serving {
  of(name: string): GenerationRow | undefined;
  /** Reads again with the next call, whatever was read before. */
  expire(): void;
}

/** Reads from the serving generation. A collection without one is empty. */
export class EmbeddedCollection<Doc extends object> implements Collection<Doc> {
  readonly #path: string;
  readonly #spec: CollectionSpec<Doc>;
  readonly #serving: Serving;
  readonly #cache = new Map<string, Doc | undefined>();
  readonly #statements: Statements;
  #generation: number | undefined;
  #changed: number | undefined;
  #table: Table | undefined;
  #stamp: string | undefined;

  constructor(db: DatabaseSync, path: string, spec: CollectionSpec<Doc>, serving: Serving) {
    this.#statements = new Statements(db);
    this.#path = path;
    this.#spec = spec;
    this.#serving = serving;
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
    return this.#read([], (now) => {
      const { sql, values } = pageSql(this.#spec, now, query, [...this.#spec.fields, '_body']);
      return this.#statements
        .of(sql)
        .all(...values)
        .map((row) => documentOf<Doc>(row as Record<string, Scalar | null>, this.#spec));
    });
  }

  async select<Field extends keyof Doc & string>(
    query: PageQuery<Doc>,
    fields: readonly Field[],
  ): Promise<Pick<Doc, Field>[]> {
    return this.#read([], (now) => {
      const { sql, values } = pageSql(this.#spec, now, query, fields);
      const rows = this.#statements.arraysOf(sql).all(...values) as unknown as (Scalar | null)[][];
      return rows.map((row) => selected<Doc, Field>(row, fields));
    });
  }

  async count(query: CountQuery<Doc>): Promise<number> {
    return this.#read(0, (now) => {
      const { sql, values } = countSql(this.#spec, now, query);
      return (this.#statements.of(sql).get(...values) as { n: number }).n;
    });
  }

  async vocabulary(query: VocabularyQuery, limit: number, lengths?: WordLengths): Promise<string[]> {
    return this.#read([], (now) => {
      const found = vocabularySql(now.termTables, query, limit, lengths);
      if (!found) return [];
      const rows = this.#statements.of(found.sql).all(...found.values) as { word: string }[];
      return rows.map(({ word }) => word);
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

  #read<Result>(empty: Result, work: (now: Table) => Result): Result {
    try {
      for (let attempt = 0; ; attempt++) {
        const now = this.#refresh();
        if (!now) return empty;
        try {
          return work(now);
        } catch (error) {
          // The generation was dropped before the read. The next attempt finds its successor.
          if (attempt > 2 || !(error instanceof Error) || !error.message.includes('no such table'))
            throw error;
          this.#generation = undefined;
          this.#serving.expire();
        }
      }
    } catch (error) {
      throw storeError(error, this.#path);
    }
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
