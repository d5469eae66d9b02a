import { z } from 'zod';
import { event, line, slug, stream, type EventOf } from '../define.ts';
import { category } from './category.ts';
import { undoCounts } from './import.ts';
import { isoDate } from './opening-hours.ts';

const count = z.int().min(0);

/** What can be done with many records at once. */
export const bulkDecisions = ['approve', 'reject', 'take-out', 'kind', 'verified'] as const;
export type BulkDecision = (typeof bulkDecisions)[number];

/** Why a record was skipped. */
export const bulkSkips = ['state', 'missing', 'refused'] as const;
export type BulkSkip = (typeof bulkSkips)[number];

/** What a bulk action came to: numbers of records. */
export const bulkCounts = z.strictObject({
  done: count,
  unchanged: count.describe('Records of which it held already.'),
  skipped: z.strictObject({
    state: count.optional().describe('Others had decided about them meanwhile.'),
    missing: count.optional().describe('They are no longer in the directory of the team.'),
    refused: count.optional().describe('The rules of a record refuse the change.'),
  }),
  left: count.optional().describe('Records that it did not come to, because it was stopped.'),
  stopped: z
    .enum(['right', 'cancelled'])
    .optional()
    .describe('It was stopped: whoever began it lost the right, or somebody cancelled it.'),
});
export type BulkCounts = z.output<typeof bulkCounts>;

/** What is done with each of the records. */
export const bulkChange = z.strictObject({
  decision: z.enum(bulkDecisions),
  reason: line(2_000).optional().describe('Beside a rejection and a removal; of an approval, a note.'),
  category: category.optional().describe('Of `kind`: the new category.'),
  day: isoDate.optional().describe('Of `verified`: the day on which the records were checked.'),
});
export type BulkChange = z.output<typeof bulkChange>;

/**
 * One decision about many records, and its undoing. The events of the records have its id as their correlation, and the
 * event that began it or its undoing as their cause.
 */
export const bulkStream = stream('bulk', {
  BulkBegun: event(
    'Somebody made one decision about many records at once. The event of each record follows.',
    bulkChange.extend({ team: slug, number: count.describe('Of how many records.') }),
  ),
  BulkEnded: event('The bulk action has ended.', bulkCounts),
  BulkUndoBegun: event('Somebody began to undo the bulk action.', z.strictObject({})),
  BulkUndone: event('The bulk action was undone.', undoCounts),
});
export type BulkEvent = EventOf<typeof bulkStream>;
