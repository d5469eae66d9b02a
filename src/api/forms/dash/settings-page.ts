import { peopleNamed } from '../../../actions/accounts/people-named.ts';
import { nameOffice, removeOffice } from '../../../actions/forms-office.ts';
import { chooseMails, chooseRetention } from '../../../actions/forms.ts';
import type { Performed } from '../../../actions/perform.ts';
import { emailFieldOf } from '../../../events/forms/definition.ts';
import { longestKept, mostMailed } from '../../../events/forms/form.ts';
import { mayReadAnswers } from '../../../events/forms/readers.ts';
import { refusals } from '../../../ground/refusals.ts';
import type { FormDocument } from '../../../projections/forms.ts';
import { members } from '../../../projections/teams-members.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { performFor } from '../../pages/action-form.ts';
import {
  button,
  checkbox,
  field,
  form as formOf,
  hidden,
  notice,
  type Problems,
} from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import {
  redirectTo,
  type Answer,
  type Page,
  type TeamPageContext,
  type View,
} from '../../pages/page-context.ts';
import { checkboxGroup } from '../../pages/parts/choices.ts';
import { redirectDone } from '../../pages/parts/notices.ts';
import { ofTeam, paths } from '../../pages/paths.ts';
import { formPagePath, ofForm, settingsPath } from './form-authority.ts';
import { officeCard } from './office-card.ts';
import { titleOf } from './forms-list.ts';
import { en } from './texts.ts';

const texts = en.settings;

/** So many members are offered. The list is no search. */
const mostOffered = 100;

/** Who is told of answers by mail, whether senders get receipts, and after how many days answers are erased. */
export const settingsPage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'change forms',
  path: settingsPath(':form'),
  get: ofForm(dependencies, (pageContext, doc) => settingsView(dependencies, pageContext, doc)),
});

export const mailsPage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'change forms',
  path: `${settingsPath(':form')}/mails`,
  get: ({ team }) => redirectTo(ofTeam(paths.forms, team.team)),
  post: ofForm(dependencies, async (pageContext, doc) => {
    const { form } = pageContext;
    const performed = await performFor(dependencies, pageContext, chooseMails, {
      slug: doc.slug,
      members: form.getAll('members'),
      content: form.get('content') === 'yes',
      receipts: form.get('receipts') === 'yes',
    });
    return answered(dependencies, pageContext, doc, performed, { members: texts.membersWrong });
  }),
});

export const retentionPage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'change forms',
  path: `${settingsPath(':form')}/retention`,
  get: ({ team }) => redirectTo(ofTeam(paths.forms, team.team)),
  post: ofForm(dependencies, async (pageContext, doc) => {
    const typed = (pageContext.form.get('days') ?? '').trim();
    const days = typed === '' ? undefined : /^\d{1,9}$/.test(typed) ? Number(typed) : Number.NaN;
    const performed = await performFor(dependencies, pageContext, chooseRetention, { slug: doc.slug, days });
    return answered(dependencies, pageContext, doc, performed, { days: texts.daysWrong });
  }),
});

/** Names an address outside of the team, which gets mails once it has confirmed that. */
export const nameOfficePage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'change forms',
  path: `${settingsPath(':form')}/office`,
  get: ({ team }) => redirectTo(ofTeam(paths.forms, team.team)),
  post: ofForm(dependencies, async (pageContext, doc) => {
    const performed = await performFor(dependencies, pageContext, nameOffice, {
      slug: doc.slug,
      address: (pageContext.form.get('address') ?? '').trim(),
      content: pageContext.form.get('office-content') === 'yes',
    });
    const wrong = performed.kind === 'refused' ? performed.refusal.message : en.office.wrong;
    return answered(dependencies, pageContext, doc, performed, { address: wrong });
  }),
});

export const removeOfficePage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'change forms',
  path: `${settingsPath(':form')}/office/remove`,
  get: ({ team }) => redirectTo(ofTeam(paths.forms, team.team)),
  post: ofForm(dependencies, async (pageContext, doc) => {
    const performed = await performFor(dependencies, pageContext, removeOffice, { slug: doc.slug });
    return answered(dependencies, pageContext, doc, performed, {});
  }),
});

async function answered(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  doc: FormDocument,
  performed: Performed<unknown>,
  problems: Problems,
): Promise<Answer> {
  if (performed.kind === 'done') return redirectDone(formPagePath(doc.slug), pageContext, 'settings');
  return {
    ...(await settingsView(dependencies, pageContext, doc, problems)),
    status: performed.kind === 'refused' ? performed.refusal.status : refusals.invalid,
  };
}

async function settingsView(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  doc: FormDocument,
  problems: Problems = {},
): Promise<View> {
  const { team } = pageContext;
  return {
    title: texts.title,
    content: html`<p class="lead">${titleOf(doc)}</p>
      ${await mailsCard(dependencies, pageContext, doc, problems)}
      ${await officeCard(dependencies, pageContext, doc, problems)}
      ${retentionCard(pageContext, doc, problems)}
      <p><a href="${ofTeam(formPagePath(doc.slug), team.team)}">${en.readers.back}</a></p>`,
  };
}

async function mailsCard(
  dependencies: PageDependencies,
  { team, formToken, form: typed }: TeamPageContext,
  doc: FormDocument,
  problems: Problems,
): Promise<Html> {
  const { slug, mails, definition } = doc;
  const values = typed.has('members') ? typed.getAll('members') : (mails?.members ?? []);
  const options = await readersOf(dependencies, team.team, doc);
  const sendsMail = dependencies.config.smtpUrl !== undefined;
  const asksForEmail = emailFieldOf(definition) !== undefined;
  return html`<section class="card">
    <h2>${texts.mails}</h2>
    ${sendsMail ? '' : notice(texts.noMailServer, 'plain')}
    ${formOf({
      action: ofTeam(`${settingsPath(slug)}/mails`, team.team),
      token: formToken,
      label: texts.mails,
      content: html`${hidden('team', team.team)}
        ${checkboxGroup({
          name: 'members',
          label: texts.members,
          hint: texts.membersHint(mostMailed),
          options,
          values,
          error: problems['members'],
        })}
        ${checkbox({ name: 'content', label: texts.content, ticked: mails?.content === true })}
        <p class="hint">${texts.contentHint}</p>
        ${
          asksForEmail
            ? html`${checkbox({ name: 'receipts', label: texts.receipts, ticked: mails?.receipts === true })}
                <p class="hint">${texts.receiptsHint}</p>`
            : html`<p class="hint">${texts.noEmailField}</p>`
        }
        ${button(texts.saveMails)}`,
    })}
  </section>`;
}

/** The members who read the answers, by name. */
async function readersOf(dependencies: PageDependencies, team: string, doc: FormDocument) {
  const found = await dependencies.documents.collection(members.collection).page({
    where: { team, status: 'member' },
    orderBy: ['joined_at', 'user'],
    limit: mostOffered,
  });
  const readers = found.filter(({ role }) => mayReadAnswers(role, doc));
  const named = await peopleNamed(
    dependencies,
    readers.map(({ user }) => user),
  );
  return readers.flatMap(({ user }) => {
    const person = named.get(user);
    return person?.email ? [{ value: user, label: `${person.name} (${person.email})` }] : [];
  });
}

function retentionCard(
  { team, formToken, form: typed }: TeamPageContext,
  { slug, kept_days }: FormDocument,
  problems: Problems,
): Html {
  return html`<section class="card">
    <h2>${texts.retention}</h2>
    ${formOf({
      action: ofTeam(`${settingsPath(slug)}/retention`, team.team),
      token: formToken,
      label: texts.retention,
      content: html`${hidden('team', team.team)}
      ${field({
        name: 'days',
        label: texts.days,
        hint: texts.daysHint(longestKept),
        value: typed.get('days') ?? (kept_days === undefined ? '' : String(kept_days)),
        optional: true,
        maxlength: 9,
        error: problems['days'],
      })}
      ${button(texts.saveRetention)}`,
    })}
  </section>`;
}
