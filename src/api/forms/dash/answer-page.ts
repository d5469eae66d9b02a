import { z } from 'zod';
import { erase } from '../../../actions/forms.ts';
import { chooseState } from '../../../actions/forms-answers.ts';
import { isConflict, valueOf } from '../../../actions/perform.ts';
import { performFor } from '../../pages/action-form.ts';
import { formVersions } from '../../../commands/forms-versions.ts';
import { openSubmissions, submissionHistory } from '../../../commands/forms-submissions.ts';
import { submissionStates } from '../../../events/forms/submission.ts';
import { refusals } from '../../../ground/refusals.ts';
import type { TextByLanguage } from '../../../events/forms/definition.ts';
import { type FormDocument, formSubmissions, type SubmissionDocument } from '../../../projections/forms.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { notFoundView } from '../../pages/frame/common-views.ts';
import { namesOfActors } from './actor-names.ts';
import { button, form as formOf, hidden, notice, time } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import { facts } from '../../pages/parts/facts.ts';
import { redirectTo, type Page, type TeamPageContext, type View } from '../../pages/page-context.ts';
import { ask } from '../../pages/parts/ask.ts';
import { chosen } from '../../pages/parts/chosen.ts';
import { radioGroup } from '../../pages/parts/choices.ts';
import { doneNotice, redirectDone } from '../../pages/parts/notices.ts';
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

/** Chooses how far the team is with an answer. */
export const answerStatePage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'see the team',
  path: `${path}/state`,
  get: ({ team }) => redirectTo(ofTeam(paths.forms, team.team)),
  post: ofForm(dependencies, async (pageContext, form) => {
    if (!readsAnswers(pageContext, form)) return notReaderView(pageContext, form);
    const doc = await submissionIn(dependencies, pageContext, form);
    if (!doc) return noAnswerView(pageContext, form);
    const performed = await performFor(dependencies, pageContext, chooseState, {
      submission: doc.submission,
      state: chosen(pageContext.form, 'state', submissionStates),
      seen: chosen(pageContext.form, 'seen', submissionStates),
    });
    if (isConflict(performed)) return answerView(dependencies, pageContext, form, doc, texts.meanwhile);
    valueOf(performed);
    return redirectDone(answerPath(form, doc), pageContext, 'state');
  }),
});

const answerPath = ({ slug }: FormDocument, { submission }: SubmissionDocument): string =>
  `${formPagePath(slug)}/answers/${submission}`;

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
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  form: FormDocument,
  doc: SubmissionDocument,
  problem?: string,
): Promise<View> {
  const { personal, store } = dependencies;
  const { team, formToken } = pageContext;
  const [answers] = await openSubmissions(personal, [doc]);
  const { slug } = form;
  // The words that were read: the form may say something else under the same keys since.
  const definition = (await formVersions(store, form.form)).get(doc.form_version) ?? form.definition;
  const [language = 'en'] = definition.languages;
  const here = formPagePath(slug);
  return {
    title: texts.title,
    ...(problem === undefined ? {} : { status: refusals.conflict }),
    content: html`<p class="lead">${titleOf(form)} · ${texts.sent} ${time(doc.submitted_at, 'minute')}</p>
      ${problem === undefined ? doneNotice(pageContext, en.done) : notice(problem, 'wrong')}
      ${answers ? stateCard(pageContext, form, doc) : ''}
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
                      action: ofTeam(`${here}/answers/${doc.submission}/erase`, team.team),
                      token: formToken,
                      fields: hidden('team', team.team),
                    })
                  : ''
              }
            </section>`
          : html`<p class="card">${texts.erased}</p>`
      }
      ${await historyCard(dependencies, doc)}
      <p><a href="${ofTeam(here, team.team)}">${texts.back}</a></p>`,
  };
}

function stateCard({ team, formToken }: TeamPageContext, of: FormDocument, doc: SubmissionDocument): Html {
  const { state } = doc;
  return html`<section class="card">
    ${formOf({
      action: ofTeam(`${answerPath(of, doc)}/state`, team.team),
      token: formToken,
      content: html`${hidden('team', team.team)} ${hidden('seen', state)}
      ${radioGroup({
        name: 'state',
        label: texts.state,
        options: submissionStates.map((value) => ({ value, ...texts.states[value] })),
        value: state,
      })}
      ${button(texts.saveState, { weight: 'secondary' })}`,
    })}
  </section>`;
}

/** What has become of the answer, by whom and when. */
async function historyCard(
  dependencies: PageDependencies,
  { submission }: SubmissionDocument,
): Promise<Html> {
  const steps = await submissionHistory(dependencies.store, submission);
  if (steps.length === 0) return html``;
  const named = await namesOfActors(
    dependencies,
    steps.map(({ by }) => by),
  );
  return html`<section class="card">
    <h2>${texts.history}</h2>
    <ul class="points">
      ${steps.map(
        ({ at, by, became }) =>
          html`<li>${texts.became[became]}, ${time(at, 'minute')}, ${en.one.by} ${named(by)}</li>`,
      )}
    </ul>
  </section>`;
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
