import { CommandRefused } from '../../../commands/errors.ts';
import { commandResource } from '../../../commands/directory/resource.ts';
import type { CommandOnResource } from '../../../commands/directory/resource.ts';
import type { ResourceDocument } from '../../../projections/directory/resources.ts';
import { untilShown } from '../../../projections/until-shown.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { chosen } from '../../pages/parts/chosen.ts';
import { field, notice, time, when } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import { facts } from '../../pages/parts/facts.ts';
import type { Page, TeamPageContext, View } from '../../pages/page-context.ts';
import { ask } from '../../pages/parts/ask.ts';
import { badge } from '../../pages/parts/badge.ts';
import { empty } from '../../pages/parts/list-controls.ts';
import { doneNotice, redirectDone } from '../../pages/parts/notices.ts';
import { ofTeam, paths } from '../../pages/paths.ts';
import { recordPath } from '../pages/record-view.ts';
import { dashRecordPath } from './dash-paths.ts';
import { suspectedDuplicates, type Suspect } from './duplicates.ts';
import { queueTabs } from './queue-tabs.ts';
import { nameOf, recordAsSeen } from './record-as-seen.ts';
import { decideReport, reportsView } from './reports.ts';
import { nextSubmitted, shownCount, teamRecord, waitingIn } from './team-records.ts';
import { en } from './texts.ts';

const { review: texts } = en;

/** A decision that could not be carried out, with what was typed. */
interface Refused {
  readonly doc?: ResourceDocument | undefined;
  readonly sentence?: string;
  readonly status: number;
  /** The question that is open, with what is wrong about the answer. */
  readonly rejecting?: string;
}

/** What waits for a decision, one record or report at a time. */
export function reviewPage(dependencies: PageDependencies): Page {
  return {
    audience: 'team',
    right: 'review records',
    path: paths.review,
    get: (pageContext) =>
      pageContext.query.get('show') === 'mistakes'
        ? reportsView(dependencies, pageContext)
        : submittedView(dependencies, pageContext),
    post: (pageContext) =>
      pageContext.form.has('report')
        ? decideReport(dependencies, pageContext)
        : decide(dependencies, pageContext),
  };
}

async function decide(dependencies: PageDependencies, pageContext: TeamPageContext) {
  const { form, team } = pageContext;
  const rejects = chosen(form, 'decision', ['approve', 'reject']) === 'reject';
  const doc = await teamRecord(dependencies.documents, team.team, form.get('record') ?? '');
  const reason = (form.get('reason') ?? '').trim();
  if (rejects && reason === '')
    return submittedView(dependencies, pageContext, { doc, rejecting: texts.reasonMissing, status: 422 });
  const context = pageContext.context();
  // Sent twice, it was decided by the first: the command finds that out.
  if (doc.status === 'submitted' && form.get('seen') !== doc.updated_at)
    return submittedView(dependencies, pageContext, { doc, sentence: texts.changed, status: 409 });
  try {
    const command = { ...commandOf(rejects, reason, form), asTeam: team.team };
    const outcome = await commandResource(dependencies, doc.svc_id, command, context);
    await untilShown(dependencies.documents, outcome);
  } catch (error) {
    if (!(error instanceof CommandRefused)) throw error;
    return submittedView(dependencies, pageContext, {
      sentence: error.code === 'conflict' ? texts.decided : error.message,
      status: error.status,
    });
  }
  return redirectDone(paths.review, pageContext, rejects ? 'rejected' : 'approved', {
    after: String(doc.number),
  });
}

function commandOf(rejects: boolean, reason: string, form: URLSearchParams): CommandOnResource {
  if (rejects) return { kind: 'reject', reason: reason.slice(0, 2_000) };
  const note = (form.get('note') ?? '').trim().slice(0, 2_000);
  return { kind: 'approve', ...(note === '' ? {} : { note }) };
}

async function submittedView(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  refused?: Refused,
): Promise<View> {
  const { documents, now } = dependencies;
  const { team, query } = pageContext;
  const after = placeIn(query.get('after'));
  const [{ item, again }, waiting] = await Promise.all([
    refused?.doc ? { item: refused.doc, again: false } : nextSubmitted(documents, team.team, after),
    waitingIn(documents, team.team),
  ]);
  const suspects = item === undefined ? [] : await suspectedDuplicates(documents, item);
  return {
    title: texts.title,
    ...(refused ? { status: refused.status } : {}),
    content: html`${doneNotice(pageContext, texts.done)}
    ${when(refused?.sentence !== undefined, notice(refused?.sentence ?? '', 'wrong'))}
    ${queueTabs(team.team, 'submitted', waiting)}
    ${
      item === undefined
        ? empty(texts.nothing, html`<p class="quiet">${texts.nothingNext}</p>`)
        : html`<p class="quiet">
              ${texts.left(shownCount(waiting.submitted))} ${when(again, html`${texts.fromTheStart}`)}
            </p>
            <div class="beside">
              ${recordAsSeen(item, now(), texts.asPeopleSeeIt)}
              <div>
                ${decisions(item, pageContext, waiting.submitted > 1, refused)} ${likeIt(suspects)}
                ${origin(item)}
              </div>
            </div>`
    }`,
  };
}

const placeIn = (text: string | null): number | undefined =>
  text !== null && /^\d{1,16}$/.test(text) ? Number(text) : undefined;

function decisions(
  doc: ResourceDocument,
  { formToken, team, form }: TeamPageContext,
  hasNext: boolean,
  refused: Refused | undefined,
): Html {
  const { svc_id, number, updated_at } = doc;
  const shared = {
    of: nameOf(doc),
    action: paths.review,
    token: formToken,
  };
  const values = { team: team.team, record: svc_id, seen: updated_at };
  return html`<section class="card" aria-labelledby="decide">
    <h2 id="decide">${texts.decide}</h2>
    <div class="choices">
      ${ask({
        ...shared,
        label: texts.approve,
        sentence: texts.approveSentence,
        values: { ...values, decision: 'approve' },
        fields: field({
          name: 'note',
          label: texts.note,
          hint: texts.stays,
          optional: true,
          maxlength: 2_000,
        }),
        weight: 'primary',
        key: 'a',
      })}
      ${ask({
        ...shared,
        label: texts.reject,
        sentence: texts.rejectSentence,
        values: { ...values, decision: 'reject' },
        fields: field({
          name: 'reason',
          label: texts.reason,
          hint: texts.stays,
          maxlength: 2_000,
          value: refused ? (form.get('reason') ?? '') : '',
          error: refused?.rejecting,
          autofocus: refused?.rejecting !== undefined,
        }),
        open: refused?.rejecting !== undefined,
        key: 'r',
      })}
      ${when(
        hasNext,
        html`<a
          class="button secondary"
          data-key="j"
          href="${ofTeam(paths.review, team.team, { after: String(number) })}"
          >${texts.next}</a
        >`,
      )}
    </div>
    <p><a href="${ofTeam(dashRecordPath(svc_id), team.team)}">${texts.open}</a></p>
    <p class="quiet small">${texts.keys}</p>
  </section>`;
}

const likeIt = (suspects: readonly Suspect[]): Html =>
  html`<section class="card" aria-labelledby="duplicates">
    <h2 id="duplicates">${texts.duplicates}</h2>
    ${
      suspects.length === 0
        ? html`<p class="quiet">${texts.noDuplicates}</p>`
        : html`<ul class="points">
            ${suspects.map(
              ({ svcId, name, same }) =>
                html`<li>
                  <a href="${recordPath(svcId)}" target="_blank" rel="noopener">${name}</a><br />
                  ${same.map((each) => html`${badge(texts.same[each], 'bad')} `)}
                </li>`,
            )}
          </ul>`
    }
  </section>`;

function origin({ submitted_at, submitted_by, source }: ResourceDocument): Html {
  const by =
    source !== undefined
      ? texts.withSource(source.system)
      : submitted_by !== undefined
        ? texts.withKey
        : texts.inDashboard;
  return html`<section class="card" aria-labelledby="origin">
    <h2 id="origin">${texts.about}</h2>
    ${facts([
      [texts.submittedAt, time(submitted_at, 'minute')],
      [texts.submittedBy, by],
    ])}
  </section>`;
}
