import type { Collection, PageQuery, Scalar } from '../../stores/documents/port.ts';

/** Documents read at a time. */
const pageSize = 1_000;

type Query<Doc extends object> = Pick<PageQuery<Doc>, 'where' | 'orderBy' | 'descending'>;

/** Reads all documents that match a query, one by one. The fields of `orderBy` together must be unique. */
export async function* paginate<Doc extends object>(
  collection: Collection<Doc>,
  query: Query<Doc>,
): AsyncGenerator<Doc> {
  for await (const page of pages(collection, query)) yield* page;
}

/** The same page by page. */
export async function* pages<Doc extends object>(
  collection: Collection<Doc>,
  query: Query<Doc>,
): AsyncGenerator<Doc[]> {
  for (let after: readonly Scalar[] | undefined; ;) {
    const page = await collection.page({ ...query, limit: pageSize, ...(after ? { after } : {}) });
    yield page;
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = query.orderBy.map((field) => last[field] as Scalar);
  }
}

/** All matching documents in one list. Only for queries with few results. */
export async function paginateAll<Doc extends object>(
  collection: Collection<Doc>,
  query: Query<Doc>,
): Promise<Doc[]> {
  const found: Doc[] = [];
  for await (const doc of paginate(collection, query)) found.push(doc);
  return found;
}
