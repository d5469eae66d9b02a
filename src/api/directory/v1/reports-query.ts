import { z } from 'zod';
import type { ListCursors } from '../../http/list-cursors.ts';
import { otherList } from '../../http/list-cursors.ts';
import { readParameters } from '../../http/read-parameters.ts';
import { listQuery } from '../list-query.ts';
import { reportStatuses } from './report-shape.ts';

/** The query of the list, checked and documented by one schema. */
export const reportsListQuery = z.strictObject({
  limit: listQuery.shape.limit,
  cursor: listQuery.shape.cursor,
  status: z
    .enum(reportStatuses, { error: `must be one of ${reportStatuses.join(', ')}` })
    .optional()
    .describe('Only reports in this state.'),
});

type Status = (typeof reportStatuses)[number];
type Place = readonly (string | number)[];

/** Cursors of the list: the status of a list of one status, and the place. */
export type ReportCursors = ListCursors<readonly [Status | null, Place]>;

/** Reads the query of a request. @throws Problem, BadQuery naming the parameter */
export function readReportsQuery(
  target: string,
  team: string,
  cursors: ReportCursors,
): { readonly status: Status | undefined; readonly place: Place | undefined; readonly limit: number } {
  const { cursor, status, limit } = readParameters(target, reportsListQuery);
  const before = cursors.open(cursor, team);
  if (!before) return { status, place: undefined, limit };
  const [ofCursor, place] = before;
  if (status !== undefined && status !== ofCursor) throw otherList();
  return { status: ofCursor ?? undefined, place, limit };
}
