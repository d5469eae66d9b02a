import { z } from 'zod';
import { wordsOf } from '../../events/forms/answer-words.ts';
import type { FormVersions } from '../../commands/forms-versions.ts';
import { openSubmissions } from '../../commands/forms-submissions.ts';
import { fieldKinds } from '../../events/forms/definition.ts';
import { submissionStates } from '../../events/forms/submission.ts';
import { memberRole } from '../../events/teams.ts';
import type { PersonalData } from '../../personal/personal-data.ts';
import type { FormDocument, SubmissionDocument } from '../../projections/forms.ts';
import { formPath } from './form-path.ts';

const time = z.iso.datetime();
/** Answers are not checked again, so these are the schemas of the definition without its checks. */
const texts = z.record(z.string(), z.string()).describe('By language.');
const field = z.object({
  key: z.string().describe('Names the answer.'),
  kind: z.enum(fieldKinds),
  label: texts,
  help: texts.optional(),
  required: z.boolean(),
  options: z.array(z.object({ key: z.string(), label: texts })).optional(),
  several: z.boolean().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});

/** A form in answers. */
export const form = z.object({
  id: z.uuid(),
  slug: z.string(),
  url: z.string().describe('The page on which everybody can fill it in.'),
  status: z.enum(['open', 'closed']),
  readers: memberRole.describe(
    'The lowest role whose members read the answers in the dashboard. A key needs forms:read.',
  ),
  version: z.int().describe('Grows with each change. Submissions name the version that was filled in.'),
  languages: z.array(z.string()).describe('The first one has every text.'),
  title: texts,
  intro: texts.optional(),
  fields: z.array(field),
  thanks: texts.optional(),
  allowed_origins: z.array(z.string()).describe('The sites from which the form may be sent.'),
  daily_cap: z
    .int()
    .optional()
    .describe('The most submissions in a day (UTC). Absent: as the service is set up.'),
  erased_after_days: z
    .int()
    .optional()
    .describe('After so many days answers are erased by themselves. Absent: they are kept.'),
  published_at: time,
  changed_at: time,
});

export const formOf = (doc: FormDocument, base: string): z.output<typeof form> => {
  const { form: id, team, slug, status, readers, version, definition, published_at, changed_at } = doc;
  const url = base + formPath(team, slug);
  const kept = doc.kept_days === undefined ? {} : { erased_after_days: doc.kept_days };
  return { id, slug, url, status, readers, version, ...definition, ...kept, published_at, changed_at };
};

/** A submission in answers. */
export const submission = z.object({
  id: z.uuid(),
  form: z.uuid(),
  form_version: z.int(),
  submitted_at: time,
  state: z.enum(submissionStates).describe('How far the team is with it.'),
  state_at: time.nullable().describe('Since when. Null for one that was always new.'),
  erased: z.boolean(),
  answers: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
    .nullable()
    .describe('By the keys of the fields, without those that were left empty. Null when they are erased.'),
  words: z
    .record(
      z.string(),
      z.object({
        label: z.string().describe('The question.'),
        help: z.string().optional().describe('The explanation below it.'),
        options: z.record(z.string(), z.string()).optional().describe('The chosen options by their keys.'),
      }),
    )
    .nullable()
    .describe(
      'To what each answer was given: the words of the version that was filled in, in its first language, by the keys of the fields. Null when the answers are erased.',
    ),
});

/** Submissions as their team sees them: the answers are opened with one read of the vault. */
export async function submissionsOf(
  personal: PersonalData,
  docs: readonly SubmissionDocument[],
  versions: FormVersions,
): Promise<z.output<typeof submission>[]> {
  const answers = await openSubmissions(personal, docs);
  return docs.map(({ submission: id, form: of, form_version, submitted_at, state, state_at = null }, at) => {
    const opened = answers[at];
    const jsonAnswers =
      opened &&
      Object.fromEntries(
        Object.entries(opened).map(([key, answer]) => [
          key,
          typeof answer === 'object' ? [...answer] : answer,
        ]),
      );
    const definition = versions.get(form_version);
    return {
      id,
      form: of,
      form_version,
      submitted_at,
      state,
      state_at,
      erased: jsonAnswers === undefined,
      answers: jsonAnswers ?? null,
      words: opened ? (definition ? wordsOf(definition, opened) : {}) : null,
    };
  });
}
