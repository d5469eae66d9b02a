import type { ActionParts } from '../../actions/action.ts';
import { queryOf, type Listing } from '../../actions/listing.ts';
import type { Collection, PageQuery, Scalar } from '../../stores/documents/port.ts';
import type { Html } from './html.ts';
import { pager } from './parts/list-controls.ts';

/** The parameter of an address that says after which entry a page of a list begins. */
export const afterParameter = 'after';

/** Entries on one page of a list. */
const pageSize = 50;

interface Listed<Doc extends object> extends Pick<
  PageQuery<Doc>,
  'where' | 'orderBy' | 'descending' | 'matching'
> {
  readonly limit?: number;
  /** Of the address. */
  readonly query: URLSearchParams;
  /** The address of a page, by what else is in it. */
  readonly here: (also: Readonly<Record<string, string>>) => string;
}

export interface KeysetPage<Doc> {
  readonly docs: readonly Doc[];
  /** The way to further pages. */
  readonly further: Html;
  readonly isFirst: boolean;
}

/**
 * One page of a list, read by its place and not by its number, and the way to further pages. The place gives no authority: which entries there are is
 * said by `where`. A place that is none means the first page.
 */
export async function keysetPage<Doc extends object>(
  collection: Pick<Collection<Doc>, 'page'>,
  { query, here, limit = pageSize, ...listed }: Listed<Doc>,
): Promise<KeysetPage<Doc>> {
  const place = placeIn(query.get(afterParameter) ?? '', listed.orderBy.length);
  const read = await collection.page({
    ...listed,
    limit: limit + 1,
    ...(place === undefined ? {} : { after: place }),
  });
  const docs = read.slice(0, limit);
  const last = read.length > limit ? docs.at(-1) : undefined;
  const next = last && written(listed.orderBy.map((field) => last[field] as Scalar));
  const further = pager({
    first: place === undefined ? undefined : here({}),
    next: next === undefined ? undefined : here({ [afterParameter]: next }),
  });
  return { docs, further, isFirst: place === undefined };
}

/** One page of a list as people see it, and the way to further pages. `filters`: which of its things. */
export async function listPage<Doc extends { readonly team?: string | undefined }, Row>(
  parts: ActionParts,
  listing: Listing<Doc, Row>,
  filters: Parameters<typeof queryOf>[1],
  query: URLSearchParams,
  here: (also: Readonly<Record<string, string>>) => string,
  limit = pageSize,
): Promise<{ readonly rows: readonly Row[]; readonly further: Html }> {
  const { docs, further } = await keysetPage(parts.documents.collection(listing.readModel.collection), {
    ...queryOf(listing, filters),
    query,
    here,
    limit,
  });
  return { rows: await listing.open(parts, docs), further };
}

const written = (place: readonly Scalar[]): string =>
  Buffer.from(JSON.stringify(place)).toString('base64url');

function placeIn(text: string, length: number): readonly Scalar[] | undefined {
  try {
    const place: unknown = JSON.parse(Buffer.from(text.slice(0, 2_000), 'base64url').toString());
    return Array.isArray(place) && place.length === length && place.every(isScalar) ? place : undefined;
  } catch {
    return undefined;
  }
}

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
