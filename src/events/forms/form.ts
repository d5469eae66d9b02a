import { z } from 'zod';
import { event, slug, stream, type EventOf } from '../define.ts';
import { memberRole, type MemberRole } from '../teams.ts';
import { formDefinition } from './definition.ts';

/** Who reads the answers of a form that was published before readers could be chosen. */
export const readersOfFormerForms: MemberRole = 'member';

const readers = memberRole.describe('The lowest role that reads the answers.');

/** The id of a form follows from its team and slug, so its stream ensures that the slug is unique in the team. */
export const formStream = stream('form', {
  FormPublished: event(
    'A team published a form. Everybody can fill it in at /f/{team}/{slug}.',
    z.strictObject({
      form: z.uuid(),
      team: slug,
      slug,
      version: z.literal(1),
      definition: formDefinition,
      readers: readers
        .optional()
        .describe(
          'The lowest role that reads the answers. Absent in forms from before it could be chosen: every member.',
        ),
    }),
  ),
  FormRevised: event(
    'The form was changed. Submissions name the version that they were filled in with.',
    z.strictObject({ version: z.int().min(2), definition: formDefinition }),
  ),
  FormClosed: event('The form was closed. It takes no more answers.', z.strictObject({})),
  FormReopened: event('The form was opened again.', z.strictObject({})),
  FormReadersChosen: event(
    'It was chosen who of the team reads the answers to the form.',
    z.strictObject({ readers }),
  ),
});
export type FormEvent = EventOf<typeof formStream>;
