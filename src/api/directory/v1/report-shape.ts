import { z } from 'zod';
import { openReports } from '../../../commands/directory/mistake.ts';
import { mistakeKind, mistakeOutcomes } from '../../../events/directory/mistake.ts';
import type { PersonalData } from '../../../personal/personal-data.ts';
import type { MistakeDocument } from '../../../projections/directory/mistakes.ts';

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
export type Report = z.output<typeof report>;

/** Reports as their reviewers see them: what they say is opened with one read of the vault. */
export async function reportsOf(personal: PersonalData, docs: readonly MistakeDocument[]): Promise<Report[]> {
  const said = await openReports(personal, docs);
  return docs.map((doc, place) => ({
    id: doc.report,
    svc_id: doc.svc_id,
    what: doc.kind,
    status: doc.status,
    text: said[place]?.text ?? null,
    contact: said[place]?.contact ?? null,
    erased: doc.erased === true,
    reported_at: doc.reported_at,
    resolved_at: doc.resolved_at ?? null,
  }));
}
