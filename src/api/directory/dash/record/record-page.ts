import { streamName } from '../../../../events/define.ts';
import { resourceStream } from '../../../../events/directory/resource.ts';
import { openReports } from '../../../../commands/directory/upkeep/mistake.ts';
import {
  mistakes,
  reportsQuery,
  type MistakeDocument,
} from '../../../../projections/directory/upkeep/mistakes.ts';
import {
  suggestions,
  suggestionsQuery,
  type SuggestionDocument,
} from '../../../../projections/directory/upkeep/suggestions.ts';
import { fieldsIn } from '../../../../projections/directory/document-fields.ts';
import { agingParts, type Confirmation } from '../../../../events/directory/upkeep/confirmation.ts';
import { confirmedOf } from '../../../../projections/directory/shown-fields.ts';
import type { ResourceDocument } from '../../../../projections/directory/resources.ts';
import { sourceNameOf } from '../../../../projections/directory/sources.ts';
import type { PageDependencies } from '../../../dashboard-dependencies.ts';
import type { Again } from '../../../pages/action-form.ts';
import { notice, time, when, type Problems } from '../../../pages/controls.ts';
import { html, type Html } from '../../../pages/html.ts';
import { facts, written } from '../../../pages/parts/facts.ts';
import type { Page, TeamPageContext, View } from '../../../pages/page-context.ts';
import { doneNotice } from '../../../pages/parts/notices.ts';
import { ofTeam } from '../../../pages/paths.ts';
import { textsIn } from '../../../pages/frame/texts.ts';
import { recordPath } from '../../pages/record-view.ts';
import { changedLine, confirmationLine } from '../../upkeep/confirmed-line.ts';
import { shownPeriod } from '../../pages/shown-date.ts';
import {
  dashOrganizationPath,
  dashRecordPath,
  editPath,
  mistakesOf,
  peoplePath,
  statusPath,
  suggestionsOf,
  sendAgainPath,
} from '../dash-paths.ts';
import { mayReview } from '../list-page.ts';
import { undoMergeButton } from '../duplicates-page.ts';
import { CurrentZones } from '../../default-zones.ts';
import { categoryName, nameOf, recordAsSeen, statusBadge } from '../record-as-seen.ts';
import { reportFacts, settleReport } from '../../upkeep/reports.ts';
import { suggestionTexts } from '../../upkeep/suggestion-texts.ts';
import { maySendAgain, ownSubmission } from '../own-submissions.ts';
import { svcIdIn, teamRecord } from '../team-records.ts';
import { en } from '../texts.ts';
import { wordsSection } from '../../upkeep/words-section.ts';
import { historySection } from './history.ts';
import { differences } from './field-texts.ts';
import { confirmForm, statusForms } from './status-forms.ts';

const { records: texts } = en;

/** So many open reports of the team are looked through for those about one record. */
const mostReports = 200;

/** One record of a team: as people see it, its status, what is reported about it, and its history. */
export function recordPage(dependencies: PageDependencies): Page {
  return {
    audience: 'team',
    right: 'see the team',
    path: dashRecordPath(':svcId'),
    get: (pageContext) => recordView(dependencies, pageContext),
  };
}

/** The page. `again`: a change of its status that was not made. */
export async function recordView(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  { problems, refused }: Again = { problems: {} },
): Promise<View> {
  const { documents, now } = dependencies;
  const { team } = pageContext;
  const doc = await teamRecord(documents, team.team, svcIdIn(pageContext));
  const reviews = mayReview(pageContext);
  const { source } = doc;
  const [submission, zones, reports, history, words, sourceName] = await Promise.all([
    ownSubmission(documents, pageContext, doc.svc_id),
    new CurrentZones(dependencies).now(),
    reviews ? reportsAbout(dependencies, doc) : undefined,
    historySection(dependencies, {
      stream: streamName(resourceStream, doc.svc_id),
      team: team.team,
      differences,
    }),
    reviews ? wordsSection(dependencies, doc, pageContext) : '',
    source && sourceNameOf(documents, team.team, source.system),
  ]);
  const isPublic = doc.listed === 1;
  return {
    title: nameOf(doc),
    content: html`${doneNotice(pageContext, texts.done)} ${refused ? notice(refused.message, 'wrong') : ''}
      <p>${statusBadge(doc.status)} ${categoryName(doc.category)}</p>
      <div class="choices">
        ${when(
          reviews && doc.merged_into === undefined,
          html`<a class="button primary" href="${ofTeam(editPath(doc.svc_id), team.team)}">${texts.edit}</a>
            <a class="button secondary" href="${ofTeam(peoplePath(doc.svc_id), team.team)}"
              >${texts.people}</a
            >`,
        )}
        ${when(
          !reviews && submission !== undefined && maySendAgain(submission),
          html`<a class="button primary" href="${ofTeam(sendAgainPath(doc.svc_id), team.team)}"
            >${doc.status === 'rejected' ? en.own.sendAgain : en.own.change}</a
          >`,
        )}
        ${when(
          isPublic,
          html`<a class="button secondary" href="${recordPath(doc.svc_id)}">${texts.publicPage}</a>`,
        )}
      </div>
      <div class="beside">
        <div>
          ${recordAsSeen(doc, now(), isPublic ? texts.asPeopleSeeIt : texts.asPeopleWould, zones)} ${history}
        </div>
        <div>
          ${statusSection(doc, pageContext, { reviews, sourceName, problems, now: now() })} ${words}
          ${reports === undefined ? '' : html`${suggestedSection(reports, pageContext)} ${reportsSection(reports, pageContext)}`}
        </div>
      </div>`,
  };
}

function statusSection(
  doc: ResourceDocument,
  pageContext: TeamPageContext,
  {
    reviews,
    sourceName,
    problems,
    now,
  }: {
    readonly reviews: boolean;
    readonly sourceName: string | undefined;
    readonly problems: Problems;
    readonly now: Date;
  },
): Html {
  const { last_modified, organization } = fieldsIn(doc, 'developer');
  const { svc_id, submitted_at, updated_at, review_note, source } = doc;
  return html`<section class="card" aria-labelledby="standing">
    <h2 id="standing">${texts.statusHeading}</h2>
    ${facts([
      [texts.number, html`<code>${svc_id}</code>`],
      [
        en.fields.organization,
        organization?.id === undefined
          ? organization?.name
          : html`<a href="${ofTeam(dashOrganizationPath(organization.id), doc.team)}"
              >${organization.name}</a
            >`,
      ],
      [texts.submitted, time(submitted_at, 'minute')],
      [texts.changedAt, time(updated_at, 'minute')],
      [texts.source, sourceName],
      [en.fields.last_modified, last_modified && shownPeriod(last_modified, now, textsIn('en'))],
      [texts.confirmedAt, confirmedLines(doc, now, sourceName)],
      [texts.note, review_note === undefined ? undefined : written(review_note)],
    ])}
    ${when(source !== undefined && reviews, html`<p class="quiet small">${texts.sourceHint}</p>`)}
    ${when(reviews && doc.listed === 1, confirmForm({ svcId: svc_id, name: nameOf(doc) }, pageContext, problems))}
    ${doc.merged_into === undefined ? '' : mergedNote(doc, pageContext, reviews)}
    ${reviews && doc.merged_into === undefined ? statusForms({ name: nameOf(doc), status: doc.status, action: statusPath(doc.svc_id) }, pageContext, problems) : ''}
  </section>`;
}

/** By whom and when it was confirmed, and those parts that were confirmed later, or changed since. */
function confirmedLines(doc: ResourceDocument, now: Date, sourceName: string | undefined): Html | string {
  const english = textsIn('en');
  // What was said in a directory that is followed is named with it.
  const where = ({ by }: Confirmation): string =>
    by === 'source' && doc.source?.origin && sourceName ? `, ${texts.confirm.inDirectory(sourceName)}` : '';
  const { on, by, ...parts } = confirmedOf(doc) ?? {};
  const lines = [
    ...(on === undefined || by === undefined ? [] : [confirmationLine({ on, by }, now, english)]),
    ...agingParts.flatMap((part) => {
      const confirmation = parts[part];
      if (!confirmation) return [];
      return 'changed' in confirmation
        ? [changedLine(part, confirmation, now, english)]
        : [
            `${texts.confirm.parts[part]}${where(confirmation)}: ${confirmationLine(confirmation, now, english)}`,
          ];
    }),
  ];
  return lines.length === 0 ? texts.neverConfirmed : written(lines.join('\n'));
}

function mergedNote(
  doc: ResourceDocument,
  { team: { team }, formToken }: TeamPageContext,
  reviews: boolean,
): Html {
  const { duplicates } = en;
  return html`<p>
      ${duplicates.mergedInto}
      <a href="${ofTeam(dashRecordPath(doc.merged_into ?? ''), team)}">${duplicates.into}</a>
    </p>
    ${reviews ? undoMergeButton(doc.svc_id, doc, team, formToken) : ''}`;
}

interface Reports {
  /** Changes that are suggested, the oldest first. */
  readonly suggested: readonly SuggestionDocument[];
  readonly about: readonly MistakeDocument[];
  readonly opened: Awaited<ReturnType<typeof openReports>>;
  /** The team has more open reports than were looked through. */
  readonly more: boolean;
}

async function reportsAbout(
  { documents, personal }: PageDependencies,
  { svc_id, team }: ResourceDocument,
): Promise<Reports> {
  const open = await documents
    .collection(mistakes.collection)
    .page({ ...reportsQuery({ team, status: 'open' }), limit: mostReports });
  const suggested = await documents
    .collection(suggestions.collection)
    .page({ ...suggestionsQuery({ svc_id, status: 'open' }), limit: 10 });
  const about = open.filter((report) => report.svc_id === svc_id).slice(0, 10);
  return { suggested, about, opened: await openReports(personal, about), more: open.length === mostReports };
}

/** The ways to the changes that are suggested. */
function suggestedSection({ suggested }: Reports, { team: { team } }: TeamPageContext): Html | '' {
  if (suggested.length === 0) return '';
  return html`<section class="card" aria-labelledby="suggested">
    <h2 id="suggested">${texts.suggested}</h2>
    <ul class="points">
      ${suggested.map(
        (each) =>
          html`<li>
            <a href="${suggestionsOf(team, { id: each.suggestion })}"
              >${suggestionTexts.suggesters[each.by]}</a
            >, ${time(each.suggested_at, 'minute')}
          </li>`,
      )}
    </ul>
  </section>`;
}

function reportsSection({ about, opened, more }: Reports, pageContext: TeamPageContext): Html {
  if (about.length === 0 && !more) return html``;
  return html`<section class="card" aria-labelledby="reports">
    <h2 id="reports">${texts.reports}</h2>
    ${about.map(
      (report, place) =>
        html`<div class="place">
          ${reportFacts(report, opened[place] ?? {})} ${settleReport(report, pageContext, { from: 'record' })}
        </div>`,
    )}
    ${when(
      more,
      html`<p class="quiet small">
        <a href="${mistakesOf(pageContext.team.team)}">${texts.reportsLimit}</a>
      </p>`,
    )}
  </section>`;
}
