import { StoreError } from '../errors.ts';
import type { PageQuery } from './port.ts';

/** The parts of a collection's spec that decide which queries are allowed, the same for every adapter. */
interface Paged {
  readonly name: string;
  readonly indexes: readonly (readonly string[])[];
  readonly cluster?: { readonly field: string };
}

/** Whether a page is in the order of the clustering field among the documents of a term query. Needs no index. */
export function isByTermsAlone(
  spec: Pick<Paged, 'cluster'>,
  {
    where,
    orderBy,
    matching,
    inOrder,
    among,
  }: Pick<PageQuery<Record<string, unknown>>, 'where' | 'orderBy' | 'matching' | 'inOrder' | 'among'>,
): boolean {
  return (
    matching !== undefined &&
    inOrder === undefined &&
    among === undefined &&
    Object.keys(where ?? {}).length === 0 &&
    orderBy.length === 1 &&
    orderBy[0] === spec.cluster?.field
  );
}

/** @throws StoreError misuse, for a start or an end that does not match the order */
export function refuseImpossiblePlace(
  spec: Paged,
  {
    orderBy,
    after,
    from,
    upTo,
  }: Pick<PageQuery<Record<string, unknown>>, 'orderBy' | 'after' | 'from' | 'upTo'>,
): void {
  if ((after && after.length !== orderBy.length) || ((after || from !== undefined) && orderBy.length === 0)) {
    throw new StoreError(
      'misuse',
      `A page of ${spec.name} ordered by (${orderBy.join(', ')}) cannot start at (${(after ?? [from]).join(', ')}).`,
    );
  }
  if (upTo && (upTo.length !== orderBy.length || orderBy.length === 0)) {
    throw new StoreError(
      'misuse',
      `A page of ${spec.name} ordered by (${orderBy.join(', ')}) cannot end at (${upTo.join(', ')}).`,
    );
  }
}

/** @throws StoreError misuse, when no declared index begins with these fields in this order */
export function requireIndex(
  spec: Paged,
  where: readonly string[],
  orderBy: readonly string[],
  also: readonly { readonly field: string }[] = [],
): void {
  const served = spec.indexes.some(
    (index) =>
      where.every((field) => index.slice(0, where.length).includes(field)) &&
      orderBy.every((field, place) => index[where.length + place] === field) &&
      also.every(({ field }) => index.includes(field)),
  );
  if (!served && where.length + orderBy.length + also.length > 0) {
    throw new StoreError(
      'misuse',
      `${spec.name} declares no index for (${[...where, ...also.map(({ field }) => field)].join(', ')}) ordered by (${orderBy.join(', ')}).`,
    );
  }
}
