import { erase, reportList, resolve } from '../../../actions/directory/upkeep/reports.ts';
import { oneOf } from '../../../actions/listing.ts';
import { isConflict, valueOf } from '../../../actions/perform.ts';
import { openReports, type ReportTexts } from '../../../commands/directory/upkeep/mistake.ts';
import { refusals } from '../../../ground/refusals.ts';
import { defined } from '../../../ground/defined.ts';
import type { MistakeDocument } from '../../../projections/directory/upkeep/mistakes.ts';
import { resources, type ResourceDocument } from '../../../projections/directory/resources.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { performFor } from '../../pages/action-form.ts';
import { chosen } from '../../pages/parts/chosen.ts';
import { notice, time, when } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import { facts, written } from '../../pages/parts/facts.ts';
import type { Redirect, TeamPageContext, View } from '../../pages/page-context.ts';
import { ask } from '../../pages/parts/ask.ts';
import { empty } from '../../pages/parts/list-controls.ts';
import { doneNotice, redirectDone } from '../../pages/parts/notices.ts';
import { ofTeam, paths } from '../../pages/paths.ts';
import { editPath, mistakesOf } from '../dash/dash-paths.ts';
import { queueTabs } from '../dash/queue-tabs.ts';
import { CurrentZones } from '../default-zones.ts';
import { recordAsSeen } from '../dash/record-as-seen.ts';
import { nextReport, placeOfQueue, shownCount, waitingIn } from '../dash/team-records.ts';
import { en } from '../dash/texts.ts';

const { review: texts } = en;

/** What people have reported about public records, one report at a time, with the record as it is now. */
export async function reportsView(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  { decided = false }: { readonly decided?: boolean } = {},
): Promise<View> {
  const { documents, personal, now } = dependencies;
  const { team, query } = pageContext;
  const [{ item, again }, waiting] = await Promise.all([
    nextReport(documents, team.team, placeOfQueue(query.get('after'))),
    waitingIn(documents, team.team),
  ]);
  const doc = item && (await documents.collection(resources.collection).get(item.svc_id));
  const [words = {}] = item ? await openReports(personal, [item]) : [];
  return {
    title: texts.title,
    ...(decided && { status: refusals.conflict }),
    content: html`${doneNotice(pageContext, texts.done)} ${when(decided, notice(texts.decided, 'wrong'))}
    ${queueTabs(team.team, 'mistakes', waiting)}
    ${
      item === undefined
        ? empty(texts.noMistakes, html`<p class="quiet">${texts.noMistakesNext}</p>`)
        : html`<p class="quiet">
              ${texts.left(shownCount(waiting.reports))} ${when(again, html`${texts.fromTheStart}`)}
            </p>
            <div class="beside">
              ${doc ? recordAsSeen(doc, now(), texts.asItIs, await new CurrentZones(dependencies).now()) : notice(texts.noRecord, 'plain')}
              <div>${reportCard(item, words, doc, pageContext, waiting.reports > 1)}</div>
            </div>`
    }`,
  };
}

/** Settles a report, or erases what it says. */
export async function decideReport(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
): Promise<View | Redirect> {
  const { form, team } = pageContext;
  const decision = chosen(form, 'decision', ['fixed', 'dismissed', 'erase']);
  const from = form.has('from') ? chosen(form, 'from', ['record']) : undefined;
  const { report: id, ...about } = await oneOf(reportList, dependencies, team.team, form.get('report') ?? '');
  const performed =
    decision === 'erase'
      ? await performFor(dependencies, pageContext, erase, { id })
      : await performFor(dependencies, pageContext, resolve, { id, outcome: decision });
  if (isConflict(performed)) return reportsView(dependencies, pageContext, { decided: true });
  valueOf(performed);
  const done = decision === 'erase' ? 'erased' : decision;
  if (from === 'record') return redirectDone(`${paths.directory}/${about.svc_id}`, pageContext, done);
  const also = decision === 'erase' ? {} : { after: `${about.reported_at} ${id}` };
  return redirectDone(paths.review, pageContext, done, { show: 'mistakes', ...also });
}

function reportCard(
  report: MistakeDocument,
  words: ReportTexts,
  doc: ResourceDocument | undefined,
  pageContext: TeamPageContext,
  hasNext: boolean,
): Html {
  const { team } = pageContext;
  return html`<section class="card" aria-labelledby="decide">
    <h2 id="decide">${texts.whatIsWrong}</h2>
    ${reportFacts(report, words)}
    ${
      doc
        ? html`<p>
            <a class="button secondary" href="${ofTeam(editPath(doc.svc_id), team.team)}">${texts.correct}</a>
          </p>`
        : ''
    }
    ${settleReport(report, pageContext, {})}
    ${when(
      hasNext,
      html`<p>
        <a
          class="button secondary"
          data-key="j"
          href="${mistakesOf(team.team, { after: `${report.reported_at} ${report.report}` })}"
          >${texts.next}</a
        >
      </p>`,
    )}
    <p class="quiet small">${texts.mistakeKeys}</p>
  </section>`;
}

/** What a report says. */
export const reportFacts = ({ kind, reported_at, erased }: MistakeDocument, words: ReportTexts): Html =>
  facts([
    [texts.reportedAt, time(reported_at, 'minute')],
    [texts.whatIsWrong, en.mistakes[kind]],
    [texts.words, written(erased ? texts.erasedAlready : (words.text ?? texts.noWords))],
    [texts.contact, words.contact],
  ]);

/** The buttons that settle a report. `from`: the page to come back to, where it is not the queue. */
export function settleReport(
  { report, kind, said, status }: MistakeDocument,
  { formToken, team }: TeamPageContext,
  { from }: { readonly from?: 'record' },
): Html {
  const values = { team: team.team, report, ...defined({ from }) };
  const shared = { of: en.mistakes[kind], action: ofTeam(paths.review, team.team), token: formToken };
  return html`${
    status === 'open'
      ? html`${ask({
          ...shared,
          label: texts.fixed,
          sentence: texts.fixedSentence,
          values: { ...values, decision: 'fixed' },
          weight: 'primary',
          ...(from === undefined ? { key: 'a' } : {}),
        })}
        ${ask({
          ...shared,
          label: texts.dismiss,
          sentence: texts.dismissSentence,
          values: { ...values, decision: 'dismissed' },
          weight: 'secondary',
          ...(from === undefined ? { key: 'r' } : {}),
        })}`
      : ''
  }
  ${
    said === undefined
      ? ''
      : ask({
          ...shared,
          label: texts.eraseReport,
          sentence: texts.eraseSentence,
          values: { ...values, decision: 'erase' },
        })
  }`;
}
