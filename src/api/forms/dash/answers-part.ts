import { foundAtMost, searchAnswers, searchedAtMost } from '../../../actions/forms-answers.ts';
import { openSubmissions } from '../../../commands/forms-submissions.ts';
import { formVersions } from '../../../commands/forms-versions.ts';
import { hasSameWords } from '../../../events/forms/answer-words.ts';
import { submissionState, submissionStates } from '../../../events/forms/submission.ts';
import { defined } from '../../../ground/defined.ts';
import {
  formSubmissions,
  submissionOrder,
  type FormDocument,
  type SubmissionDocument,
} from '../../../projections/forms.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { button, field, form, hidden, notice, time } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import { keysetPage } from '../../pages/keyset.ts';
import type { TeamPageContext } from '../../pages/page-context.ts';
import { badge } from '../../pages/parts/badge.ts';
import { selectField } from '../../pages/parts/choices.ts';
import { empty, filterBar } from '../../pages/parts/list-controls.ts';
import { table } from '../../pages/parts/table.ts';
import { ofTeam } from '../../pages/paths.ts';
import { namesOfActors } from './actor-names.ts';
import { answerText } from './answer-text.ts';
import { formPagePath } from './form-authority.ts';
import { en } from './texts.ts';

const texts = en.one;

/** Fields of which the list of answers shows the beginning. */
const fieldsInList = 2;
/** The most characters of a search. */
const longestSearch = 200;

/**
 * Where words are searched. They are posted: an address, which is kept in a history and a log of requests, holds nothing
 * that somebody has written.
 */
export const searchPath = (slug: string): string => `${formPagePath(slug)}/answers`;

/** A page of the answers, for those who read them: in one state, or with some words. */
export async function answersPart(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  doc: FormDocument,
): Promise<Html> {
  const { team, query, form: typed, formToken } = pageContext;
  const here = formPagePath(doc.slug);
  const { data: state } = submissionState.safeParse(typed.get('state') ?? query.get('state'));
  const text = (typed.get('words') ?? '').trim().slice(0, longestSearch).toWellFormed();
  const isNarrowed = state !== undefined || text !== '';
  const { docs, further, note } =
    text === ''
      ? { ...(await pageInState(dependencies, pageContext, doc, state)), note: undefined }
      : await withWords(dependencies, doc, { text, state });
  if (docs.length === 0 && !isNarrowed && !query.has('after')) return empty(texts.noAnswers);
  return html`<section class="card" id="answers">
      <div class="team-head">
        <h2>${texts.answers}</h2>
        <a href="${ofTeam(`${here}/answers.csv`, team.team, defined({ state }))}">${texts.csv}</a>
      </div>
      ${filterBar({
        action: here,
        team: team.team,
        label: texts.filter,
        fields: selectField({
          name: 'state',
          label: texts.state,
          options: [
            { value: '', label: texts.everyState },
            ...submissionStates.map((value) => ({ value, label: en.states[value] })),
          ],
          value: state,
        }),
      })}
      ${form({
        action: ofTeam(searchPath(doc.slug), team.team),
        token: formToken,
        label: texts.search,
        content: html`<div class="filters">
          ${hidden('team', team.team)} ${state === undefined ? '' : hidden('state', state)}
          ${field({
            name: 'words',
            label: texts.search,
            value: text,
            optional: true,
            maxlength: longestSearch,
            autocomplete: 'off',
          })}
          ${button(texts.find, { weight: 'secondary' })}
        </div>`,
      })}
      ${note === undefined ? '' : notice(note, 'plain')}
      ${
        docs.length === 0
          ? html`<p>
              ${text === '' ? texts.noneInState : texts.noneFound}
              <a href="${ofTeam(here, team.team)}">${texts.all}</a>
            </p>`
          : await answersTable(dependencies, pageContext, doc, docs)
      }
    </section>
    ${further}`;
}

interface Shown {
  readonly docs: readonly SubmissionDocument[];
  readonly further: Html | '';
  readonly note?: string | undefined;
}

const pageInState = (
  { documents }: PageDependencies,
  { team, query }: TeamPageContext,
  { form: id, slug }: FormDocument,
  state: SubmissionDocument['state'] | undefined,
): Promise<Shown> =>
  keysetPage(documents.collection(formSubmissions.collection), {
    where: defined({ form: id, state }),
    orderBy: submissionOrder,
    descending: true,
    query,
    here: (also) => ofTeam(formPagePath(slug), team.team, { ...defined({ state }), ...also }),
  });

async function withWords(
  dependencies: PageDependencies,
  { form: id }: FormDocument,
  search: Parameters<typeof searchAnswers>[2],
): Promise<Shown> {
  const { found, isCut } = await searchAnswers(dependencies, id, search);
  const newest = searchedAtMost.toLocaleString('en');
  return {
    docs: found,
    further: '',
    note: isCut ? texts.searchedNewest(newest, foundAtMost) : undefined,
  };
}

/**
 * When each answer was sent, how it begins, how far the team is with it, and the way to all of it. An answer to other
 * words than those of the column says to which.
 */
async function answersTable(
  dependencies: PageDependencies,
  { team }: TeamPageContext,
  { form: id, slug, definition }: FormDocument,
  docs: readonly SubmissionDocument[],
): Promise<Html> {
  const { personal, store } = dependencies;
  const [opened, versions, named] = await Promise.all([
    openSubmissions(personal, docs),
    formVersions(store, id),
    namesOfActors(
      dependencies,
      docs.map(({ state_by }) => state_by),
    ),
  ]);
  const [language = 'en'] = definition.languages;
  const shown = definition.fields.slice(0, fieldsInList);
  return table({
    caption: texts.answersCaption,
    columns: [
      { label: texts.sent },
      ...shown.map(({ label }) => ({ label: label[language] ?? '' })),
      { label: texts.state },
      { label: '' },
    ],
    rows: docs.map((doc, place) => {
      const { submission, submitted_at, form_version, state, state_by } = doc;
      const filledIn = versions.get(form_version) ?? definition;
      const answers = opened[place];
      const to = ofTeam(`${formPagePath(slug)}/answers/${submission}`, team.team);
      return [
        html`${time(submitted_at, 'minute')} ${answers ? '' : badge(texts.erased)}`,
        ...shown.map((field) => {
          const read = filledIn.fields.find(({ key }) => key === field.key) ?? field;
          const [its = 'en'] = filledIn.languages;
          const text = beginning(answerText(answers?.[field.key], read, its) ?? '');
          return text === '' || hasSameWords(read, field) ? text : `${read.label[its] ?? ''}: ${text}`;
        }),
        html`${badge(en.states[state], state === 'done' ? 'good' : 'plain')}
        ${state === 'new' || !state_by ? '' : named(state_by)}`,
        html`<a href="${to}">${texts.read}<span class="unseen"> ${submitted_at}</span></a>`,
      ];
    }),
  });
}

const beginning = (text: string): string =>
  text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text;
