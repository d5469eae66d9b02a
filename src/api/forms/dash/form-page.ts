import { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Action } from '../../../actions/action.ts';
import { chooseReaders, close, reopen } from '../../../actions/forms.ts';
import { valueOf } from '../../../actions/perform.ts';
import { performFor } from '../../pages/action-form.ts';
import { submissionState } from '../../../events/forms/submission.ts';
import { memberRole } from '../../../events/teams.ts';
import type { FormDocument } from '../../../projections/forms.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { button, form, hidden, time } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import { redirectTo, type Page, type TeamPageContext, type View } from '../../pages/page-context.ts';
import { chosen } from '../../pages/parts/chosen.ts';
import { radioGroup } from '../../pages/parts/choices.ts';
import { ask } from '../../pages/parts/ask.ts';
import { badge } from '../../pages/parts/badge.ts';
import { doneNotice, redirectDone } from '../../pages/parts/notices.ts';
import { copyable } from '../../pages/parts/show-once.ts';
import { ofTeam, paths } from '../../pages/paths.ts';
import { formPath } from '../form-path.ts';
import { recordDownload, submissionsCsv } from '../../../actions/forms-csv.ts';
import { answersPart, searchPath } from './answers-part.ts';
import {
  changesForms,
  ofForm,
  formPagePath,
  notReaderView,
  readsAnswers,
  settingsPath,
} from './form-authority.ts';
import { titleOf } from './forms-list.ts';
import { en } from './texts.ts';
import { embedCard } from './embed-code.ts';
import { languagesCard } from './translation-page.ts';

const texts = en.one;

/** One form: its address, whether it is open, and what people have sent. */
export const formPage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'see the team',
  path: formPagePath(':form'),
  get: ofForm(dependencies, (pageContext, doc) => formView(dependencies, pageContext, doc)),
});

/** The answers that have some words. */
export const searchPage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'see the team',
  path: searchPath(':form'),
  get: ({ team }) => redirectTo(ofTeam(paths.forms, team.team)),
  post: ofForm(dependencies, (pageContext, doc) =>
    readsAnswers(pageContext, doc)
      ? formView(dependencies, pageContext, doc)
      : notReaderView(pageContext, doc),
  ),
});

/** Everything that was sent with a form, as a table in a file. */
export const csvPage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'see the team',
  path: `${formPagePath(':form')}/answers.csv`,
  recordsViews: true,
  get: ofForm(dependencies, async (pageContext, doc) => {
    if (!readsAnswers(pageContext, doc)) return notReaderView(pageContext, doc);
    const { data: state } = submissionState.safeParse(pageContext.query.get('state'));
    await recordDownload(dependencies, doc, 'csv', pageContext.context(), { state });
    return {
      download: Readable.from(submissionsCsv(dependencies, doc.form, { state })),
      filename: `${doc.team}-${doc.slug}.csv`,
      type: 'text/csv',
    };
  }),
});

export const closeFormPage = (dependencies: PageDependencies): Page =>
  change(dependencies, 'close', close, 'closed');

export const reopenFormPage = (dependencies: PageDependencies): Page =>
  change(dependencies, 'reopen', reopen, 'reopened');

/** Chooses who of the team reads the answers. */
export const readersPage = (dependencies: PageDependencies): Page =>
  change(dependencies, 'readers', chooseReaders, 'readers', ({ form }) => ({
    readers: chosen(form, 'readers', memberRole.options),
  }));

/** A page that takes one change of a form. */
function change<Input extends z.ZodObject, Value>(
  dependencies: PageDependencies,
  name: string,
  action: Action<Input, Value>,
  done: keyof typeof en.done,
  also: (pageContext: TeamPageContext) => object = () => ({}),
): Page {
  return {
    audience: 'team',
    right: 'change forms',
    path: `${formPagePath(':form')}/${name}`,
    get: ({ team }) => redirectTo(ofTeam(paths.forms, team.team)),
    post: ofForm(dependencies, async (pageContext, doc) => {
      const input = { slug: doc.slug, ...also(pageContext) };
      valueOf(await performFor(dependencies, pageContext, action, input));
      return redirectDone(formPagePath(doc.slug), pageContext, done);
    }),
  };
}

async function formView(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  doc: FormDocument,
): Promise<View> {
  const { team } = pageContext;
  const { config, issuer } = dependencies;
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
        <p class="quiet">
          ${doc.kept_days === undefined ? texts.answersKept : texts.erasedAfter(doc.kept_days)}
        </p>
        ${changesForms(pageContext) ? changeButtons(pageContext, doc) : ''}
      </section>
      ${readsAnswers(pageContext, doc) ? await answersPart(dependencies, pageContext, doc) : html`<p class="card">${en.readers.refused[doc.readers]}</p>`}
      ${changesForms(pageContext) ? embedCard(doc, address) : ''}
      ${changesForms(pageContext) ? languagesCard(pageContext, doc) : ''}
      ${changesForms(pageContext) ? readersCard(pageContext, doc) : ''}
      <p><a href="${ofTeam(paths.forms, team.team)}">${en.back}</a></p>`,
  };
}

/** Who of the team reads the answers. */
function readersCard({ team, formToken }: TeamPageContext, { slug, readers }: FormDocument): Html {
  const options = memberRole.options.map((value) => ({ value, label: en.readers.roles[value] }));
  return html`<section class="card">
    ${form({
      action: ofTeam(`${formPagePath(slug)}/readers`, team.team),
      token: formToken,
      content: html`${hidden('team', team.team)}
      ${radioGroup({
        name: 'readers',
        label: en.readers.heading,
        hint: en.readers.hint,
        options,
        value: readers,
      })}
      ${button(en.readers.save, { weight: 'secondary' })}`,
    })}
  </section>`;
}

function changeButtons({ team, formToken }: TeamPageContext, doc: FormDocument): Html {
  const path = formPagePath(doc.slug);
  const open = doc.status === 'open';
  return html`<div class="choices">
    <a class="button secondary" href="${ofTeam(`${path}/edit`, team.team)}">${texts.edit}</a>
    <a class="button secondary" href="${ofTeam(settingsPath(doc.slug), team.team)}">${texts.settings}</a>
    ${ask({
      label: open ? texts.close : texts.reopen,
      of: titleOf(doc),
      sentence: open ? texts.closeSentence : texts.reopenSentence,
      action: ofTeam(`${path}/${open ? 'close' : 'reopen'}`, team.team),
      token: formToken,
      weight: 'secondary',
      fields: hidden('team', team.team),
    })}
  </div>`;
}
