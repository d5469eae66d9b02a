import type { OpenedLink } from '../../../../actions/directory/upkeep/agency-links.ts';
import { agencyAnswers } from '../../../../events/directory/upkeep/agency-contact.ts';
import { hidden, notice, when } from '../../../pages/controls.ts';
import { html, type Html } from '../../../pages/html.ts';
import type { PublicContext, PublicView } from '../../../pages/frame/public-page.ts';
import type { Texts } from '../../../pages/frame/texts.ts';
import { paths } from '../../../pages/paths.ts';
import { wordsOf } from '../../pages/hours-line.ts';
import { phoneList } from '../../pages/phones.ts';
import { addressLines } from '../../pages/places.ts';
import { briefAddress, recordPath, type PublicRecord } from '../../pages/record-view.ts';
import { shortened } from '../../pages/shortened.ts';

/** Hours that are longer are cut: the whole page is one press away. */
const longestHours = 300;
const mostPlaces = 3;

/** A page of ours with the link in its address. */
export const linkedTo = (path: string, link: string, also: Readonly<Record<string, string>> = {}): string =>
  `${path}?${new URLSearchParams({ link, ...also }).toString()}`;

/** What every page behind a private link is: of one reader, in no search engine, and kept by no browser. */
export const privateView = { noStore: true, headers: { 'x-robots-tag': 'noindex, nofollow' } } as const;

export interface AgencyPage {
  readonly link: string;
  readonly opened: OpenedLink;
  readonly records: readonly PublicRecord[];
  readonly token: string;
  readonly problem?: string | undefined;
}

/** All records of a mail, each with its buttons or with what was answered. */
export function agencyView(page: AgencyPage, context: PublicContext): Omit<PublicView, 'cookies'> {
  const { texts } = context;
  const { agency } = texts;
  const { opened, records, problem } = page;
  const done = records.filter(({ svcId }) => opened.answers.has(svcId)).length;
  // What has had its effect cannot be taken back.
  const isOpen = records.some(({ svcId }) => opened.answers.get(svcId)?.carriedOut === false);
  return {
    title: agency.title,
    ...privateView,
    content: html`${when(problem !== undefined, notice(problem ?? '', 'wrong'))}
    ${
      records.length === 0
        ? html`<p>${agency.nothing}</p>`
        : html`<p class="lead">${agency.lead({ team: opened.teamName })}</p>
            <p class="quiet" role="status">${agency.progress({ done, all: records.length })}</p>
            ${records.map((record) => card(page, record, context))} ${when(isOpen, finish(page, texts))}`
    }`,
  };
}

/** What the agency is asked about a record: what people see of it, in short, and the way to all of it. */
export function shownFacts(
  { svcId, fields }: PublicRecord,
  { texts, language }: Pick<PublicContext, 'texts' | 'language'>,
): Html {
  const { agency, record } = texts;
  const { organization, phones = [], locations = [], url } = fields;
  const site = url ?? organization?.url;
  const hours = wordsOf(fields, texts);
  const places = locations.slice(0, mostPlaces).map((place) => addressLines(place).join(', '));
  const facts: readonly (readonly [string, Html | string])[] = [
    [agency.phone, phones.length === 0 ? '' : phoneList(phones, record, language)],
    [agency.address, places.filter((line) => line !== '').join('\n')],
    [agency.hours, hours === '' ? '' : shortened(hours, longestHours)],
    [agency.website, site === undefined ? '' : briefAddress(site)],
  ];
  return html`${facts.map(
      ([label, value]) =>
        html`<h3>${label}</h3>
          ${typeof value === 'string' ? html`<p class="written">${value === '' ? agency.missing : value}</p>` : value}`,
    )}
    <p><a href="${recordPath(svcId)}" rel="noreferrer">${agency.seeAll}</a></p>`;
}

function card(page: AgencyPage, shown: PublicRecord, context: PublicContext): Html {
  const { svcId, fields } = shown;
  const { name, organization } = fields;
  return html`<section class="page-end" id="${svcId}" aria-labelledby="${svcId}-name">
    <h2 id="${svcId}-name">${name}</h2>
    ${organization === undefined || organization.name === name ? '' : html`<p class="quiet">${organization.name}</p>`}
    ${shownFacts(shown, context)} ${choices(page, svcId, context.texts)}
  </section>`;
}

function choices({ opened, link, token }: AgencyPage, svcId: string, { agency }: Texts): Html {
  const answer = opened.answers.get(svcId);
  const hiddenFields = html`${hidden('token', token)} ${hidden('link', link)} ${hidden('svc_id', svcId)}`;
  if (answer)
    return html`<form method="post" action="${paths.agency}" novalidate>
      ${hiddenFields}
      <p role="status"><strong>${agency.answers[answer.answer]}</strong></p>
      ${when(
        !answer.carriedOut && answer.answer !== 'change',
        html`<p class="choices"><button type="submit" name="answer" value="undo">${agency.undo}</button></p>`,
      )}
    </form>`;
  const words = { yes: agency.yes, change: agency.change, closed: agency.closed, not_ours: agency.notOurs };
  return html`<form method="post" action="${paths.agency}" novalidate>
    ${hiddenFields}
    <p class="choices">
      ${agencyAnswers.map((each) =>
        each === 'change'
          ? html`<a class="button" href="${linkedTo(paths.agencyChange, link, { svc_id: svcId })}"
              >${words.change}</a
            >`
          : html`<button
              type="submit"
              name="answer"
              value="${each}"
              ${when(each === 'yes', html`class="primary"`)}
            >
              ${words[each]}
            </button>`,
      )}
    </p>
  </form>`;
}

const finish = ({ link, token }: AgencyPage, { agency }: Texts): Html =>
  html`<form class="page-end" method="post" action="${paths.agency}" novalidate>
    ${hidden('token', token)} ${hidden('link', link)}
    <button type="submit" class="primary" name="answer" value="done">${agency.finish}</button>
    <p class="quiet">${agency.finishHint}</p>
  </form>`;

/** The link was not sealed here, it has expired, or there is nothing behind it any more. */
export const goneLinkView = ({ texts: { agency } }: Pick<PublicContext, 'texts'>): PublicView => ({
  title: agency.goneTitle,
  status: 400,
  ...privateView,
  content: html`<p>${agency.gone}</p>`,
});
