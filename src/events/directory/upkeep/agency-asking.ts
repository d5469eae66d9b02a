import { z } from 'zod';
import { event, slug, stream, type EventOf } from '../../define.ts';
import { svcId } from '../resource.ts';

/** After how many days without a confirmation agencies are asked, at the least and at the most. */
export const askingDays = { least: 30, most: 3_650 } as const;

/** Whether a team asks its agencies by mail. Nobody is asked before it has chosen so. */
export const agencyAskingStream = stream('agency-asking', {
  AgencyAskingChosen: event(
    'A team chose whether the contacts of its agencies are asked by mail if their records are still right.',
    z.strictObject({
      team: slug,
      on: z.boolean(),
      after_days: z
        .int()
        .min(askingDays.least)
        .max(askingDays.most)
        .optional()
        .describe(
          'After how many days without a confirmation. Absent: when the first part of a record is stale.',
        ),
    }),
  ),
});
export type AgencyAskingEvent = EventOf<typeof agencyAskingStream>;

/** Calls by telephone, for agencies that no mail reaches. The id in the name of the stream is that of the record. */
export const agencyCallStream = stream('agency-call', {
  AgencyNotReached: event(
    'Somebody called an agency about a record and reached nobody. It stands on the call list again from a later day.',
    z.strictObject({
      svc_id: svcId,
      team: slug,
      again_on: z.iso.date().describe('The day from which it is on the list again.'),
    }),
  ),
});
export type AgencyCallEvent = EventOf<typeof agencyCallStream>;
