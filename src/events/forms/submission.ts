import { z } from 'zod';
import { event, slug, stream, type EventOf } from '../define.ts';

/** The most bytes of the answers of one submission, as JSON in UTF-8. */
export const largestAnswers = 32 * 1024;

/** How far a team is with an answer. */
export const submissionStates = ['new', 'in_work', 'done'] as const;
export const submissionState = z.enum(submissionStates, {
  message: `must be one of ${submissionStates.join(', ')}`,
});
export type SubmissionProgress = (typeof submissionStates)[number];

/** 32 KiB with what sealing adds, in base64url. */
const sealedAnswers = z
  .string()
  .max(44_000)
  .regex(/^[A-Za-z0-9_-]+$/)
  .meta({ title: 'sealed under the data key of the submission, base64url' });

/**
 * Each submission has a stream of its own, so that submissions never meet in a conflict. The name does not begin like
 * that of the streams of forms.
 */
export const formSubmissionStream = stream('submission', {
  FormSubmitted: event(
    'Somebody filled in a form. The answers are sealed with the submission’s own data key.',
    z.strictObject({
      submission: z.uuid(),
      team: slug,
      form: z.uuid(),
      form_version: z.int().positive(),
      submitted_at: z.iso.datetime(),
      answers_sealed: sealedAnswers,
    }),
  ),
  FormSubmissionStateChosen: event(
    'Somebody of the team began with an answer, was done with it, or put it back. The metadata say who.',
    z.strictObject({ state: submissionState }),
  ),
  FormSubmissionErased: event(
    'The answers were erased. Their data key is destroyed, so nobody can read what was sealed with it.',
    z.strictObject({}),
  ),
});
export type FormSubmissionEvent = EventOf<typeof formSubmissionStream>;
