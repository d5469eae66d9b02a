import type { Confirmed } from '../../events/directory/upkeep/confirmation.ts';
import { svcIdOf } from '../../events/ids.ts';
import { recordLookup, type RecordLookupDocument } from '../../projections/directory/record-lookup.ts';
import { resources, type ResourceDocument } from '../../projections/directory/resources.ts';
import type { Documents, Scalar, TermQuery } from '../../stores/documents/port.ts';
import { recordFilter, type RecordConditions, type RecordFilter } from './record-filter.ts';
import {
  countIn,
  countOf,
  narrowedBy,
  numbersAmong,
  numbersIn,
  type Lookup,
  type Part,
} from './record-numbers.ts';

/** The columns of a table of records, in their order, with the field by which each is sorted. */
const fieldOfColumn = {
  organization: 'organization',
  name: 'name',
  place: 'place',
  kind: 'category',
  state: 'status',
  changed: 'updated_at',
  verified: 'verified',
} as const satisfies Readonly<Record<string, keyof RecordLookupDocument>>;

export type RecordColumn = keyof typeof fieldOfColumn;
export const recordColumns = Object.keys(fieldOfColumn) as readonly RecordColumn[];

/** The columns of an address, in the order of all, and those that it asks for and there are none of. */
export function recordColumnsIn(query: URLSearchParams): {
  readonly columns: readonly RecordColumn[];
  readonly isChosen: boolean;
  readonly unknown: readonly string[];
} {
  const requested = query
    .getAll('columns')
    .flatMap((each) => each.split(','))
    .map((each) => each.slice(0, 40).trim())
    .filter((each) => each !== '')
    .slice(0, 50);
  const found = recordColumns.filter((each) => requested.includes(each));
  // The record is how a row is opened.
  const columns = recordColumns.filter((each) => each === 'name' || found.includes(each));
  const isChosen = found.length > 0 && columns.length < recordColumns.length;
  const unknown = [...new Set(requested.filter((each) => !recordColumns.some((column) => column === each)))];
  return { columns: isChosen ? columns : recordColumns, isChosen, unknown };
}

/** `submitted`: as they were submitted, the first one first. `fit`: what fits the words best first. */
export interface RecordOrder {
  readonly by: RecordColumn | 'submitted' | 'fit';
  readonly descending: boolean;
}

export const recordOrder = {
  /** From the parameter `sort` of an address, such as `changed`, or `-changed` downwards. Undefined: it is none. */
  parse(text: string): RecordOrder | undefined {
    const [, sign, by] = /^(-?)([a-z]{1,20})$/.exec(text) ?? [];
    const isOrder = recordColumns.some((each) => each === by) || by === 'submitted';
    return isOrder ? { by: by as RecordOrder['by'], descending: sign === '-' } : undefined;
  },
  toText: ({ by, descending }: RecordOrder): string => `${descending ? '-' : ''}${by}`,
};

/** Which records of which team, in which order. `now`, `zone`: see `recordFilter`. */
export interface RecordTable {
  readonly team: string;
  readonly filter: RecordFilter;
  readonly order: RecordOrder;
  readonly now: Date;
  readonly zone?: string | undefined;
}

/** A record in a table. */
export interface RecordRow {
  readonly svcId: string;
  readonly name: string;
  readonly organization: string | undefined;
  readonly place: string | undefined;
  readonly status: ResourceDocument['status'];
  readonly category: string;
  readonly updatedAt: string;
  /** The date of its last confirmation, as precisely as it is known. */
  readonly verified: string | undefined;
}

export interface RecordPage {
  readonly rows: readonly RecordRow[];
  readonly total: number;
  /** From 1. The last one where a later one is asked for. */
  readonly page: number;
  readonly pages: number;
}

export const rowsOfPage = 50;

/** The number of a page in an address. What is none is the first. */
export const pageIn = (query: URLSearchParams): number =>
  /^[1-9]\d{0,8}$/.test(query.get('page') ?? '') ? Number(query.get('page')) : 1;

/** A page of a table, and how many records the table has. `ofTable`: this number, where it need not be counted. */
export async function pageOfRecords(
  documents: Documents,
  table: RecordTable,
  page: number,
  ofTable?: number,
): Promise<RecordPage> {
  const lookup = documents.collection(recordLookup.collection);
  const conditions = recordFilter.conditions(table.team, table.filter, table.now, table.zone);
  const total = ofTable ?? (await countIn(lookup, conditions));
  const pages = Math.max(1, Math.ceil(total / rowsOfPage));
  const shown = Math.min(Math.max(1, page), pages);
  const first = (shown - 1) * rowsOfPage;
  const numbers = await numbersAt(lookup, conditions, table.order, total, first);
  return { rows: await rowsOf(documents, numbers), total, page: shown, pages };
}

/** How many records fit a filter. */
export const countRecords = (
  documents: Documents,
  { team, filter, now, zone }: Omit<RecordTable, 'order'>,
): Promise<number> =>
  countIn(documents.collection(recordLookup.collection), recordFilter.conditions(team, filter, now, zone));

async function numbersAt(
  lookup: Lookup,
  conditions: RecordConditions,
  order: RecordOrder,
  total: number,
  first: number,
): Promise<number[]> {
  if (order.by === 'fit' && conditions.queries)
    return bestFirst(lookup, conditions, conditions.queries.inTurn, first);
  const limit = Math.min(rowsOfPage, total - first);
  if (limit <= 0) return [];
  // The second half is read from the end.
  const before = total - first - limit;
  const turned = before < first;
  const part: Part = {
    orderBy: orderOf(order),
    descending: order.descending !== turned,
    skip: turned ? before : first,
    limit,
  };
  const numbers = await numbersAmong(lookup, await narrowedBy(lookup, conditions), part, total);
  return turned ? numbers.reverse() : numbers;
}

const orderOf = ({ by }: RecordOrder): (keyof RecordLookupDocument)[] =>
  by === 'submitted' || by === 'fit' ? ['number'] : [fieldOfColumn[by], 'number'];

/** What each of the queries finds follows what the one before finds. */
async function bestFirst(
  lookup: Lookup,
  conditions: RecordConditions,
  inTurn: readonly TermQuery[],
  first: number,
): Promise<number[]> {
  const numbers: number[] = [];
  let skip = first;
  for (const each of inTurn) {
    const narrowed = await narrowedBy(lookup, conditions, each);
    const limit = rowsOfPage - numbers.length;
    const found = await numbersIn(lookup, narrowed, { orderBy: ['number'], skip, limit });
    numbers.push(...found);
    if (numbers.length === rowsOfPage) return numbers;
    // When nothing is found, the page may begin after all records of this query.
    skip = found.length > 0 || skip === 0 ? 0 : skip - (await countOf(lookup, narrowed));
  }
  return numbers;
}

/** The public records of which nobody has said within half a year that they are right, oldest first. */
export const dueRecords = {
  filter: { status: 'approved', verified: '6-months' },
  order: { by: 'verified', descending: false },
} as const satisfies Pick<RecordTable, 'filter' | 'order'>;

/** The ids of all records of a table in its order, some at a time. */
export async function* everyRecord(
  documents: Documents,
  { team, filter, order, now, zone }: RecordTable,
  atOnce = 1_000,
): AsyncGenerator<readonly string[]> {
  const lookup = documents.collection(recordLookup.collection);
  const conditions = recordFilter.conditions(team, filter, now, zone);
  const { queries } = conditions;
  const orderBy = orderOf(order);
  const inTurn = order.by === 'fit' ? queries?.inTurn : undefined;
  for (const each of inTurn ?? [queries?.all]) {
    const narrowed = await narrowedBy(lookup, conditions, each);
    for (let after: readonly Scalar[] | undefined; ;) {
      const found: readonly Partial<RecordLookupDocument>[] = await lookup.select(
        { ...narrowed, orderBy, descending: order.descending, limit: atOnce, ...(after && { after }) },
        orderBy,
      );
      if (found.length > 0) yield found.map(({ number }) => svcIdOf(number as number));
      const last = found.at(-1);
      if (!last || found.length < atOnce) break;
      after = orderBy.map((field) => last[field] as Scalar);
    }
  }
}

/** All rows of a table in its order, read some at a time. */
export async function* everyRow(documents: Documents, table: RecordTable): AsyncGenerator<RecordRow> {
  for await (const ids of everyRecord(documents, table, 200)) yield* await rowsOfIds(documents, ids);
}

async function rowsOf(documents: Documents, numbers: readonly number[]): Promise<RecordRow[]> {
  return rowsOfIds(documents, numbers.map(svcIdOf));
}

async function rowsOfIds(documents: Documents, ids: readonly string[]): Promise<RecordRow[]> {
  const docs = await documents.collection(resources.collection).getMany(ids);
  return ids.flatMap((id) => {
    const doc = docs.get(id);
    return doc ? [rowOf(doc)] : [];
  });
}

/** What of the card of a record a row shows. */
interface Card {
  readonly name: string;
  readonly organization?: { readonly name: string };
  readonly city: string | null;
  readonly confirmed?: Confirmed;
}

export function rowOf(doc: ResourceDocument): RecordRow {
  const { name, organization, city, confirmed } = JSON.parse(`{${doc.card}}`) as Card;
  return {
    svcId: doc.svc_id,
    name,
    organization: organization?.name,
    place: city ?? undefined,
    status: doc.status,
    category: doc.category,
    updatedAt: doc.updated_at,
    verified: confirmed?.on,
  };
}
