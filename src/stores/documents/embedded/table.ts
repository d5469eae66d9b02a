import type { CollectionSpec, Condition, CountQuery, PageQuery, Scalar, TermQuery } from '../port.ts';
import { StoreError } from '../../errors.ts';
import { isByTermsAlone, refuseImpossiblePlace, requireIndex } from '../query-checks.ts';
import { checkedQuery } from '../terms.ts';
import { matchesTerms } from './matches-terms.ts';
import { matchExpression, termTables, type TermTables } from './term-index.ts';
import { quoted } from '../../sqlite.ts';

/**
 * A generation of a collection as a table. The declared fields are columns, and the rest of the document is JSON in
 * `_body`. `_key` is the row id, which is the clustering field if there is one. The names of our own columns begin with
 * an underscore, so that a document can have a field `id` or `position`.
 */
export interface Table {
  readonly name: string;
  readonly termTables: TermTables;
  readonly create: string;
  readonly createIndexes: string;
  readonly drop: string;
}

type AnySpec = Pick<
  CollectionSpec<Record<string, unknown>>,
  'name' | 'fields' | 'indexes' | 'terms' | 'vocabulary' | 'cluster'
>;

export function table(spec: AnySpec, generation: number): Table {
  const plain = `${spec.name}.${generation}`;
  const name = quoted(plain);
  const terms = termTables(spec, plain);
  const columns = spec.fields.map((field) => `${quoted(field)} ANY`).join(', ');
  // With a clustering field the id needs no index, because the key is computed from it.
  const id = spec.cluster ? '_id TEXT NOT NULL' : '_id TEXT NOT NULL UNIQUE';
  return {
    name,
    termTables: terms,
    create:
      `CREATE TABLE ${name} (_key INTEGER PRIMARY KEY, ${id}, _position INTEGER NOT NULL, _deleted INTEGER NOT NULL,` +
      ` ${columns}${columns ? ', ' : ''} _body TEXT) STRICT;` +
      terms.create,
    createIndexes: [
      ...spec.indexes.map(
        (fields, index) =>
          `CREATE INDEX IF NOT EXISTS ${quoted(`${plain}.${index}`)} ON ${name} (${fields.map(quoted).join(', ')}) WHERE _deleted = 0;`,
      ),
      terms.createIndexes,
    ].join('\n'),
    // Generations of earlier releases have a table of words.
    drop: `DROP TABLE IF EXISTS ${name}; DROP TABLE IF EXISTS ${quoted(`${plain}.words`)}; ${terms.drop}`,
  };
}

/** The row id of a document among those that a term query finds. */
const rowId = 's.rowid';

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
      query.also,
    );
  refuseImpossiblePlace(spec, query);
  const { inOrder, among } = query;
  const { from, match, values } = sourceOf(inOrder ? undefined : query.matching, tables, among);
  const conditions = [...match, 't._deleted = 0'];
  for (const [field, value] of where) {
    conditions.push(`t.${quoted(field)} = ?`);
    values.push(value);
  }
  // With a sign, SQLite keeps to the index of the order, and does not choose another and sort.
  for (const condition of query.also ?? []) addCondition(condition, '+t.', conditions, values);
  // The terms are read in the order of row ids. The clustering field is the row id, so no sort is needed.
  const order = query.orderBy.map((field) =>
    query.matching && !inOrder && !among && field === spec.cluster?.field ? rowId : `t.${quoted(field)}`,
  );
  const compare = query.descending ? '<' : '>';
  if (query.from !== undefined) {
    conditions.push(`${order[0]} ${compare}= ${placeOf(order[0], query.from)}`);
    values.push(query.from);
  }
  if (query.after) {
    const places = query.after.map((value, index) => placeOf(order[index], value));
    conditions.push(`(${order.join(', ')}) ${compare} (${places.join(', ')})`);
    values.push(...query.after);
  }
  if (query.upTo) {
    const places = query.upTo.map((value, index) => placeOf(order[index], value));
    conditions.push(`(${order.join(', ')}) ${query.descending ? '>=' : '<='} (${places.join(', ')})`);
    values.push(...query.upTo);
  }
  if (inOrder && query.matching) {
    conditions.push(`${matchesTerms}(${termsText(spec)}, ?)`);
    values.push(JSON.stringify(checkedQuery(query.matching) ?? null));
  }
  const direction = query.descending ? ' DESC' : '';
  const sql =
    `SELECT ${columns.map((column) => `t.${quoted(column)}`).join(', ')} FROM ${from} WHERE ${conditions.join(' AND ')}` +
    (order.length > 0 ? ` ORDER BY ${order.map((field) => field + direction).join(', ')}` : '') +
    ' LIMIT +? OFFSET ?';
  values.push(query.limit, query.skip ?? 0);
  return { sql, values };
}

/** The text that a document has its terms in. */
function termsText({ terms, fields }: AnySpec): string {
  if (terms === undefined) throw new StoreError('misuse', 'This collection declares nothing to search.');
  return fields.includes(terms) ? `t.${quoted(terms)}` : `t._body ->> '$.${quoted(terms)}'`;
}

/**
 * The driver binds numbers as reals, and FTS5 seeks to integers only: it would read all documents before the place, in
 * the middle of a million 10 ms instead of 0.1 ms.
 */
const placeOf = (field: string | undefined, value: Scalar): string =>
  field === rowId && Number.isSafeInteger(value) ? 'CAST(? AS INTEGER)' : '?';

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
    query.also,
  );
  const { from, match, values } = sourceOf(query.matching, tables, query.among);
  const { terms } = tables.termTables;
  const conditions = [...match, 't._deleted = 0', ...where.map(([field]) => `t.${quoted(field)} = ?`)];
  values.push(...where.map(([, value]) => value));
  for (const condition of query.also ?? []) addCondition(condition, 't.', conditions, values);
  // A deleted document has no terms, so the terms alone can be counted.
  const matches =
    query.matching && terms && where.length === 0 && !query.also?.length
      ? `FROM ${terms} AS s WHERE ${sourceOf(query.matching, tables).match.join(' AND ')}`
      : `FROM ${from} WHERE ${conditions.join(' AND ')}`;
  if (query.atMost === undefined) return { sql: `SELECT count(*) AS n ${matches}`, values };
  values.push(query.atMost);
  return { sql: `SELECT count(*) AS n FROM (SELECT 1 ${matches} LIMIT +?)`, values };
}

/** Adds the SQL of a condition, and its values. */
function addCondition(
  { field, oneOf, from, before }: Condition,
  of: string,
  conditions: string[],
  values: Scalar[],
): void {
  const column = of + quoted(field);
  const add = (condition: string, ...compared: readonly Scalar[]) => {
    conditions.push(condition);
    values.push(...compared);
  };
  if (oneOf) add(`${column} IN (${oneOf.map(() => '?').join(', ')})`, ...oneOf);
  if (from !== undefined) add(`${column} >= ?`, from);
  if (before !== undefined) add(`${column} < ?`, before);
}

interface Source {
  readonly from: string;
  readonly match: readonly string[];
  readonly values: Scalar[];
}

/** What a query reads from. Fixes the join order: first the terms, then the rows that have them. */
function sourceOf(
  matching: TermQuery | undefined,
  { name, termTables: { terms } }: Table,
  among?: true,
): Source {
  if (matching === undefined) return { from: `${name} AS t`, match: [], values: [] };
  if (!terms) throw new StoreError('misuse', 'This collection declares nothing to search.');
  if (among)
    return {
      from: `${name} AS t`,
      // With a sign, the set is not what is read: an index is. Every index has the row id.
      match: [`+t._key IN (SELECT rowid FROM ${terms} WHERE ${terms} MATCH ?)`],
      values: [matchExpression(matching)],
    };
  return {
    from: `${terms} AS s CROSS JOIN ${name} AS t ON t._key = s.rowid`,
    // With `detail = none` only the whole table can be matched, not a column.
    match: [`s.${terms} MATCH ?`],
    values: [matchExpression(matching)],
  };
}
