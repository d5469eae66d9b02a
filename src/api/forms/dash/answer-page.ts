import { z } from 'zod';
import { erase } from '../../../actions/forms.ts';
import { valueOf } from '../../../actions/perform.ts';
import { performFor } from '../../pages/action-form.ts';
import { formVersions } from '../../../commands/forms-versions.ts';
import { openSubmissions } from '../../../commands/forms-submissions.ts';
import type { TextByLanguage } from '../../../events/forms/definition.ts';
import { type FormDocument, formSubmissions, type SubmissionDocument } from '../../../projections/forms.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { notFoundView } from '../../pages/frame/common-views.ts';
import { hidden, time } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import { facts } from '../../pages/parts/facts.ts';
import { redirectTo, type Page, type TeamPageContext, type View } from '../../pages/page-context.ts';
import { ask } from '../../pages/parts/ask.ts';
import { redirectDone } from '../../pages/parts/notices.ts';
import { ofTeam, paths } from '../../pages/paths.ts';
import { answerText } from './answer-text.ts';
import { changesForms, ofForm, formPagePath, notReaderView, readsAnswers } from './form-authority.ts';
import { titleOf } from './forms-list.ts';
import { en } from './texts.ts';

const texts = en.answer;
const path = `${formPagePath(':form')}/answers/:submission`;
const uuid = z.uuid();

/** What one person has sent with a form. */
export const answerPage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'see the team',
  path,
  get: ofForm(dependencies, async (pageContext, form) => {
    if (!readsAnswers(pageContext, form)) return notReaderView(pageContext, form);
    const doc = await submissionIn(dependencies, pageContext, form);
    return doc ? answerView(dependencies, pageContext, form, doc) : noAnswerView(pageContext, form);
  }),
});

/** Erases an answer for ever. */
export const eraseAnswerPage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'change forms',
  path: `${path}/erase`,
  get: ({ team }) => redirectTo(ofTeam(paths.forms, team.team)),
  post: ofForm(dependencies, async (pageContext, form) => {
    const doc = await submissionIn(dependencies, pageContext, form);
    if (!doc) return noAnswerView(pageContext, form);
    valueOf(await performFor(dependencies, pageContext, erase, { submission: doc.submission }));
    return redirectDone(formPagePath(form.slug), pageContext, 'erased');
  }),
});

async function submissionIn(
  { documents }: PageDependencies,
  { request }: TeamPageContext,
  { form }: FormDocument,
): Promise<SubmissionDocument | undefined> {
  const { submission = '' } = request.params as { readonly submission?: string };
  if (!uuid.safeParse(submission).success) return undefined;
  const doc = await documents.collection(formSubmissions.collection).get(submission);
  return doc?.form === form ? doc : undefined;
}

async function answerView(
  { personal, store }: PageDependencies,
  pageContext: TeamPageContext,
  form: FormDocument,
  doc: SubmissionDocument,
): Promise<View> {
  const { team, formToken } = pageContext;
  const [answers] = await openSubmissions(personal, [doc]);
  const { slug } = form;
  // The words that were read: the form may say something else under the same keys since.
  const definition = (await formVersions(store, form.form)).get(doc.form_version) ?? form.definition;
  const [language = 'en'] = definition.languages;
  const here = formPagePath(slug);
  return {
    title: texts.title,
    content: html`<p class="lead">${titleOf(form)} · ${texts.sent} ${time(doc.submitted_at, 'minute')}</p>
      ${
        answers
          ? html`<section class="card">
              ${doc.form_version === form.version ? '' : html`<p class="quiet">${texts.formerWords}</p>`}
              ${facts(
                definition.fields.map((field) => [
                  html`${field.label[language] ?? field.key} ${inOtherLanguages(field.label, language)}`,
                  shownAnswer(answerText(answers[field.key], field, language)),
                ]),
              )}
              ${
                changesForms(pageContext)
                  ? ask({
                      label: texts.erase,
                      of: texts.title.toLowerCase(),
                      sentence: texts.eraseSentence,
                      action: `${here}/answers/${doc.submission}/erase`,
                      token: formToken,
                      fields: hidden('team', team.team),
                    })
                  : ''
              }
            </section>`
          : html`<p class="card">${texts.erased}</p>`
      }
      <p><a href="${ofTeam(here, team.team)}">${texts.back}</a></p>`,
  };
}

/** A form in several languages was read in one of them. */
const inOtherLanguages = (label: TextByLanguage, first: string): Html[] =>
  Object.entries(label)
    .filter(([language]) => language !== first)
    .map(([language, text]) => html`<span class="quiet" lang="${language}">${text}</span> `);

const shownAnswer = (answer: string | undefined): Html =>
  answer === undefined ? html`<span class="quiet">${texts.empty}</span>` : lines(answer);

/** A text with its line breaks. */
const lines = (text: string): Html =>
  html`${text.split('\n').map((each, nth) => (nth === 0 ? each : html`<br />${each}`))}`;

const noAnswerView = ({ team }: TeamPageContext, { slug }: FormDocument): View =>
  notFoundView(texts.none, { to: ofTeam(formPagePath(slug), team.team), label: texts.back });
