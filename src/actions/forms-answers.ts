import { z } from 'zod';
import { requireForm, noForm } from '../commands/forms.ts';
import {
  chooseSubmissionState,
  noSubmission,
  openSubmissions,
  requireSubmission,
} from '../commands/forms-submissions.ts';
import type { Answers } from '../events/forms/answers.ts';
import type { FormDefinition } from '../events/forms/definition.ts';
import { mayReadAnswers } from '../events/forms/readers.ts';
import { submissionState, type SubmissionProgress } from '../events/forms/submission.ts';
import { formVersions } from '../commands/forms-versions.ts';
import { forms, formSubmissions, submissionOrder, type SubmissionDocument } from '../projections/forms.ts';
import { CommandRefused } from '../ground/refusals.ts';
import { defined } from '../ground/defined.ts';
import { action, type ActionParts, type Who } from './action.ts';

/**
 * Chooses how far the team is with an answer. Whoever reads the answers of the form may. `seen`: the state that was
 * looked at, so that two people do not take the same answer.
 */
export const chooseState = action({
  name: 'forms.choose-submission-state',
  right: 'see the team',
  input: z.object({
    submission: z.uuid(),
    state: submissionState,
    seen: submissionState.optional(),
  }),
  async run(parts, { submission, ...chosen }, { who, context }) {
    await requireReader(parts, who, submission);
    const changes = await chooseSubmissionState(
      parts.store,
      submission,
      defined({ ...chosen, asTeam: who.team }),
      context,
    );
    return { changes, value: () => ({ submission, state: chosen.state }) };
  },
});

/** @throws CommandRefused not_found, forbidden */
async function requireReader({ store, documents }: ActionParts, who: Who, id: string): Promise<void> {
  if (who.kind !== 'person') return;
  const { team, form } = await requireSubmission(store, id);
  if (team !== who.team) throw noSubmission();
  if (who.administrator) return;
  const doc = await documents.collection(forms.collection).get(form);
  if (!doc) throw noForm();
  const { readers } = await requireForm(store, doc);
  if (!mayReadAnswers(who.role, { readers }))
    throw new CommandRefused('forbidden', 'Your role does not read the answers to this form.');
}

/** So many of the newest answers are opened for a search, and at most so many are found. */
export const searchedAtMost = 2_000;
export const foundAtMost = 100;
const openedAtOnce = 200;

export interface FoundAnswers {
  readonly found: readonly SubmissionDocument[];
  /** How many answers were looked through: all, or the newest. */
  readonly searched: number;
  /** There are older answers that were not looked through, or further ones that fit. */
  readonly isCut: boolean;
}

/**
 * The newest answers to a form that contain a text. Answers are sealed, and no index has their words: those of one form
 * are opened and looked through, and nothing of it is kept.
 */
export async function searchAnswers(
  { documents, personal, store }: Pick<ActionParts, 'documents' | 'personal' | 'store'>,
  form: string,
  { text, state }: { readonly text: string; readonly state?: SubmissionProgress | undefined },
): Promise<FoundAnswers> {
  const collection = documents.collection(formSubmissions.collection);
  const versions = await formVersions(store, form);
  const found: SubmissionDocument[] = [];
  let [searched, after]: [number, readonly string[] | undefined] = [0, undefined];
  for (;;) {
    const docs: readonly SubmissionDocument[] = await collection.page({
      where: defined({ form, kept: 1 as const, ...(state && { state, kept: undefined }) }),
      orderBy: submissionOrder,
      descending: true,
      limit: openedAtOnce,
      ...(after && { after }),
    });
    const opened = await openSubmissions(personal, docs);
    for (const [place, doc] of docs.entries()) {
      const answers = opened[place];
      if (!answers || !containsText(answers, versions.get(doc.form_version), text)) continue;
      if (found.length === foundAtMost) return { found, searched: searched + place, isCut: true };
      found.push(doc);
    }
    searched += docs.length;
    const last = docs.at(-1);
    if (!last || docs.length < openedAtOnce) return { found, searched, isCut: false };
    if (searched >= searchedAtMost) return { found, searched, isCut: true };
    after = [last.submitted_at, last.submission];
  }
}

/** Whether what was written, or the label of what was chosen, contains a text in any case and with or without accents. */
export function containsText(
  answers: Answers,
  definition: FormDefinition | undefined,
  text: string,
): boolean {
  const wanted = plain(text);
  const labels = (key: string, chosen: string) =>
    Object.values(
      definition?.fields.find((field) => field.key === key)?.options?.find((each) => each.key === chosen)
        ?.label ?? {},
    );
  return Object.entries(answers).some(([key, answer]) =>
    [answer]
      .flat()
      .filter((each) => typeof each !== 'boolean')
      .some((each) =>
        [String(each), ...labels(key, String(each))].some((one) => plain(one).includes(wanted)),
      ),
  );
}

const plain = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim();
