import type { CollectionSpec, CountQuery, PageQuery, Scalar, TermQuery } from '../port.ts';
import { wordsOf } from '../port.ts';
import { StoreError } from '../../errors.ts';
import {
  isByTermsAlone,
  isSearch,
  isTermQuery,
  refuseImpossiblePlace,
  requireIndex,
} from '../query-checks.ts';
import { matchExpression, termTables, type TermTables } from './term-index.ts';

/**
 * A generation of a collection as a table. The declared fields are columns, and the rest of the document is JSON in
 * `_body`. `_key` is the row id, which is the clustering field if there is one. The names of our own columns begin with
 * an underscore, so that a document can have a field `id` or `position`.
 */
export interface Table {
  readonly name: string;
  readonly searchName: string | undefined;
  readonly termTables: TermTables;
  readonly create: string;
  readonly createIndexes: string;
  readonly drop: string;
}

type AnySpec = Pick<
  CollectionSpec<Record<string, unknown>>,
  'name' | 'fields' | 'indexes' | 'search' | 'terms' | 'vocabulary' | 'cluster'
>;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export function table(spec: AnySpec, generation: number): Table {
  const plain = `${spec.name}.${generation}`;
  const name = quoted(plain);
  const searchName = spec.search ? quoted(`${plain}.words`) : undefined;
  const terms = termTables(spec, plain);
  const columns = spec.fields.map((field) => `${quoted(field)} ANY`).join(', ');
  // With a clustering field the id needs no index, because the key is computed from it.
  const id = spec.cluster ? '_id TEXT NOT NULL' : '_id TEXT NOT NULL UNIQUE';
  return {
    name,
    searchName,
    termTables: terms,
    create:
      `CREATE TABLE ${name} (_key INTEGER PRIMARY KEY, ${id}, _position INTEGER NOT NULL, _deleted INTEGER NOT NULL,` +
      ` ${columns}${columns ? ', ' : ''} _body TEXT) STRICT;` +
      (searchName
        ? `CREATE VIRTUAL TABLE ${searchName} USING fts5(words, content = '', contentless_delete = 1, detail = none,` +
          // The text has passed wordsOf, so `ascii` splits it only at spaces. The prefix index is for first letters:
          // with 100,000 documents, "c h s f" took 350 ms without it and 2 ms with it, and indexing takes a fifth
          // longer. With prefixes of two and three letters too, indexing would take more than twice as long.
          ` tokenize = 'ascii', prefix = '1');`
        : '') +
      terms.create,
    createIndexes: [
      ...spec.indexes.map(
        (fields, index) =>
          `CREATE INDEX IF NOT EXISTS ${quoted(`${plain}.${index}`)} ON ${name} (${fields.map(quoted).join(', ')}) WHERE _deleted = 0;`,
      ),
      terms.createIndexes,
    ].join('\n'),
    drop: `DROP TABLE IF EXISTS ${name}; DROP TABLE IF EXISTS ${quoted(`${plain}.words`)}; ${terms.drop}`,
  };
}

/** A query as SQL with its values. @throws StoreError misuse, when no declared index serves it */
export function pageSql(
  spec: AnySpec,
  tables: Table,
  query: PageQuery<Record<string, unknown>>,
  columns: readonly string[],
): { sql: string; values: Scalar[] } {
  const where = Object.entries(query.where ?? {}) as [string, Scalar][];
  if (!isByTermsAlone(spec, query))
    requireIndex(
      spec,
      where.map(([field]) => field),
      query.orderBy,
    );
  refuseImpossiblePlace(spec, query);
  const values: Scalar[] = [];
  const conditions = ['t._deleted = 0'];
  const match = searchCondition(query.matching, tables, values);
  for (const [field, value] of where) {
    conditions.push(`t.${quoted(field)} = ?`);
    values.push(value);
  }
  // The word index returns row ids in order. The clustering field is the row id, so no sort is needed.
  const order = query.orderBy.map((field) =>
    match.byWords && field === spec.cluster?.field ? 's.rowid' : `t.${quoted(field)}`,
  );
  const compare = query.descending ? '<' : '>';
  if (query.from !== undefined) {
    conditions.push(`${order[0]} ${compare}= ?`);
    values.push(query.from);
  }
  if (query.after) {
    conditions.push(`(${order.join(', ')}) ${compare} (${order.map(() => '?').join(', ')})`);
    values.push(...query.after);
  }
  const direction = query.descending ? ' DESC' : '';
  const sql =
    `SELECT ${columns.map((column) => `t.${quoted(column)}`).join(', ')} FROM ${match.from(tables.name)}` +
    ` WHERE ${[...match.conditions, ...conditions].join(' AND ')}` +
    (order.length > 0 ? ` ORDER BY ${order.map((field) => field + direction).join(', ')}` : '') +
    ' LIMIT +? OFFSET ?';
  values.push(query.limit, query.skip ?? 0);
  return { sql, values };
}

export function countSql(
  spec: AnySpec,
  tables: Table,
  query: CountQuery<Record<string, unknown>>,
): { sql: string; values: Scalar[] } {
  const where = Object.entries(query.where ?? {}) as [string, Scalar][];
  requireIndex(
    spec,
    where.map(([field]) => field),
    [],
  );
  const values: Scalar[] = [];
  const match = searchCondition(query.matching, tables, values);
  const conditions = ['t._deleted = 0', ...where.map(([field]) => `t.${quoted(field)} = ?`)];
  values.push(...where.map(([, value]) => value));
  const matches = `FROM ${match.from(tables.name)} WHERE ${[...match.conditions, ...conditions].join(' AND ')}`;
  if (query.atMost === undefined) return { sql: `SELECT count(*) AS n ${matches}`, values };
  values.push(query.atMost);
  return { sql: `SELECT count(*) AS n FROM (SELECT 1 ${matches} LIMIT +?)`, values };
}

function searchCondition(
  matching: TermQuery | readonly string[] | undefined,
  { searchName, termTables }: Table,
  values: Scalar[],
) {
  if (matching === undefined || !isSearch(matching)) {
    return { byWords: false, from: (name: string) => `${name} AS t`, conditions: [] as string[] };
  }
  const index = isTermQuery(matching) ? termTables.terms : searchName;
  if (!index) throw new StoreError('misuse', 'This collection declares nothing to search.');
  values.push(isTermQuery(matching) ? matchExpression(matching) : prefixExpression(matching));
  return {
    byWords: true,
    // CROSS JOIN fixes the join order: first the words, then the rows that they match.
    from: (name: string) => `${index} AS s CROSS JOIN ${name} AS t ON t._key = s.rowid`,
    // With `detail = none` only the whole table can be matched, not a column.
    conditions: [`s.${index} MATCH ?`],
  };
}

function prefixExpression(words: readonly string[]): string {
  const terms = words.flatMap(wordsOf).map((word) => `"${word}"*`);
  return terms.length > 0 ? terms.join(' ') : '""';
}
