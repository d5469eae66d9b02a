import { z } from 'zod';
import type { MasterKey } from '../../../stores/vault/seal.ts';
import { resourceProblem } from '../../http/api-errors.ts';
import { queryOf, readQuery } from '../../http/query-string.ts';
import { AuthenticatedValue } from '../../http/paging/authenticated-value.ts';
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

interface ReportsCursor {
  readonly team: string;
  readonly status: Status | undefined;
  readonly place: Place;
}

export type ReportCursors = AuthenticatedValue<ReportsCursor, readonly [string, Status | null, Place]>;

/** Cursors of the list. They carry no authority: each request is authorised again. */
export const reportCursors = (masterKey: MasterKey): ReportCursors =>
  new AuthenticatedValue(masterKey, 'reports-cursor', {
    write: ({ team, status, place }) => [team, status ?? null, place] as const,
    read: ([team, status, place]) => ({ team, status: status ?? undefined, place }),
  });

/** Reads the query of a request. @throws Problem, BadQuery naming the parameter */
export function readReportsQuery(
  target: string,
  team: string,
  cursors: ReportCursors,
): { readonly status: Status | undefined; readonly place: Place | undefined; readonly limit: number } {
  const { limit, ...values } = readQuery(queryOf(target), ['limit', 'cursor', 'status']);
  const asked = reportsListQuery.safeParse({
    ...values,
    ...(limit === undefined ? {} : { limit: /^\d{1,9}$/.test(limit) ? Number(limit) : limit }),
  });
  if (!asked.success) {
    const [issue] = asked.error.issues;
    throw resourceProblem(
      'invalid_parameter',
      `${String(issue?.path[0])} ${issue?.message ?? 'is not valid'}.`,
    );
  }
  const { cursor: sealed, status, limit: size } = asked.data;
  if (sealed === undefined) return { status, place: undefined, limit: size };
  const cursor = cursors.open(sealed);
  if (cursor?.team !== team || (status !== undefined && status !== cursor.status)) {
    throw resourceProblem(
      'invalid_cursor',
      'The cursor was not given out by this list, or was changed, or belongs to a list with another status.',
    );
  }
  return { status: cursor.status, place: cursor.place, limit: size };
}
