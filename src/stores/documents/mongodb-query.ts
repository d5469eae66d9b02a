import type { Filter } from 'mongodb';
import type { CollectionSpec, Condition, PageQuery, Scalar, TermQuery } from './port.ts';
import { StoreError } from '../errors.ts';
import { sought, type Row } from './mongodb-row.ts';
import { isByTermsAlone, refuseImpossiblePlace, requireIndex } from './query-checks.ts';
import { checkedQuery } from './terms.ts';

type AnySpec = Pick<
  CollectionSpec<Record<string, unknown>>,
  'name' | 'fields' | 'indexes' | 'terms' | 'cluster'
>;
type AnyQuery = PageQuery<Record<string, unknown>>;

export type IndexKey = Readonly<Record<string, 1>>;

/** The declared indexes. Each begins with `_a`, which tombstones do not have. */
export const indexesOf = (spec: AnySpec): IndexKey[] =>
  spec.indexes.map((fields) => Object.fromEntries(['_a', ...fields].map((field) => [field, 1])));

/** The index for `matching`. It has the clustering field, so a page in its order needs no sort. */
export const termsIndexOf = ({ terms, cluster }: AnySpec): IndexKey[] =>
  terms === undefined ? [] : [{ _w: 1, ...(cluster ? { [cluster.field]: 1 as const } : {}) }];

/** The filter and order of a page. @throws StoreError misuse, when no declared index serves it */
export function pageFilter(
  spec: AnySpec,
  query: AnyQuery,
): { filter: Filter<Row>; sort: Record<string, 1 | -1> } {
  const where = equalities(query.where);
  const byTerms = isByTermsAlone(spec, query);
  if (!byTerms) requireIndex(spec, Object.keys(where), query.orderBy, query.also);
  refuseImpossiblePlace(spec, query);
  const conditions = [
    ...termConditions(spec, query.matching),
    ...(query.also ?? []).map(conditionOf),
    ...placeConditions(query),
  ];
  return {
    // A tombstone has no terms. Without `_a`, the planner does not consider indexes that begin with it.
    filter: byTerms ? { $and: conditions } : filterOf(where, conditions),
    // One direction for all fields: the index is read forwards or backwards.
    sort: Object.fromEntries(query.orderBy.map((field) => [field, query.descending ? -1 : 1])),
  };
}

export function countFilter(
  spec: AnySpec,
  query: Pick<AnyQuery, 'where' | 'also' | 'matching'>,
): Filter<Row> {
  const where = equalities(query.where);
  requireIndex(spec, Object.keys(where), [], query.also);
  return filterOf(where, [...termConditions(spec, query.matching), ...(query.also ?? []).map(conditionOf)]);
}

const conditionOf = ({ field, oneOf, from, before }: Condition): Filter<Row> => ({
  [field]: {
    ...(oneOf && { $in: oneOf.map(sought) }),
    ...(from !== undefined && { $gte: sought(from) }),
    ...(before !== undefined && { $lt: sought(before) }),
  },
});

const filterOf = (where: Filter<Row>, conditions: readonly Filter<Row>[]): Filter<Row> => ({
  _a: 1,
  ...where,
  ...(conditions.length > 0 ? { $and: [...conditions] } : {}),
});

/** With `$eq`, so that no value is taken for an operator. */
function equalities(where: AnyQuery['where']): Record<string, { $eq: Scalar }> {
  return Object.fromEntries(
    Object.entries(where ?? {}).map(([field, value]) => {
      // The driver would omit undefined, and every document would match.
      if (value === undefined) throw new StoreError('misuse', `No value to compare ${field} with.`);
      return [field, { $eq: sought(value) }];
    }),
  );
}

/**
 * The conditions for the place where a page begins. With several fields, `$or` has one range of the index for each
 * field. The bound on the first field limits the scan of a server that does not use the index for `$or`.
 */
function placeConditions({ orderBy, from, after, upTo, descending }: AnyQuery): Filter<Row>[] {
  const [first] = orderBy;
  const conditions: Filter<Row>[] = [];
  if (first === undefined) return conditions;
  const [later, earlier] = descending ? (['lt', 'gt'] as const) : (['gt', 'lt'] as const);
  if (from !== undefined) conditions.push({ [first]: { [`$${later}e`]: sought(from) } });
  if (after) conditions.push(...beyond(orderBy, after.map(sought), `$${later}`, `$${later}`));
  if (upTo) conditions.push(...beyond(orderBy, upTo.map(sought), `$${earlier}`, `$${earlier}e`));
  return conditions;
}

/** `compare`: on which side of the place. `last`: the same for the last field, which may be inclusive. */
function beyond(
  orderBy: AnyQuery['orderBy'],
  place: readonly unknown[],
  compare: '$gt' | '$lt',
  last: '$gt' | '$lt' | '$gte' | '$lte',
): Filter<Row>[] {
  const final = orderBy.length - 1;
  const choices = orderBy.map((field, index) => ({
    ...Object.fromEntries(orderBy.slice(0, index).map((equal, n) => [equal, { $eq: place[n] }])),
    [field]: { [index === final ? last : compare]: place[index] },
  }));
  return final === 0
    ? choices
    : [{ [orderBy[0] as string]: { [`${compare}e`]: place[0] } }, { $or: choices }];
}

/** The server's `$text` does not fit: it finds stemmed words, for one language, and documents with any of them. */
function termConditions({ terms }: AnySpec, query: TermQuery | undefined): Filter<Row>[] {
  if (!query) return [];
  if (terms === undefined) throw new StoreError('misuse', 'This collection declares nothing to search.');
  const checked = checkedQuery(query);
  if (!checked) return [nothing];
  const { every, except } = checked;
  return [
    ...every.map(oneOf),
    ...(except.length > 0 ? [{ $nor: except.map((groups) => ({ $and: groups.map(oneOf) })) }] : []),
  ];
}

const oneOf = (group: readonly string[]): Filter<Row> => ({ _w: { $in: [...group] } });

const nothing: Filter<Row> = { _id: { $in: [] } };
