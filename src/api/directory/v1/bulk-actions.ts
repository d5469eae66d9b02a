import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  bulkInDetail,
  bulkList,
  cancelBulk,
  undoBulk,
  type BulkInDetail,
} from '../../../actions/directory/bulk.ts';
import { beginMany } from '../../../actions/directory/bulk-many.ts';
import { oneOf } from '../../../actions/listing.ts';
import { bulkCounts, bulkDecisions, bulkSkips } from '../../../events/directory/bulk.ts';
import { undoCounts } from '../../../events/directory/import.ts';
import { svcId } from '../../../events/directory/resource.ts';
import type { BulkDocument } from '../../../projections/directory/bulk-actions.ts';
import { serveTeamDoor, type TeamApiParts } from '../../http/team-door.ts';

export const bulkActionsPath = '/dash/api/v1/bulk-actions';

/** So many ids are taken at once. A filter has no such bound. */
const mostIds = 10_000;

const time = z.iso.datetime();
const text = z.string().nullable();

/** A bulk action in lists. */
const entry = z.object({
  id: z.uuid(),
  decision: z
    .enum(bulkDecisions)
    .describe('`kind` gives another category, `verified` a day of verification.'),
  reason: text,
  category: text,
  day: text,
  records: z.int().describe('How many records it is about.'),
  status: z
    .enum(['begun', 'ended', 'undoing', 'undone'])
    .describe('`begun`: it runs, or waits until another one of your team has ended.'),
  began_at: time,
  result: z.object(bulkCounts.shape).nullable().describe('What it came to. Null while it runs.'),
  undone_at: time.nullable(),
  undo: z.object(undoCounts.shape).nullable().describe('What undoing it came to.'),
});

/** One bulk action in answers. */
const detail = entry.extend({
  progress: z
    .object({ done: z.int(), total: z.int() })
    .nullable()
    .describe('How far it, or its undoing, is. Null when nothing runs.'),
  skipped: z
    .array(z.object({ svc_id: svcId, name: z.string(), why: z.enum(bulkSkips), cause: z.string() }))
    .describe('The records that were skipped, 10,000 at most, kept for 30 days. `cause` is a sentence.'),
  left: z
    .array(z.object({ svc_id: svcId, name: z.string(), what: z.array(z.string()) }))
    .describe('What undoing left because it was changed since: names of fields, `status` or `record`.'),
});

const showEntry = (doc: BulkDocument): z.output<typeof entry> => ({
  id: doc.bulk,
  decision: doc.decision,
  reason: doc.reason ?? null,
  category: doc.category ?? null,
  day: doc.day ?? null,
  records: doc.number,
  status: doc.status,
  began_at: doc.began_at,
  result: doc.counts ?? null,
  undone_at: doc.undone_at ?? null,
  undo: doc.undo ?? null,
});

const show = ({ progress, report, undone, ...doc }: BulkInDetail): z.output<typeof detail> => ({
  ...showEntry(doc),
  progress: progress ? { done: progress.done, total: progress.total } : null,
  skipped: [...(report?.skipped_records ?? [])],
  left: (undone?.left_records ?? []).map(({ svc_id, name, left }) => ({ svc_id, name, what: [...left] })),
});

const { decision, filter, total, ...change } = beginMany.input.shape;

/** Decisions about many records of one's own directory at once: begin, follow, stop and undo them. */
export const serveBulkActions = (scope: FastifyInstance, parts: TeamApiParts): void =>
  serveTeamDoor(scope, parts, 'Bulk actions', (door) => {
    const found = async (id: string) => show(await oneOf(bulkInDetail, parts, undefined, id));
    const answered = { answer: detail, none: bulkList.none };
    door.list(bulkActionsPath, bulkList, {
      summary: 'List bulk actions',
      description:
        'Decisions about many records of your own directory, the newest first. Needs directory:manage.',
      answer: entry,
      show: showEntry,
    });
    door.post(bulkActionsPath, beginMany, {
      summary: 'Decide about many records at once',
      description:
        'Name the records in ids, or all that fit a filter: the query of the table of records, such as status=submitted&category=food. With a filter, total says how many you expect: when more fit by now, nothing is done (409). Each record is decided about by its own rules; those that cannot be are skipped, and named with their cause. The answer comes when it has ended, or after five seconds, and it goes on by itself: read it at Location. Of a team one runs at a time. Needs directory:manage. Send an Idempotency-Key to be able to repeat the request safely.',
      body: z.strictObject({
        decision,
        ...change,
        ids: z
          .array(svcId)
          .min(1, { error: 'name at least one record' })
          .max(mostIds, {
            error: `names too many records: at most ${mostIds.toLocaleString('en')}; use a filter for more`,
          })
          .optional(),
        filter,
        total: total.describe('With a filter: how many records you expect at most.'),
      }),
      answer: detail,
      show: ({ bulk }) => found(bulk),
      location: ({ bulk }) => `${bulkActionsPath}/${bulk}`,
      namesNothing: true,
    });
    door.one(`${bulkActionsPath}/:id`, bulkInDetail, {
      summary: 'Read a bulk action',
      description:
        'How far it is, what it came to, and the records that were skipped with their causes. Needs directory:manage.',
      answer: detail,
      show,
    });
    door.post(`${bulkActionsPath}/:id/stop`, cancelBulk, {
      ...answered,
      summary: 'Stop a bulk action',
      description: 'What is done stays, and can be undone. Needs directory:manage.',
      show: found,
    });
    door.post(`${bulkActionsPath}/:id/undo`, undoBulk, {
      ...answered,
      summary: 'Undo a bulk action',
      description:
        'Takes back what it did, where nobody has changed anything since. Webhooks that went out stay sent, and nobody is told twice that a record was approved or rejected. The answer comes when it is undone, or after five seconds, and it goes on by itself. Needs directory:manage.',
      show: ({ bulk }) => found(bulk),
    });
  });
