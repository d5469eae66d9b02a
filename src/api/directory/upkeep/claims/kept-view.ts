import type { OpenedClaim } from '../../../../actions/directory/upkeep/claims/own-claim.ts';
import { hidden, notice, when } from '../../../pages/controls.ts';
import { html, type Html } from '../../../pages/html.ts';
import type { PublicContext, PublicView } from '../../../pages/frame/public-page.ts';
import { paths } from '../../../pages/paths.ts';
import { linkedTo, privateView } from '../asking/agency-view.ts';
import { confirmedLine } from '../confirmed-line.ts';
import { wordsOf } from '../../pages/hours-line.ts';
import { phoneList } from '../../pages/phones.ts';
import { addressLines } from '../../pages/places.ts';
import { briefAddress, recordPath, type PublicRecord } from '../../pages/record-view.ts';
import { shortened } from '../../pages/shortened.ts';

/** Hours that are longer are cut: the whole page is one press away. */
const longestHours = 300;
const mostPlaces = 3;

interface ProvePage {
  readonly link: string;
  readonly opened: OpenedClaim;
  readonly token: string;
  readonly problem?: string | undefined;
}

const sentFields = ({ link, token }: ProvePage): Html =>
  html`${hidden('token', token)} ${hidden('link', link)}`;

/** The button that proves that somebody reads the mails of the address. */
export const proveView = (
  page: ProvePage,
  { texts: { claim } }: PublicContext,
): Omit<PublicView, 'cookies'> => ({
  title: claim.proveTitle,
  ...privateView,
  content: html`${when(page.problem !== undefined, notice(page.problem ?? '', 'wrong'))}
    <p class="lead">${claim.proveLead({ team: page.opened.teamName })}</p>
    <form method="post" action="${paths.claim}" novalidate>
      ${sentFields(page)}
      <button type="submit" class="primary" name="answer" value="prove">${claim.prove}</button>
    </form>`,
});

export interface KeptPage extends ProvePage {
  readonly records: readonly PublicRecord[];
}

/** All records that a claim is about, each with its buttons, and the end of the claim. */
export function keptView(page: KeptPage, context: PublicContext): Omit<PublicView, 'cookies'> {
  const { claim } = context.texts;
  const { opened, records, problem } = page;
  return {
    title: claim.title,
    ...privateView,
    content: html`${when(problem !== undefined, notice(problem ?? '', 'wrong'))}
      ${
        records.length === 0
          ? html`<p>${claim.none({ host: opened.host })}</p>`
          : html`<p class="lead">${claim.keptLead({ team: opened.teamName })}</p>
              ${records.map((record) => card(page, record, context))}`
      }
      <details class="page-end">
        <summary>${claim.end}</summary>
        <form method="post" action="${paths.claim}" novalidate>
          ${sentFields(page)}
          <p>${claim.endHint}</p>
          <button type="submit" name="answer" value="end">${claim.endSure}</button>
        </form>
      </details>`,
  };
}

function card(page: KeptPage, { svcId, fields, freshness }: PublicRecord, context: PublicContext): Html {
  const { texts, language, now, query } = context;
  const { agency, claim, record } = texts;
  const { name, organization, phones = [], locations = [], url } = fields;
  const site = url ?? organization?.url;
  const hours = wordsOf(fields, texts);
  const places = locations.slice(0, mostPlaces).map((place) => addressLines(place).join(', '));
  const done = query.get('of') === svcId ? query.get('done') : null;
  const sentence =
    done === 'yes'
      ? claim.yesDone
      : done === 'taken'
        ? claim.changed
        : done === 'waits'
          ? claim.changedWaits
          : undefined;
  const entries: readonly (readonly [string, Html | string])[] = [
    [agency.phone, phones.length === 0 ? '' : phoneList(phones, record, language)],
    [agency.address, places.filter((line) => line !== '').join('\n')],
    [agency.hours, hours === '' ? '' : shortened(hours, longestHours)],
    [agency.website, site === undefined ? '' : briefAddress(site)],
  ];
  return html`<section class="page-end" id="${svcId}" aria-labelledby="${svcId}-name">
    <h2 id="${svcId}-name">${name}</h2>
    ${sentence === undefined ? '' : html`<p role="status"><strong>${sentence}</strong></p>`}
    ${entries.map(
      ([label, value]) =>
        html`<h3>${label}</h3>
          ${typeof value === 'string' ? html`<p class="written">${value === '' ? agency.missing : value}</p>` : value}`,
    )}
    <p><a href="${recordPath(svcId)}" rel="noreferrer">${agency.seeAll}</a></p>
    <p class="quiet">${confirmedLine(freshness, now, texts)}</p>
    <form method="post" action="${paths.claim}" novalidate>
      ${sentFields(page)} ${hidden('svc_id', svcId)}
      <p class="choices">
        <button type="submit" class="primary" name="answer" value="yes">${claim.yes}</button>
        <a class="button" href="${linkedTo(paths.claimChange, page.link, { svc_id: svcId })}"
          >${claim.change}</a
        >
        <button type="submit" name="answer" value="closed">${agency.closed}</button>
      </p>
    </form>
  </section>`;
}
