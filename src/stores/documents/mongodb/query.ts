import type { Filter } from 'mongodb';
import { wordsOf, type CollectionSpec, type PageQuery, type Scalar } from '../port.ts';
import { StoreError } from '../../errors.ts';
import { sought, type Row } from './row.ts';
import { refuseImpossiblePlace, requireIndex } from '../query-checks.ts';

type AnySpec = Pick<CollectionSpec<Record<string, unknown>>, 'name' | 'fields' | 'indexes' | 'search'>;
type AnyQuery = PageQuery<Record<string, unknown>>;

type IndexKey = Record<string, 1>;

/** The declared indexes; each begins with what tombstones have not. */
export const indexesOf = (spec: AnySpec): IndexKey[] =>
  spec.indexes.map((fields) => Object.fromEntries(['_a', ...fields].map((field) => [field, 1])));

/** What `matching` is looked up by. */
export const wordsIndex: IndexKey = { _w: 1 };

/** A page as a filter and an order; refuses one that no declared index serves. */
export function pageFilter(
  spec: AnySpec,
  query: AnyQuery,
): { filter: Filter<Row>; sort: Record<string, 1 | -1> } {
  const where = equalities(query.where);
  requireIndex(spec, Object.keys(where), query.orderBy);
  refuseImpossiblePlace(spec, query);
  const conditions = [...wordConditions(spec, query.matching), ...placeConditions(query)];
  return {
    filter: filterOf(where, conditions),
    // One direction for all fields: the index is read forwards or backwards.
    sort: Object.fromEntries(query.orderBy.map((field) => [field, query.descending ? -1 : 1])),
  };
}

export function countFilter(spec: AnySpec, query: Pick<AnyQuery, 'where' | 'matching'>): Filter<Row> {
  const where = equalities(query.where);
  requireIndex(spec, Object.keys(where), []);
  return filterOf(where, wordConditions(spec, query.matching));
}

const filterOf = (where: Filter<Row>, conditions: readonly Filter<Row>[]): Filter<Row> => ({
  _a: 1,
  ...where,
  ...(conditions.length > 0 ? { $and: [...conditions] } : {}),
});

/** `$eq`, so that a value is a value whatever it looks like. */
function equalities(where: AnyQuery['where']): Record<string, { $eq: Scalar }> {
  return Object.fromEntries(
    Object.entries(where ?? {}).map(([field, value]) => {
      // The driver would leave an undefined out, and everything would equal it.
      if (value === undefined) throw new StoreError('misuse', `No value to compare ${field} with.`);
      return [field, { $eq: sought(value) }];
    }),
  );
}

/**
 * The place where a page begins. Places of several fields are told in two ways at once: the choices, each a
 * stretch of the index, and the bound on the first field, for a server that walks the index and looks at each.
 */
function placeConditions({ orderBy, from, after, descending }: AnyQuery): Filter<Row>[] {
  const [first] = orderBy;
  const conditions: Filter<Row>[] = [];
  if (first === undefined) return conditions;
  const beyond = descending ? '$lt' : '$gt';
  const atLeast = descending ? '$lte' : '$gte';
  if (from !== undefined) conditions.push({ [first]: { [atLeast]: sought(from) } });
  if (!after) return conditions;
  const place = after.map(sought);
  if (orderBy.length === 1) return [...conditions, { [first]: { [beyond]: place[0] } }];
  const choices = orderBy.map((field, index) => ({
    ...Object.fromEntries(orderBy.slice(0, index).map((equal, n) => [equal, { $eq: place[n] }])),
    [field]: { [beyond]: place[index] },
  }));
  return [...conditions, { [first]: { [atLeast]: place[0] } }, { $or: choices }];
}

/** A pattern may be 32 kB long, and a letter is 4 bytes at most. Nobody means anything by a longer word. */
const longestWord = 5_000;

/**
 * Every word by prefix, in a list of the document's words with an index of its own, whose stretch an anchored
 * pattern is; a word is letters and digits, so nothing in it has a meaning there. Not the server's `$text`: it
 * finds whole words alone, stemmed by one language, and any of them rather than all.
 */
function wordConditions(spec: AnySpec, matching: readonly string[] | undefined): Filter<Row>[] {
  if (!matching || matching.length === 0) return [];
  if (!spec.search) throw new StoreError('misuse', 'This collection has no search fields.');
  const words = [...new Set(matching.flatMap(wordsOf))].sort();
  // Where only signs were asked for there is no word, and nothing begins with that.
  if (words.length === 0 || words.some((word) => word.length > longestWord)) return [nothing];
  // Where a longer word is there, so is one that begins like it; sorted, the longer comes right behind.
  const needed = words.filter((word, index) => !words[index + 1]?.startsWith(word));
  return needed.map((word) => ({ _w: new RegExp(`^${word}`) }));
}

const nothing: Filter<Row> = { _id: { $in: [] } };
