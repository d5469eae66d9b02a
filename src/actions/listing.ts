import type { z } from 'zod';
import type { CommandRefused } from '../ground/refusals.ts';
import type { CollectionSpec, PageQuery, Scalar } from '../stores/documents/port.ts';
import type { ActionParts, Allowed } from './action.ts';

/** Things of a team that can be listed, said once for the pages, the service API and the command line. */
export interface Listing<Doc extends { readonly team?: string | undefined }, Row> extends Allowed {
  /** Such as `payments`. Cursors are good for the list of this name alone. */
  readonly name: string;
  readonly readModel: { readonly collection: CollectionSpec<Doc> };
  /** What is listed at all. Default: everything. */
  readonly where?: NonNullable<PageQuery<Doc>['where']>;
  /** Together unique. */
  readonly orderBy: readonly (keyof Doc & string)[];
  readonly descending?: true;
  /** How an id is written. Nothing else is looked up. */
  readonly id: z.ZodType<string>;
  readonly none: () => CommandRefused;
  /** What people see of them: their personal data opened, with one read of the vault. */
  readonly open: (parts: ActionParts, docs: readonly Doc[]) => Promise<readonly Row[]>;
}

/** The query of a list. `filters`: which of its things; undefined does not narrow it down. */
export function queryOf<Doc extends object>(
  { where, orderBy, descending = false }: Pick<PageQuery<Doc>, 'where' | 'orderBy' | 'descending'>,
  filters: Readonly<Record<string, Scalar | undefined>>,
): Pick<PageQuery<Doc>, 'where' | 'orderBy' | 'descending'> {
  const chosen = Object.entries(filters).filter(([, value]) => value !== undefined);
  return { where: { ...where, ...Object.fromEntries(chosen) } as typeof where & {}, orderBy, descending };
}

/** One of them by its id. Undefined: there is none, or it is of another team. */
export async function findIn<Doc extends { readonly team?: string | undefined }, Row>(
  { id: idFormat, readModel, open }: Pick<Listing<Doc, Row>, 'id' | 'readModel' | 'open'>,
  parts: ActionParts,
  team: string | undefined,
  id: string,
): Promise<Row | undefined> {
  if (!idFormat.safeParse(id).success) return undefined;
  const doc = await parts.documents.collection(readModel.collection).get(id);
  if (!doc || (team !== undefined && doc.team !== team)) return undefined;
  const [row] = await open(parts, [doc]);
  return row;
}

/** The same. @throws CommandRefused not_found */
export async function oneOf<Doc extends { readonly team?: string | undefined }, Row>(
  listing: Listing<Doc, Row>,
  parts: ActionParts,
  team: string | undefined,
  id: string,
): Promise<Row> {
  const row = await findIn(listing, parts, team, id);
  if (row === undefined) throw listing.none();
  return row;
}
