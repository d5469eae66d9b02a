import { z } from 'zod';
import { event, slug, stream, type EventOf } from '../define.ts';
import { memberRole, type MemberRole } from '../teams.ts';
import { formDefinition } from './definition.ts';
import { sealed, userId } from '../oauth/values.ts';

/** Who reads the answers of a form that was published before readers could be chosen. */
export const readersOfFormerForms: MemberRole = 'member';

/** The most members who are told of the answers to a form by mail. */
export const mostMailed = 20;
/** The most days for which answers are kept, if they are erased at all: ten years. */
export const longestKept = 3_650;

export const formMails = z.strictObject({
  members: z
    .array(userId)
    .max(mostMailed)
    .refine((all) => new Set(all).size === all.length, { message: 'a member is named twice' })
    .describe('Who is told by mail that answers have come. Nobody: no such mails.'),
  content: z.boolean().describe('Whether the answers themselves stand in these mails.'),
  receipts: z.boolean().describe('Whether the sender may ask for a receipt by mail.'),
});
export type FormMails = z.output<typeof formMails>;

export const keptDays = z
  .int({ error: `must be a whole number of days, from 1 to ${longestKept}` })
  .min(1)
  .max(longestKept);

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
  FormMailsChosen: event(
    'It was chosen who is told of answers by mail, and whether senders get receipts.',
    formMails,
  ),
  FormOfficeNamed: event(
    'An address outside of the team was named that gets mails about answers once it has confirmed that. It takes the place of an earlier one.',
    z.strictObject({
      office: z.uuid(),
      address_sealed: sealed.describe(
        'Sealed under a data key of its own, which is destroyed when it is removed.',
      ),
      content: z.boolean().describe('Whether the answers themselves stand in these mails.'),
    }),
  ),
  FormOfficeConfirmed: event(
    'Whoever reads the mail of the address outside of the team confirmed that mails about answers go there.',
    z.strictObject({ office: z.uuid() }),
  ),
  FormOfficeRemoved: event(
    'The address outside of the team gets no more mails. The metadata say whether an admin removed it, or its reader by the link in a mail.',
    z.strictObject({ office: z.uuid() }),
  ),
  FormRetentionChosen: event(
    'It was chosen after how many days answers are erased by themselves.',
    z.strictObject({
      days: keptDays.optional().describe('Absent: they are kept until somebody erases them.'),
    }),
  ),
});
export type FormEvent = EventOf<typeof formStream>;
