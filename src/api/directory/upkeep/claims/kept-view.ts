import type { OpenedClaim } from '../../../../actions/directory/upkeep/claims/own-claim.ts';
import { hidden, notice, when } from '../../../pages/controls.ts';
import { html, type Html } from '../../../pages/html.ts';
import type { PublicContext, PublicView } from '../../../pages/frame/public-page.ts';
import { paths } from '../../../pages/paths.ts';
import { linkedTo, privateView, shownFacts } from '../asking/agency-view.ts';
import { confirmedLine } from '../confirmed-line.ts';
import type { PublicRecord } from '../../pages/record-view.ts';

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

function card(page: KeptPage, record: PublicRecord, context: PublicContext): Html {
  const { svcId, fields, freshness } = record;
  const { texts, now, query } = context;
  const { agency, claim } = texts;
  const done = query.get('of') === svcId ? query.get('done') : null;
  const sentence =
    done === 'yes'
      ? claim.yesDone
      : done === 'taken'
        ? claim.changed
        : done === 'waits'
          ? claim.changedWaits
          : undefined;
  return html`<section class="page-end" id="${svcId}" aria-labelledby="${svcId}-name">
    <h2 id="${svcId}-name">${fields.name}</h2>
    ${sentence === undefined ? '' : html`<p role="status"><strong>${sentence}</strong></p>`}
    ${shownFacts(record, context)}
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
