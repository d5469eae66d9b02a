import { LRUCache } from 'lru-cache';
import { entries } from '../../ground/capacity.ts';
import { sortable, type RecordLookupDocument } from '../../projections/directory/record-lookup.ts';
import type { Collection, CountQuery, PageQuery, TermQuery } from '../../stores/documents/port.ts';
import type { RecordConditions } from './record-filter.ts';

export type Lookup = Collection<RecordLookupDocument>;

/** A query of the read model for a table, without its order. */
export interface Narrowed extends Pick<RecordConditions, 'where' | 'also'> {
  readonly matching?: TermQuery;
  readonly among?: true;
}

/** When more records than this match the words, the table is read in its order, and those that match are picked. */
const mostLookedUp = 3_000;

/** `matching`: one of the queries. */
export async function narrowedBy(
  lookup: Lookup,
  { where, also, queries }: RecordConditions,
  matching: TermQuery | undefined = queries?.all,
): Promise<Narrowed> {
  if (!queries || !matching) return { where, also };
  const isCommon = (await countOf(lookup, { matching, atMost: mostLookedUp + 1 })) > mostLookedUp;
  return { where, also, matching, ...(isCommon && { among: true }) };
}

/** Part of a table in its order. */
export type Part = Pick<PageQuery<RecordLookupDocument>, 'orderBy' | 'descending'> & {
  readonly skip: number;
  readonly limit: number;
};

/**
 * The numbers of part of a table. Of words that many records have, the beginning of the order is tried first: to collect all
 * that have them takes 25 to 35 ms of 100,000 records, to look at the first 500 takes 3.
 */
export async function numbersIn(lookup: Lookup, narrowed: Narrowed, part: Part): Promise<number[]> {
  const { among, ...found } = narrowed;
  const isByNumber = part.orderBy[0] === 'number';
  // The terms are stored in this order.
  const isInOrder = isByNumber && narrowed.also.length === 0 && part.skip < mostLookedUp;
  if (!among || isInOrder) return numbersOf(lookup, { ...found, ...part });
  return (
    (await numbersAtBeginning(lookup, found, part)) ?? (await numbersOf(lookup, { ...narrowed, ...part }))
  );
}

/** How many records of an order are looked at before all that have the words are collected. */
const beginning = 500;

/** Undefined: the beginning of the order has too few. */
async function numbersAtBeginning(
  lookup: Lookup,
  { matching, ...narrowed }: Omit<Narrowed, 'among'>,
  part: Part,
): Promise<number[] | undefined> {
  const { orderBy, descending } = part;
  const order = { ...byIndex(narrowed, orderBy), orderBy, ...(descending === true && { descending }) };
  const [end] = await lookup.select({ ...order, skip: beginning, limit: 1 }, orderBy);
  const upTo = end && orderBy.map((field) => end[field]);
  const looked = { ...order, ...part, ...(matching && { matching, inOrder: true as const }) };
  const numbers = await numbersOf(lookup, { ...looked, ...(upTo && { upTo }) });
  return upTo && numbers.length < part.limit ? undefined : numbers;
}

/** Up to this many records are sorted here. An index in the order of the whole team would mostly pass over others. */
const mostSorted = 2_000;

/** The numbers of part of a table of so many records. */
export async function numbersAmong(
  lookup: Lookup,
  narrowed: Narrowed,
  part: Part,
  total: number,
): Promise<number[]> {
  const [field = 'number'] = part.orderBy;
  const few = byIndex(narrowed, ['number']);
  if (narrowed.matching || total > mostSorted || few.also.length === narrowed.also.length)
    return numbersIn(lookup, narrowed, part);
  const records = await lookup.select({ ...few, orderBy: ['number'], limit: mostSorted }, [
    field,
    'number',
  ] as const);
  const keys = records.map((each) => ({ key: Buffer.from(String(each[field])), number: each.number }));
  const sorted = keys.sort((one, other) => Buffer.compare(one.key, other.key) || one.number - other.number);
  if (part.descending) sorted.reverse();
  return sorted.slice(part.skip, part.skip + part.limit).map(({ number }) => number);
}

/** By number, an index leads to the records with one value of a field: those of another need not be passed over. */
function byIndex({ where, also }: Narrowed, orderBy: Part['orderBy']): Narrowed {
  const isOne = ({ field, oneOf }: Narrowed['also'][number]) =>
    oneOf?.length === 1 && sortable.some((each) => each === field);
  const one = orderBy[0] === 'number' ? also.find(isOne) : undefined;
  if (!one) return { where, also };
  return {
    where: { ...where, [one.field]: one.oneOf?.[0] },
    also: also.filter((each) => each !== one),
  };
}

const numbersOf = async (lookup: Lookup, query: PageQuery<RecordLookupDocument>): Promise<number[]> =>
  (await lookup.select(query, ['number'])).map(({ number }) => number);

/** A team has its own terms. */
export const countIn = async (lookup: Lookup, conditions: RecordConditions): Promise<number> =>
  conditions.queries && conditions.also.length === 0
    ? countOf(lookup, { matching: conditions.queries.all })
    : countOf(lookup, await narrowedBy(lookup, conditions));

/** Counts by the read model's query, with the stamp of what was counted. A page asks again for what the one before has counted. */
const counts = new WeakMap<Lookup, LRUCache<string, { readonly stamp: string; readonly count: number }>>();

export async function countOf(lookup: Lookup, query: CountQuery<RecordLookupDocument>): Promise<number> {
  const key = JSON.stringify(query);
  const cached = counts.get(lookup) ?? new LRUCache(entries(1_000));
  counts.set(lookup, cached);
  const stamp = await lookup.stamp();
  const before = cached.get(key);
  if (before && before.stamp === stamp) return before.count;
  const count = await lookup.count(query);
  if (stamp !== undefined && stamp === (await lookup.stamp())) cached.set(key, { stamp, count });
  return count;
}
