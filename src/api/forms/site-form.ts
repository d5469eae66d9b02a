import type { FastifyReply, FastifyRequest } from 'fastify';
import { checkAnswers } from '../../events/forms/answers.ts';
import { uuidOf } from '../../events/ids.ts';
import type { FormDocument } from '../../projections/forms.ts';
import { idempotencyKeyOf } from '../http/idempotency.ts';
import type { Problem } from '../http/responses/problem.ts';
import type { PublicAnswer } from '../pages/frame/public-page.ts';
import type { ChangedWords } from './changed-words.ts';
import { formProblem } from './form-errors.ts';
import { inputOfForm, inputOfJson, type FormInput } from './form-input.ts';
import type { FormContext } from './form-view.ts';
import { donePath, limited, limitText, problemsOf, statusOf, type HostedForm } from './hosted-form.ts';
import { wantedReceipt } from './receipts.ts';
import type { Taken, TakeSubmission } from './take-submission.ts';

/** What a site of the team gets when the form was taken. */
export interface SiteAnswer {
  readonly id: string;
  readonly message: string;
}

/** Takes what the site of a team sends. */
export interface SiteForm {
  /** For a script. @throws Problem */
  json(form: FormDocument, context: FormContext): Promise<SiteAnswer>;
  /** For a form of that site without a script: the browser comes here. */
  page(form: FormDocument, context: FormContext): Promise<PublicAnswer>;
}

export function siteForm(take: TakeSubmission, changedWords: ChangedWords, hosted: HostedForm): SiteForm {
  const takeFrom = (
    form: FormDocument,
    answers: Parameters<TakeSubmission>[1],
    input: FormInput,
    context: FormContext,
  ): Promise<Taken> => {
    const { request, now } = context;
    const key = idempotencyKeyOf(request);
    const command = {
      actor: { kind: 'system', id: 'form-endpoint' },
      // No hash of the request is kept with it: of answers that can be guessed it would tell them for ever.
      commandId: key === undefined ? crypto.randomUUID() : uuidOf('form endpoint', form.form, key),
      correlationId: request.id,
      at: now,
    } as const;
    return take(form, answers, request.ip, command, wantedReceipt(input, context));
  };

  return {
    async json(form, context) {
      const { texts } = context;
      const input = inputOf(context.request, context);
      const message = thanksOf(form, context);
      if (await changedWords(form, input)) throw formProblem('form_changed', texts.form.problems.changed);
      const checked = checkAnswers(form.definition.fields, input.answers);
      if (checked.kind === 'too_large')
        throw formProblem('answers_too_large', 'All answers together may have 32 KiB as JSON.');
      if (checked.kind === 'refused') throw invalidAnswers(checked, context);
      // A program that fills in the field that people do not see is told nothing.
      if (input.trapped) return { id: crypto.randomUUID(), message };
      const taken = await takeFrom(form, checked.answers, input, context);
      if (taken.kind === 'taken') return { id: taken.submission, message };
      throw formProblem(
        taken.kind === 'full' ? 'form_full' : 'too_many_submissions',
        limitText(taken, texts),
        { headers: { 'retry-after': String(taken.retryAfter) } },
      );
    },

    async page(form, context) {
      const input = inputOfForm(context.form);
      const kept = await changedWords(form, input);
      if (kept) {
        const problems = { answers: new Map(), form: context.texts.form.problems.changed };
        return hosted.again(form, { ...input, answers: kept }, problems, context);
      }
      const checked = checkAnswers(form.definition.fields, input.answers);
      if (checked.kind !== 'accepted') {
        const view = await hosted.again(form, input, problemsOf(checked, context.texts), context);
        return { ...view, ...statusOf(checked) };
      }
      if (!input.trapped) {
        const taken = await takeFrom(form, checked.answers, input, context);
        if (taken.kind !== 'taken') {
          const problems = { answers: new Map(), form: limitText(taken, context.texts) };
          return limited(taken, await hosted.again(form, input, problems, context));
        }
      }
      return { to: donePath(form, context) };
    },
  };
}

function inputOf(request: FastifyRequest, context: FormContext): FormInput {
  if (!isJson(request)) return inputOfForm(context.form);
  const input = inputOfJson(request.body);
  if (!input) throw formProblem('invalid_body', 'The body must be an object with the answers.');
  return input;
}

export const isJson = ({ headers }: FastifyRequest): boolean =>
  /^\s*application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');

function invalidAnswers(
  checked: Extract<ReturnType<typeof checkAnswers>, { readonly kind: 'refused' }>,
  { texts }: FormContext,
): Problem {
  const wrong = [...checked.problems].map(([field, code]) => ({
    field,
    code,
    message: texts.form.answers[code],
  }));
  const unknown = checked.unknown.slice(0, 20).map((field) => ({
    field: field.toWellFormed().slice(0, 60),
    code: 'unknown_field',
    message: texts.form.problems.changed,
  }));
  return formProblem(
    'invalid_answers',
    unknown.length > 0 ? 'The form has no such field.' : texts.form.summary({ count: wrong.length }),
    { members: { errors: [...wrong, ...unknown] } },
  );
}

/** In the language of the answer, else in the first of the form. */
function thanksOf({ definition }: FormDocument, { language, texts }: FormContext): string {
  const { thanks } = definition;
  return thanks?.[language] ?? thanks?.[definition.languages[0] ?? ''] ?? texts.form.done;
}

/** Lets the page of a site read the answer (Fetch section 3.2). */
export function allowOrigin(reply: FastifyReply, origin: string): void {
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'Retry-After, X-Request-Id',
    vary: 'origin',
  });
}

export const preflightHeaders = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'Content-Type, Idempotency-Key',
  // The team may take the site off its list: browsers ask again after ten minutes.
  'access-control-max-age': '600',
};
