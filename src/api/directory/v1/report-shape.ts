import { z } from 'zod';
import type { Report } from '../../../actions/directory/upkeep/reports.ts';
import { mistakeKind, mistakeOutcomes } from '../../../events/directory/upkeep/mistake.ts';

export const reportStatuses = ['open', ...mistakeOutcomes] as const;

const time = z.iso.datetime();

/** A report in answers. */
export const report = z.object({
  id: z.uuid(),
  svc_id: z.string().describe('The record that it is about.'),
  what: mistakeKind,
  status: z.enum(reportStatuses),
  text: z
    .string()
    .nullable()
    .describe('In the words of whoever sent it. Null where they wrote none, or it is erased.'),
  contact: z.string().nullable().describe('An email address or a phone number, where they gave one.'),
  erased: z.boolean(),
  reported_at: time,
  resolved_at: time.nullable(),
});

/** A report as its reviewers see it. */
export const showReport = (shown: Report): z.output<typeof report> => ({
  id: shown.report,
  svc_id: shown.svc_id,
  what: shown.kind,
  status: shown.status,
  text: shown.text ?? null,
  contact: shown.contact ?? null,
  erased: shown.erased === true,
  reported_at: shown.reported_at,
  resolved_at: shown.resolved_at ?? null,
});
