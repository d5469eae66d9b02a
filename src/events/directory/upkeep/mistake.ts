import { z } from 'zod';
import { event, slug, stream, type EventOf } from '../../define.ts';
import { sealed } from '../../oauth/values.ts';
import { svcId } from '../resource.ts';

/** What can be wrong about a public record. */
export const mistakeKinds = ['closed', 'phone', 'address', 'hours', 'other'] as const;
export type MistakeKind = (typeof mistakeKinds)[number];

/** What came of a report: the record was corrected, or nothing was wrong. */
export const mistakeOutcomes = ['fixed', 'dismissed'] as const;
export type MistakeOutcome = (typeof mistakeOutcomes)[number];

export const mistakeKind = z.enum(mistakeKinds, { message: `must be one of ${mistakeKinds.join(', ')}` });
export const mistakeOutcome = z.enum(mistakeOutcomes, {
  message: `must be one of ${mistakeOutcomes.join(', ')}`,
});

/** Each report of a mistake has a stream of its own, so that reports never meet in a conflict. */
export const mistakeStream = stream('mistake', {
  MistakeReported: event(
    'Somebody reported a mistake in a public record. What they wrote, and how to reach them, is sealed with the report’s own data key.',
    z.strictObject({
      report: z.uuid(),
      svc_id: svcId,
      team: slug.describe('The team in whose directory the record is. It reviews the report.'),
      kind: mistakeKind,
      said: sealed.optional(),
    }),
  ),
  MistakeResolved: event(
    'The report was reviewed: the record was corrected, or nothing was wrong. The metadata say by whom.',
    z.strictObject({ outcome: mistakeOutcome }),
  ),
  MistakeReportErased: event(
    'What the report said was erased. Its data key is destroyed, so nobody can read what was sealed with it.',
    z.strictObject({}),
  ),
});
export type MistakeEvent = EventOf<typeof mistakeStream>;
