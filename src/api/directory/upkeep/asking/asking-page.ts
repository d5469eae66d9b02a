import {
  agencyContactList,
  eraseContact,
  type AgencyContact,
} from '../../../../actions/directory/upkeep/agency-contacts.ts';
import {
  askingState,
  beginAsking,
  endAsking,
  previewAsking,
  type AskingPreview,
  type AskingState,
} from '../../../../actions/directory/upkeep/asking.ts';
import { queryOf } from '../../../../actions/listing.ts';
import { valueOf } from '../../../../actions/perform.ts';
import { askingDays } from '../../../../events/directory/upkeep/agency-asking.ts';
import { refusals } from '../../../../ground/refusals.ts';
import { hasRight } from '../../../../events/teams-rights.ts';
import type { PageDependencies } from '../../../dashboard-dependencies.ts';
import { performFor } from '../../../pages/action-form.ts';
import { button, field, form as formOf, hidden, notice, time, when } from '../../../pages/controls.ts';
import { html, type Html } from '../../../pages/html.ts';
import type { Answer, Page, TeamPageContext, View } from '../../../pages/page-context.ts';
import { ask } from '../../../pages/parts/ask.ts';
import { chosen } from '../../../pages/parts/chosen.ts';
import { facts, written } from '../../../pages/parts/facts.ts';
import { doneNotice, redirectDone } from '../../../pages/parts/notices.ts';
import { ofTeam } from '../../../pages/paths.ts';
import { askingPath, callsPath } from '../../dash/dash-paths.ts';
import { askingTexts as texts } from './asking-texts.ts';

const count = (number: number): string => number.toLocaleString('en');

/** Contacts that the page names. */
const mostContacts = 50;

/** Whether a team asks its agencies by mail, the first mail, and how far it has come. */
export const askingPage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'review records',
  path: askingPath,
  get: (pageContext) => view(dependencies, pageContext),
  async post(pageContext): Promise<Answer> {
    const { form } = pageContext;
    const what = chosen(form, 'what', ['preview', 'on', 'off', 'erase']);
    const days = daysIn(form);
    if (what === 'preview' || (what === 'on' && days === 'wrong'))
      return view(dependencies, pageContext, { days, typed: form.get('days') ?? '' });
    if (what === 'off') valueOf(await performFor(dependencies, pageContext, endAsking, {}));
    if (what === 'erase')
      valueOf(
        await performFor(dependencies, pageContext, eraseContact, { contact: form.get('contact') ?? '' }),
      );
    if (what === 'on') {
      const input = { seen: form.get('seen') ?? '', after_days: days };
      const performed = await performFor(dependencies, pageContext, beginAsking, input);
      if (performed.kind === 'refused' && performed.refusal.code === 'conflict')
        return view(dependencies, pageContext, {
          ...{ days, typed: form.get('days') ?? '' },
          problem: performed.refusal.message,
        });
      valueOf(performed);
    }
    return redirectDone(askingPath, pageContext, what === 'erase' ? 'erased' : what);
  },
});

/** Undefined: the usual ones. */
function daysIn(form: URLSearchParams): number | undefined | 'wrong' {
  const typed = (form.get('days') ?? '').trim();
  if (typed === '') return undefined;
  const days = /^\d{1,5}$/.test(typed) ? Number(typed) : 0;
  return days >= askingDays.least && days <= askingDays.most ? days : 'wrong';
}

interface Shown {
  readonly days?: number | undefined | 'wrong';
  readonly typed?: string;
  readonly problem?: string;
}

async function view(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  shown?: Shown,
): Promise<View> {
  const { team, currentUser } = pageContext;
  const now = dependencies.now();
  const { readModel, open } = agencyContactList;
  const query = { ...queryOf(agencyContactList, { team: team.team }), limit: mostContacts };
  const [state, docs] = await Promise.all([
    askingState(dependencies, team.team, now),
    dependencies.documents.collection(readModel.collection).page(query),
  ]);
  const contacts = await open(dependencies, docs);
  const decides = currentUser.person.role === 'administrator' || hasRight(team.role, 'change the team');
  const hasMails = dependencies.config.smtpUrl !== undefined;
  const { days } = shown ?? {};
  const preview =
    shown && hasMails && days !== 'wrong'
      ? await previewAsking(
          dependencies,
          { team: team.team, after_days: days },
          { base: dependencies.config.baseUrl ?? dependencies.address() },
          now,
        )
      : undefined;
  return {
    title: texts.title,
    ...(days === 'wrong' && { status: refusals.invalid }),
    ...(shown?.problem !== undefined && { status: refusals.conflict }),
    content: html`${doneNotice(pageContext, texts.done)}
      ${when(shown?.problem !== undefined, notice(shown?.problem ?? '', 'wrong'))}
      <p class="lead">${texts.lead}</p>
      <p><a href="${ofTeam(callsPath, team.team)}">${texts.toCalls}</a></p>
      ${hasMails ? choice(pageContext, state, decides, shown) : notice(texts.noMailServer, 'plain')}
      ${preview ? previewCard(pageContext, preview, decides) : ''} ${numbers(state)}
      ${contacts.length === 0 ? '' : contactTable(pageContext, contacts)}`,
  };
}

function choice(
  { formToken, team }: TeamPageContext,
  state: AskingState,
  decides: boolean,
  shown: Shown | undefined,
): Html {
  const action = ofTeam(askingPath, team.team);
  const wrong = shown?.days === 'wrong';
  return html`<section class="card">
    <p>${state.on ? texts.on(state.after_days) : texts.off}</p>
    ${formOf({
      action,
      token: formToken,
      label: texts.preview,
      content: html`${hidden('team', team.team)} ${hidden('what', 'preview')}
      ${field({
        name: 'days',
        label: texts.days,
        value: shown?.typed ?? (state.usual ? '' : String(state.after_days)),
        hint: `From ${askingDays.least} to ${askingDays.most}. Empty: ${state.usual ? state.after_days : 'as long as the first part of a record stays fresh'}.`,
        optional: true,
        ...(wrong && { error: `Write a number from ${askingDays.least} to ${askingDays.most}.` }),
      })}
      ${button(texts.preview, { weight: 'secondary' })}`,
    })}
    ${when(
      state.on && decides,
      ask({
        label: texts.endAsking,
        of: '',
        sentence: texts.endSentence,
        action,
        token: formToken,
        values: { team: team.team, what: 'off' },
      }),
    )}
  </section>`;
}

function previewCard(
  { formToken, team }: TeamPageContext,
  { counts, isPart, mail, seen, after_days }: AskingPreview,
  decides: boolean,
): Html {
  const mustCall = Object.values(counts.call).reduce((sum, each) => sum + each, 0);
  return html`<section class="card" aria-labelledby="first-mail">
    <h2 id="first-mail">${mail?.subject ?? texts.nobody}</h2>
    ${mail?.organization === undefined ? '' : html`<p class="quiet">${texts.mailTo} ${mail.organization}</p>`}
    ${
      mail
        ? html`${written(mail.text)}
            <p class="quiet">${texts.linksInMails}</p>`
        : ''
    }
    ${facts([
      [texts.due, count(counts.due)],
      [texts.contacts, count(counts.contacts)],
      [
        texts.mustCall,
        mustCall === 0
          ? undefined
          : html`${count(mustCall)} <a href="${ofTeam(callsPath, team.team)}">${texts.toCalls}</a>`,
      ],
    ])}
    ${when(isPart, html`<p class="quiet">${texts.isPart}</p>`)}
    ${when(
      decides,
      formOf({
        action: ofTeam(askingPath, team.team),
        token: formToken,
        label: texts.begin,
        content: html`${hidden('team', team.team)} ${hidden('what', 'on')} ${hidden('seen', seen)}
        ${hidden('days', String(after_days))} ${button(texts.begin)}`,
      }),
    )}
  </section>`;
}

function numbers({ month, stopped, unreachable, last }: AskingState): Html {
  const week = last?.counts.days.slice(0, 7).reduce((sum, each) => sum + each, 0);
  return html`<section>
    <h2>${texts.month}</h2>
    ${facts([
      [texts.mailed, count(month.mailed)],
      [texts.answered, count(month.answered)],
      [texts.silent, count(month.silent)],
      [texts.stopped, count(stopped)],
      [texts.unreachable, count(unreachable)],
      [texts.next, week === undefined ? undefined : count(week)],
      [texts.asOf, last && time(last.at, 'minute')],
    ])}
  </section>`;
}

function contactTable({ formToken, team }: TeamPageContext, contacts: readonly AgencyContact[]): Html {
  return html`<section aria-labelledby="contacts">
    <h2 id="contacts">${texts.list}</h2>
    ${contacts.map(
      (contact) =>
        html`<div class="card">
          ${facts([
            [texts.address, contact.address],
            [texts.when, time(contact.mailed_at, 'day')],
            [texts.state, texts.states[contact.status]],
            [texts.records, answersOf(contact)],
          ])}
          ${when(
            contact.status !== 'erased' && contact.address !== undefined,
            ask({
              label: texts.erase,
              of: contact.address ?? '',
              sentence: texts.eraseSentence,
              action: ofTeam(askingPath, team.team),
              token: formToken,
              values: { team: team.team, what: 'erase', contact: contact.contact },
            }),
          )}
        </div>`,
    )}
  </section>`;
}

/** "3 right, 1 no answer" */
function answersOf({ svc_ids, questions }: AgencyContact): string {
  const counts = new Map<string, number>();
  for (const svcId of svc_ids) {
    const word = texts.answer[questions[svcId]?.answer ?? 'none'];
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => `${count} ${word}`).join(', ');
}
