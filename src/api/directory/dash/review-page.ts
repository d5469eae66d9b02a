import { decide, SubmissionChanged, takeBack, type Commanded } from '../../../actions/directory/records.ts';
import { integerOfSvcId } from '../../../events/ids.ts';
import { CommandRefused } from '../../../ground/refusals.ts';
import type { ResourceDocument } from '../../../projections/directory/resources.ts';
import { sourceNameOf } from '../../../projections/directory/sources.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import {
  inputFields,
  postForm,
  type ActionForm,
  type Again,
  type InputField,
} from '../../pages/action-form.ts';
import { chosen } from '../../pages/parts/chosen.ts';
import { button, form, hidden, notice, time, when } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import { facts } from '../../pages/parts/facts.ts';
import type { Page, TeamPageContext, View } from '../../pages/page-context.ts';
import { ask } from '../../pages/parts/ask.ts';
import { badge } from '../../pages/parts/badge.ts';
import { empty } from '../../pages/parts/list-controls.ts';
import { doneNotice, redirectDone } from '../../pages/parts/notices.ts';
import { ofTeam, paths } from '../../pages/paths.ts';
import { recordPath } from '../pages/record-view.ts';
import { dashRecordPath, mergePath, waitingTableOf } from './dash-paths.ts';
import { waitingTable } from './list-page.ts';
import { suspectedDuplicates, type Suspect } from '../../../actions/directory/suspected-duplicates.ts';
import { queueTabs } from './queue-tabs.ts';
import { CurrentZones } from '../default-zones.ts';
import { nameOf, recordAsSeen } from './record-as-seen.ts';
import { waitingOrganization, waitingOrganizationsView } from './waiting-organizations.ts';
import { reasonField, wordsField } from './record/status-forms.ts';
import { claimsView, decideClaim } from '../upkeep/claims/claims-view.ts';
import { decideReport, reportsView } from '../upkeep/reports.ts';
import { decideSuggestion, suggestionsView } from '../upkeep/suggestions.ts';
import { nextSubmitted, shownCount, teamRecord, waitingIn } from './team-records.ts';
import { en } from './texts.ts';

const { review: texts } = en;

const noteField: InputField = { ...wordsField, name: 'note', label: texts.note, optional: true };
const whyField: InputField = { ...reasonField, name: 'reason' };

/** What waits for a decision, one record or report at a time. */
export function reviewPage(dependencies: PageDependencies): Page {
  return {
    audience: 'team',
    right: 'review records',
    path: paths.review,
    get(pageContext) {
      const shown = pageContext.query.get('show');
      if (shown === 'organizations') return waitingOrganizationsView(dependencies, pageContext);
      if (shown === 'table') return waitingTable(dependencies, pageContext);
      if (shown === 'suggestions') return suggestionsView(dependencies, pageContext);
      if (shown === 'claims') return claimsView(dependencies, pageContext);
      return shown === 'mistakes'
        ? reportsView(dependencies, pageContext)
        : submittedView(dependencies, pageContext);
    },
    post(pageContext) {
      if (pageContext.form.has('suggestion')) return decideSuggestion(dependencies, pageContext);
      if (pageContext.form.has('claim')) return decideClaim(dependencies, pageContext);
      if (pageContext.form.has('report')) return decideReport(dependencies, pageContext);
      return pageContext.form.has('undo')
        ? postForm(dependencies, pageContext, undoing)
        : postForm(dependencies, pageContext, deciding);
    },
  };
}

const recordIn = ({ form }: TeamPageContext): string => form.get('record') ?? '';

const deciding: Omit<ActionForm<typeof decide.input, Commanded, TeamPageContext>, 'path'> = {
  action: decide,
  fields: () => [noteField, whyField],
  also: (pageContext) => ({
    svc_id: recordIn(pageContext),
    decision: chosen(pageContext.form, 'decision', ['approve', 'reject']),
    seen: pageContext.form.get('seen') ?? '',
  }),
  view: submittedView,
  done: (pageContext, { record: { id, svc_id, status } }) =>
    redirectDone(paths.review, pageContext, status === 'rejected' ? 'rejected' : 'approved', {
      after: String(id),
      decided: svc_id,
    }),
};

/** Shows the record again. */
const undoing: Omit<ActionForm<typeof takeBack.input, Commanded, TeamPageContext>, 'path'> = {
  action: takeBack,
  also: (pageContext) => ({
    svc_id: pageContext.form.get('undo') ?? '',
    recorded: pageContext.form.get('recorded') ?? '',
  }),
  view: (dependencies, pageContext, { refused }) =>
    submittedView(dependencies, pageContext, { problems: {}, refused: refused ?? gone() }),
  done: (pageContext, { record: { id } }) =>
    redirectDone(paths.review, pageContext, 'undone', { after: String(id - 1) }),
};

const gone = () => new CommandRefused('not_found', texts.nothingToUndo);

/** Beside the message about a decision: taking it back, and the record. */
function afterDecision({ query, team, formToken }: TeamPageContext): Html | '' {
  const svcId = query.get('decided') ?? '';
  const recorded = query.get('recorded') ?? '';
  if (integerOfSvcId(svcId) === undefined) return '';
  return html`<div class="choices">
    ${form({
      action: ofTeam(paths.review, team.team),
      token: formToken,
      inline: true,
      label: texts.undoLabel,
      content: html`${Object.entries({ team: team.team, undo: svcId, recorded }).map(([name, value]) =>
        hidden(name, value),
      )}${button(texts.undo, { weight: 'secondary' })}`,
    })}
    <a href="${ofTeam(dashRecordPath(svcId), team.team)}">${texts.openDecided}</a>
  </div>`;
}

/** `again`: a decision that was not carried out. */
async function submittedView(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  again?: Again,
): Promise<View> {
  const { documents, now } = dependencies;
  const { team, query } = pageContext;
  const refused = again?.refused;
  const changed = refused instanceof SubmissionChanged ? refused.now : undefined;
  const open = again && !refused ? await teamRecord(documents, team.team, recordIn(pageContext)) : changed;
  const [zones, { item, again: fromTheStart }, waiting] = await Promise.all([
    new CurrentZones(dependencies).now(),
    open ? { item: open, again: false } : nextSubmitted(documents, team.team, placeIn(query.get('after'))),
    waitingIn(documents, team.team),
  ]);
  const suspects = item === undefined ? [] : await suspectedDuplicates(documents, item);
  const organization = item && (await waitingOrganization(documents, item));
  const system = item?.source?.system;
  const sourceName = system === undefined ? undefined : await sourceNameOf(documents, team.team, system);
  const isUndo = pageContext.form.has('undo');
  const sentence = changed
    ? texts.changed
    : refused?.code === 'conflict'
      ? isUndo
        ? texts.decidedSince
        : texts.decided
      : refused?.message;
  return {
    title: texts.title,
    content: html`${doneNotice(pageContext, texts.done, afterDecision(pageContext))}
    ${sentence === undefined ? '' : notice(sentence, 'wrong')} ${queueTabs(team.team, 'submitted', waiting)}
    ${
      item === undefined
        ? empty(texts.nothing, html`<p class="quiet">${texts.nothingNext}</p>`)
        : html`<p class="quiet">
              ${texts.left(shownCount(waiting.submitted))} ${when(fromTheStart, html`${texts.fromTheStart}`)}
              ${when(
                waiting.submitted > 1,
                html`<a href="${waitingTableOf(team.team)}">${texts.asTable}</a>`,
              )}
            </p>
            ${suspects.length > 0 ? likeIt(item, suspects) : ''}
            <div class="beside">
              ${recordAsSeen(item, now(), texts.asPeopleSeeIt, zones)}
              <div>
                ${organization ?? ''} ${suspects.length === 0 ? likeIt(item, suspects) : ''}
                ${origin(item, sourceName)}
              </div>
            </div>
            ${decisions(item, pageContext, waiting.submitted > 1, again)}`
    }`,
  };
}

const placeIn = (text: string | null): number | undefined =>
  text !== null && /^\d{1,16}$/.test(text) ? Number(text) : undefined;

function decisions(
  doc: ResourceDocument,
  { formToken, team, form: typed }: TeamPageContext,
  hasNext: boolean,
  { problems }: Again = { problems: {} },
): Html {
  const { svc_id, number, updated_at } = doc;
  const shared = {
    of: nameOf(doc),
    action: ofTeam(paths.review, team.team),
    token: formToken,
  };
  const values = { team: team.team, record: svc_id, seen: updated_at };
  return html`<section class="decision-bar" aria-labelledby="decide">
    <h2 id="decide" class="unseen">${texts.decide}</h2>
    <div class="choices">
      ${approving(shared, { ...values, decision: 'approve' }, inputFields([noteField], typed, problems))}
      ${ask({
        ...shared,
        label: texts.reject,
        sentence: texts.rejectSentence,
        values: { ...values, decision: 'reject' },
        fields: inputFields([whyField], typed, problems),
        open: problems['reason'] !== undefined,
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
      <a href="${ofTeam(dashRecordPath(svc_id), team.team)}" data-key="o">${texts.open}</a>
    </div>
    <p class="quiet small keys">${texts.keys}</p>
  </section>`;
}

/** One press approves, because Undo stands beside the message. A note can be written before. */
const approving = (
  { of, action, token }: { readonly of: string; readonly action: string; readonly token: string },
  values: Readonly<Record<string, string>>,
  note: Html,
): Html =>
  form({
    action,
    token,
    label: `${texts.approve} ${of}`,
    content: html`${Object.entries(values).map(([name, value]) => hidden(name, value))}
      ${button(texts.approve, { of, key: 'a' })}
      <details class="more">
        <summary>${texts.addNote}</summary>
        ${note}
      </details>`,
  });

const likeIt = ({ svc_id, team: own }: ResourceDocument, suspects: readonly Suspect[]): Html =>
  html`<section class="card" aria-labelledby="duplicates">
    <h2 id="duplicates">${texts.duplicates}</h2>
    ${
      suspects.length === 0
        ? html`<p class="quiet">${texts.noDuplicates}</p>`
        : html`<ul class="points">
            ${suspects.map(
              ({ svcId, name, team, same }) =>
                html`<li>
                  <a href="${recordPath(svcId)}" target="_blank" rel="noopener">${name}</a><br />
                  ${same.map((each) => html`${badge(texts.same[each], 'bad')} `)}
                  ${when(
                    team === own,
                    html`<br /><a href="${ofTeam(mergePath(svc_id), own, { into: svcId })}"
                        >${en.duplicates.compare}<span class="unseen"> ${name}</span></a
                      >`,
                  )}
                </li>`,
            )}
          </ul>`
    }
  </section>`;

function origin({ submitted_at, submitted_by }: ResourceDocument, sourceName: string | undefined): Html {
  const by =
    sourceName !== undefined
      ? texts.withSource(sourceName)
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
