import { Readable } from 'node:stream';
import { commandForm, type FormCommand } from '../../../commands/forms/form.ts';
import { formSubmissions, submissionOrder } from '../../../projections/forms/submissions.ts';
import type { FormDocument } from '../../../projections/forms/forms.ts';
import { openSubmissions } from '../../../commands/forms/submission.ts';
import { untilShown } from '../../../projections/until-shown.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { hidden, time } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import { afterParameter, keysetPage } from '../../pages/lists/keyset.ts';
import { redirectTo, type Page, type TeamPageContext, type View } from '../../pages/page-context.ts';
import { ask } from '../../pages/parts/ask.ts';
import { badge } from '../../pages/parts/badge.ts';
import { empty, pager } from '../../pages/parts/list-controls.ts';
import { doneNotice, redirectDone } from '../../pages/parts/notices.ts';
import { copyable } from '../../pages/parts/show-once.ts';
import { table } from '../../pages/parts/table.ts';
import { ofTeam, paths } from '../../pages/paths.ts';
import { formPath } from '../form-path.ts';
import { submissionsCsv } from '../submissions-csv.ts';
import { answerText } from './answer-text.ts';
import { changesForms, formIn, formPagePath, noFormView } from './form-authority.ts';
import { titleOf } from './forms-list.ts';
import { en } from './texts.ts';
import { languagesCard } from './translation-page.ts';

const texts = en.one;

/** Fields of which the list of answers shows the beginning. */
const fieldsInList = 2;

/** One form: its address, whether it is open, and what people have sent. */
export const formPage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'see the team',
  path: formPagePath(':form'),
  async get(pageContext) {
    const doc = await formIn(dependencies, pageContext);
    return doc ? formView(dependencies, pageContext, doc) : noFormView(pageContext);
  },
});

/** Everything that was sent with a form, as a table in a file. */
export const csvPage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'see the team',
  path: `${formPagePath(':form')}/answers.csv`,
  async get(pageContext) {
    const doc = await formIn(dependencies, pageContext);
    if (!doc) return noFormView(pageContext);
    return {
      download: Readable.from(submissionsCsv(dependencies, doc.form)),
      filename: `${doc.team}-${doc.slug}.csv`,
      type: 'text/csv',
    };
  },
});

export const closeFormPage = (dependencies: PageDependencies): Page =>
  change(dependencies, 'close', 'closed');

export const reopenFormPage = (dependencies: PageDependencies): Page =>
  change(dependencies, 'reopen', 'reopened');

/** A page that takes one change of a form. */
function change(
  { store, documents }: PageDependencies,
  kind: Extract<FormCommand['kind'], 'close' | 'reopen'>,
  done: keyof typeof en.done,
): Page {
  return {
    audience: 'team',
    right: 'change forms',
    path: `${formPagePath(':form')}/${kind}`,
    get: ({ team }) => redirectTo(ofTeam(paths.forms, team.team)),
    async post(pageContext) {
      const doc = await formIn({ documents } as PageDependencies, pageContext);
      if (!doc) return noFormView(pageContext);
      const { team, slug } = doc;
      await untilShown(documents, await commandForm(store, { team, slug }, { kind }, pageContext.context()));
      return redirectDone(formPagePath(slug), pageContext, done);
    },
  };
}

async function formView(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  doc: FormDocument,
): Promise<View> {
  const { team, query } = pageContext;
  const { config, issuer, documents } = dependencies;
  const here = formPagePath(doc.slug);
  const page = await keysetPage(documents.collection(formSubmissions.collection), {
    where: { form: doc.form },
    orderBy: submissionOrder,
    descending: true,
    after: query.get(afterParameter),
  });
  const address = `${config.baseUrl ?? issuer()}${formPath(doc.team, doc.slug)}`;
  return {
    title: titleOf(doc),
    content: html`<p class="lead">
        ${badge(en.status[doc.status], doc.status === 'open' ? 'good' : 'plain')} ${en.columns.changed}
        ${time(doc.changed_at)}
      </p>
      ${doneNotice(pageContext, en.done)}
      <section class="card">
        <h2>${texts.address}</h2>
        <p class="quiet">${texts.addressHint}</p>
        ${copyable(address, texts.address)}
        <p><a href="${address}">${texts.look}</a></p>
        ${changesForms(pageContext) ? changeButtons(pageContext, doc) : ''}
      </section>
      ${changesForms(pageContext) ? languagesCard(pageContext, doc) : ''}
      ${
        page.docs.length === 0 && page.isFirst
          ? empty(texts.noAnswers)
          : html`<section class="card">
              <div class="team-head">
                <h2>${texts.answers}</h2>
                <a href="${ofTeam(`${here}/answers.csv`, team.team)}">${texts.csv}</a>
              </div>
              ${await answersTable(dependencies, pageContext, doc, page.docs)}
            </section>`
      }
      ${pager({
        first: page.isFirst ? undefined : ofTeam(here, team.team),
        next: page.next === undefined ? undefined : ofTeam(here, team.team, { [afterParameter]: page.next }),
      })}
      <p><a href="${ofTeam(paths.forms, team.team)}">${en.back}</a></p>`,
  };
}

function changeButtons({ team, formToken }: TeamPageContext, doc: FormDocument): Html {
  const path = formPagePath(doc.slug);
  const open = doc.status === 'open';
  return html`<div class="choices">
    <a class="button secondary" href="${ofTeam(`${path}/edit`, team.team)}">${texts.edit}</a>
    ${ask({
      label: open ? texts.close : texts.reopen,
      of: titleOf(doc),
      sentence: open ? texts.closeSentence : texts.reopenSentence,
      action: `${path}/${open ? 'close' : 'reopen'}`,
      token: formToken,
      weight: 'secondary',
      fields: hidden('team', team.team),
    })}
  </div>`;
}

/** When each answer was sent, how it begins, and the way to all of it. */
async function answersTable(
  { personal }: PageDependencies,
  { team }: TeamPageContext,
  { slug, definition }: FormDocument,
  docs: Parameters<typeof openSubmissions>[1] extends readonly (infer Doc)[]
    ? readonly (Doc & { readonly submitted_at: string; readonly erased?: true })[]
    : never,
): Promise<Html> {
  const opened = await openSubmissions(personal, docs);
  const [language = 'en'] = definition.languages;
  const shown = definition.fields.slice(0, fieldsInList);
  return table({
    caption: texts.answersCaption,
    columns: [
      { label: texts.sent },
      ...shown.map(({ label }) => ({ label: label[language] ?? '' })),
      { label: '' },
    ],
    rows: docs.map(({ submission, submitted_at }, place) => {
      const answers = opened[place];
      const to = ofTeam(`${formPagePath(slug)}/answers/${submission}`, team.team);
      return [
        html`${time(submitted_at, 'minute')} ${answers ? '' : badge(texts.erased)}`,
        ...shown.map((field) => beginning(answerText(answers?.[field.key], field, language) ?? '')),
        html`<a href="${to}">${texts.read}<span class="unseen"> ${submitted_at}</span></a>`,
      ];
    }),
  });
}

const beginning = (text: string): string =>
  text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text;
