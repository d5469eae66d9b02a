import { checkAnswers } from '../../events/forms/answers.ts';
import type { MasterKey } from '../../ground/master-key.ts';
import { uuidOf } from '../../events/ids.ts';
import type { FormDocument } from '../../projections/forms.ts';
import { OpenForms } from '../pages/frame/open-form.ts';
import type { PublicAnswer, PublicView } from '../pages/frame/public-page.ts';
import type { ChangedWords } from './changed-words.ts';
import { formPath } from './form-path.ts';
import { inputOfForm, type FormInput } from './form-input.ts';
import { offersReceipt, wantedReceipt } from './receipts.ts';
import type { Taken, TakeSubmission } from './take-submission.ts';
import type { Texts } from '../pages/frame/texts.ts';
import {
  closedView,
  doneView,
  formView,
  missingView,
  type FormContext,
  type SentProblems,
} from './form-view.ts';

export interface HostedFormParts {
  readonly masterKey: MasterKey;
  readonly take: TakeSubmission;
  readonly changedWords: ChangedWords;
  /** The name of the team with this slug. */
  readonly nameOf: (team: string) => Promise<string>;
  /** Whether mails are sent at all. */
  readonly sendsMail: boolean;
}

export interface HostedForm {
  get(form: FormDocument | undefined, context: FormContext): Promise<PublicAnswer>;
  /** What was posted by the page itself. */
  post(form: FormDocument | undefined, context: FormContext): Promise<PublicAnswer>;
  /** The form again, with what was filled in. */
  again(
    form: FormDocument,
    input: FormInput,
    problems: SentProblems,
    context: FormContext,
  ): Promise<PublicView>;
}

/** The page of a form. */
export function hostedForm({
  masterKey,
  take,
  changedWords,
  nameOf,
  sendsMail,
}: HostedFormParts): HostedForm {
  const openForms = new OpenForms(masterKey, 'form of a team');

  const show = async (
    form: FormDocument,
    answers: FormInput['answers'],
    problems: SentProblems | undefined,
    context: FormContext,
    wantsReceipt = false,
  ): Promise<PublicView> => {
    const { token, ...opened } = openForms.open(form.form, context);
    const receipt = sendsMail && offersReceipt(form) ? wantsReceipt : undefined;
    const teamName = await nameOf(form.team);
    const view = formView({ form, teamName, token, answers, receipt, problems }, context);
    return { ...view, ...opened };
  };

  return {
    async get(form, context) {
      if (!form) return missingView(context);
      if (context.query.has('done')) return doneView(form, context);
      if (form.status === 'closed') return closedView(form, await nameOf(form.team), 200, context);
      return show(form, new Map(), undefined, context);
    },

    async post(form, context) {
      if (!form) return missingView(context);
      if (form.status === 'closed') return closedView(form, await nameOf(form.team), 410, context);
      const input = inputOfForm(context.form);
      const { problems } = context.texts.form;
      const again = (wrong: Partial<SentProblems>) =>
        show(form, input.answers, { answers: new Map(), ...wrong }, context, input.receipt);
      const name = openForms.nameOf(input.token, form.form, context);
      if (name === undefined) return again({ form: problems.expired });
      const kept = await changedWords(form, input);
      if (kept)
        return show(form, kept, { answers: new Map(), form: problems.changed }, context, input.receipt);
      const checked = checkAnswers(form.definition.fields, input.answers);
      if (checked.kind !== 'accepted')
        return { ...(await again(problemsOf(checked, context.texts))), ...statusOf(checked) };
      // People do not see this field. A program that fills it in is told nothing.
      if (!input.trapped) {
        const command = {
          actor: { kind: 'system', id: 'form-page' },
          // The name of the form: sent twice, it is one submission.
          commandId: uuidOf('form page', form.form, name),
          correlationId: context.request.id,
          at: context.now,
        } as const;
        const taken = await take(
          form,
          checked.answers,
          context.request.ip,
          command,
          wantedReceipt(input, context),
        );
        if (taken.kind !== 'taken')
          return limited(taken, await again({ form: limitText(taken, context.texts) }));
      }
      return { to: donePath(form, context) };
    },

    again: (form, input, problems, context) => show(form, input.answers, problems, context, input.receipt),
  };
}

/** What is wrong with answers that were not accepted. */
export function problemsOf(
  checked: Exclude<ReturnType<typeof checkAnswers>, { readonly kind: 'accepted' }>,
  { form: { problems } }: Texts,
): SentProblems {
  if (checked.kind === 'too_large') return { answers: new Map(), form: problems.tooLarge };
  // A field that the form has no more: it was revised while the page was open.
  return { answers: checked.problems, ...(checked.unknown.length > 0 ? { form: problems.changed } : {}) };
}

export const statusOf = ({ kind }: { readonly kind: 'refused' | 'too_large' }) => ({
  status: kind === 'too_large' ? 413 : 422,
});

type Limited = Exclude<Taken, { readonly kind: 'taken' }>;

export const limitText = ({ kind, retryAfter }: Limited, { form: { problems } }: Texts): string =>
  kind === 'network' ? problems.tooMany({ count: Math.ceil(retryAfter / 60) }) : problems[kind];

export const limited = ({ retryAfter }: Limited, view: PublicView): PublicView => ({
  ...view,
  status: 429,
  headers: { 'retry-after': String(retryAfter) },
});

/** Where a browser goes when the form was taken. Showing that page again sends nothing again. */
export function donePath({ team, slug }: FormDocument, { query }: FormContext): string {
  const lang = query.get('lang');
  const parameters = new URLSearchParams({ done: '', ...(lang === null ? {} : { lang }) });
  return `${formPath(team, slug)}?${parameters.toString()}`;
}
