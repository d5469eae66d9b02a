import { z } from 'zod';
import type { ListCursors } from '../../http/list-cursors.ts';
import { otherList } from '../../http/list-cursors.ts';
import { readParameters } from '../../http/read-parameters.ts';
import { listQuery } from '../list-query.ts';

/** The query of a list of what has a status, checked and documented by one schema. `nouns`: what is listed. */
export const statusListQuery = <const Status extends string>(
  statuses: readonly [Status, ...Status[]],
  nouns: string,
) =>
  z.strictObject({
    limit: listQuery.shape.limit,
    cursor: listQuery.shape.cursor,
    status: z
      .enum(statuses, { error: `must be one of ${statuses.join(', ')}` })
      .optional()
      .describe(`Only ${nouns} in this state.`),
  });

type Place = readonly (string | number)[];

/** Cursors of such a list: the status of a list of one status, and the place. */
export type StatusCursors<Status extends string> = ListCursors<readonly [Status | null, Place]>;

/** Reads the query of a request. @throws Problem, BadQuery naming the parameter */
export function readStatusQuery<const Status extends string>(
  target: string,
  schema: ReturnType<typeof statusListQuery<Status>>,
  team: string,
  cursors: StatusCursors<Status>,
): { readonly status: Status | undefined; readonly place: Place | undefined; readonly limit: number } {
  const { cursor, status, limit } = readParameters(target, schema);
  const before = cursors.open(cursor, team);
  if (!before) return { status: status, place: undefined, limit };
  const [ofCursor, place] = before;
  if (status !== undefined && status !== ofCursor) throw otherList();
  return { status: ofCursor ?? undefined, place, limit };
}
