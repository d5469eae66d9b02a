import { z } from 'zod';
import { event, line, slug, stream, type EventOf } from './define.ts';

/** What somebody asked the audit log. */
export const auditQuestion = z.enum(['events', 'correlation', 'as-of', 'entries', 'proof', 'key-usage']);
export type AuditQuestion = z.output<typeof auditQuestion>;

export const exportFormat = z.enum(['ndjson', 'csv', 'cloudevents', 'cloudevents-rdns', 'ocsf'], {
  message: 'must be ndjson, csv, cloudevents, cloudevents-rdns or ocsf',
});
export type ExportFormat = z.output<typeof exportFormat>;

/** Filters name ids, types and times only: an email address is looked up first, and is not recorded. */
const filter = z
  .record(z.string().regex(/^[a-z_]{1,40}$/), line(500))
  .describe('The filters of the question, by name. Only ids, types, positions and times.');

/** One stream for each day (UTC): `audit-access-2026-11-22`. */
export const auditAccessStream = stream('audit-access', {
  AuditQueried: event(
    'Somebody read the audit log.',
    z.strictObject({ question: auditQuestion, filter, events: z.int().nonnegative() }),
  ),
  AuditExported: event(
    'Somebody exported events of the audit log.',
    z.strictObject({
      format: exportFormat,
      filter,
      events: z.int().nonnegative(),
      tree_size: z
        .int()
        .nonnegative()
        .optional()
        .describe('The size of the proof log of the export’s checkpoint.'),
    }),
  ),
  OutboxViewed: event(
    'An administrator opened the outbox, which shows emails that wait to be sent and the links in them.',
    z.strictObject({ mails: z.int().nonnegative() }),
  ),
  AnswersDownloaded: event(
    'Somebody downloaded the answers to a form.',
    z.strictObject({
      team: slug,
      form: z.uuid(),
      format: z.enum(['csv', 'json']),
      answers: z.int().nonnegative().describe('How many submissions the form had then, erased ones too.'),
    }),
  ),
});
export type AuditAccessEvent = EventOf<typeof auditAccessStream>;
