import { Readable } from 'node:stream';
import { hasRight } from '../../../events/teams-rights.ts';
import {
  recordFilter,
  type ParsedFilter,
  type RecordFilter,
} from '../../../actions/directory/record-filter.ts';
import {
  dueRecords,
  pageIn,
  pageOfRecords,
  recordColumnsIn,
  recordOrder,
  type RecordPage,
} from '../../../actions/directory/record-table.ts';
import { freshnessTrend, type PastFreshness } from '../../../actions/directory/upkeep/freshness.ts';
import { sourcesOf } from '../../../projections/directory/sources.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import type { Again } from '../../pages/action-form.ts';
import { notice, when } from '../../pages/controls.ts';
import { shareLine } from '../../pages/parts/chart.ts';
import { doneNotice } from '../../pages/parts/notices.ts';
import { postView, savedViews } from '../saved-views.ts';
import { html, type Html } from '../../pages/html.ts';
import type { Page, TeamPageContext, View } from '../../pages/page-context.ts';
import { empty } from '../../pages/parts/list-controls.ts';
import { ofTeam, paths } from '../../pages/paths.ts';
import { readerClock } from '../../pages/reader-clock.ts';
import { dayText } from '../../pages/time.ts';
import {
  askingPath,
  duplicatesPath,
  exportPath,
  needsPath,
  newRecordPath,
  organizationsPath,
} from './dash-paths.ts';
import { needsTexts } from '../upkeep/needs-texts.ts';
import { askingTexts } from '../upkeep/asking/asking-texts.ts';
import { queueTabs } from './queue-tabs.ts';
import {
  csvOf,
  filterFields,
  orderIn,
  recordTable,
  tableCsv,
  tableQuery,
  type ShownTable,
} from './record/record-table.ts';
import { importsPath } from './import/import-paths.ts';
import { en as imports } from './import/import-texts.ts';
import { waitingIn } from './team-records.ts';
import { organizationTexts } from './organization-texts.ts';
import { confirmedPercent, tableTexts, viewTexts } from './table-texts.ts';
import { en } from './texts.ts';

const { records: texts } = en;

/** The records of a team: a table to search, to narrow down and to sort, whose rows are ticked to do something with many. */
export function listPage(dependencies: PageDependencies): Page {
  return {
    audience: 'team',
    right: 'see the team',
    path: paths.directory,
    get(pageContext) {
      if (pageContext.query.get('format') !== 'csv') return view(dependencies, pageContext);
      const { documents, now } = dependencies;
      return {
        download: Readable.from(
          tableCsv(documents, { ...shownTable(pageContext), now: now(), zone: readerClock().zone }),
        ),
        filename: `${pageContext.team.team}-records.csv`,
        type: 'text/csv',
      };
    },
    post: (pageContext) => postView(dependencies, pageContext, view),
  };
}

/** `again`: a view that was not saved, or not removed. */
async function view(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  again?: Again,
): Promise<View> {
  const { documents, now } = dependencies;
  const { team, formToken } = pageContext;
  const shown = shownTable(pageContext, again && pageContext.form.get('query'));
  const mayDecide = mayReview(pageContext);
  const at = { now: now(), zone: readerClock().zone };
  const trend = await freshnessTrend(documents, { team: team.team, ...at });
  // How many are due is among the sums: counting them takes ten times as long as the rest of the page.
  const due = isDueAlone(shown.filter) ? trend.at(-1)?.due : undefined;
  const [page, sources, saved] = await Promise.all([
    pageOfRecords(documents, { ...shown, ...at }, pageIn(pageContext.query), due),
    sourcesOf(documents, team.team),
    savedViews(dependencies, pageContext, queryText(shown), { maySave: mayDecide, again }),
  ]);
  return {
    title: texts.title,
    content: html`${doneNotice(pageContext, viewTexts.done)}
      ${again?.refused === undefined ? '' : notice(again.refused.message, 'wrong')}
      <p class="lead">${texts.lead}</p>
      <div class="choices">
        <a class="button primary" href="${ofTeam(newRecordPath, team.team)}">${texts.submit}</a>
        ${[
          [organizationsPath, organizationTexts.open, true] as const,
          [paths.review, texts.review, mayDecide] as const,
          [duplicatesPath, en.duplicates.open, mayDecide] as const,
          [needsPath, needsTexts.open, mayDecide] as const,
          [askingPath, askingTexts.title, mayDecide] as const,
          [exportPath, en.exports.open, mayDecide] as const,
          [importsPath, imports.open, mayImport(pageContext)] as const,
        ].map(([path, label, may]) =>
          when(may, html`<a class="button secondary" href="${ofTeam(path, team.team)}">${label}</a>`),
        )}
      </div>
      ${dueLine(shown, trend)} ${saved} ${filterFields(shown, sources)} ${unknownIn(shown)}
      ${rows(shown, page, mayDecide ? formToken : undefined)}`,
  };
}

/** Nothing else is asked of the records than that they are due. */
const isDueAlone = ({ status, verified, ...others }: RecordFilter): boolean =>
  status === dueRecords.filter.status &&
  verified === dueRecords.filter.verified &&
  Object.values(others).every((value) => value === undefined);

/** How many public records were confirmed lately, the table of the others, and how it was in the last year. */
function dueLine(shown: ShownTable, trend: readonly PastFreshness[]): Html {
  const { listed, due } = trend.at(-1) ?? { listed: 0, due: 0 };
  if (listed === 0) return html``;
  const to = ofTeam(paths.directory, shown.team, tableQuery({ ...shown, ...dueRecords }));
  return html`<p>
      ${tableTexts.confirmedShare(listed, listed - due)}
      ${when(due > 0, html`<a href="${to}">${tableTexts.due(due)}</a>`)}
    </p>
    ${trend.length < 2 ? '' : trendLine(trend)}`;
}

function trendLine(trend: readonly PastFreshness[]): Html {
  const texts = tableTexts.trend;
  const confirmed = trend.map(({ listed, due }) => listed - due);
  const shares = trend.map(({ listed, due }) => confirmedPercent(listed, listed - due));
  return html`<details>
    <summary>${texts.open}</summary>
    ${shareLine({
      title: texts.title,
      by: texts.day,
      labels: trend.map(({ day }) => dayText(day)),
      shares,
      series: [
        { label: texts.share, kind: 'plain', values: shares },
        { label: texts.confirmed, kind: 'plain', values: confirmed },
        { label: texts.listed, kind: 'plain', values: trend.map(({ listed }) => listed) },
      ],
    })}
  </details>`;
}

/** The query of a table, as a saved view has it. */
const queryText = (shown: ShownTable): string => new URLSearchParams(tableQuery(shown)).toString();

/** What an address asks for and there is none of, such as a column that went. */
const unknownIn = ({ unknown, unknownColumns, unknownSort }: RequestedTable): Html =>
  html`${[
    ...unknown.map(({ value }) => tableTexts.unknown(value)),
    ...unknownColumns.map(tableTexts.unknownColumn),
    ...unknownSort.map(tableTexts.unknownSort),
  ].map((sentence) => notice(sentence, 'plain'))}`;

const mayImport = ({ team, currentUser }: TeamPageContext): boolean =>
  currentUser.person.role === 'administrator' || hasRight(team.role, 'import records');

/** Whether the person decides about records of the team. */
export const mayReview = ({ team, currentUser }: TeamPageContext): boolean =>
  currentUser.person.role === 'administrator' || hasRight(team.role, 'review records');

/** What waits for review, as a table. */
export async function waitingTable(
  { documents, now }: PageDependencies,
  pageContext: TeamPageContext,
): Promise<View> {
  const { query, team, formToken } = pageContext;
  const requested = shownTable(pageContext);
  const shown = {
    ...requested,
    path: paths.review,
    fixed: { show: 'table' },
    filter: { ...requested.filter, status: 'submitted' as const },
    order: query.has('sort') ? requested.order : { by: 'submitted' as const, descending: false },
  };
  const [page, sources, waiting] = await Promise.all([
    pageOfRecords(documents, { ...shown, now: now(), zone: readerClock().zone }, pageIn(query)),
    sourcesOf(documents, team.team),
    waitingIn(documents, team.team),
  ]);
  return {
    title: en.review.title,
    content: html`${queueTabs(team.team, 'submitted', waiting)}
      <p class="lead">${en.review.tableLead}</p>
      <p><a href="${ofTeam(paths.review, team.team)}">${en.review.oneByOne}</a></p>
      ${filterFields(shown, sources, false)} ${unknownIn(shown)}
      ${
        page.total > 0
          ? tableWithTotal(shown, page, formToken)
          : empty(
              waiting.submitted === 0 ? en.review.nothing : texts.none,
              html`<p class="quiet">${texts.noneNext}</p>`,
            )
      }`,
  };
}

/** What an address asks for. */
interface RequestedTable extends ShownTable, ParsedFilter {
  readonly unknownColumns: readonly string[];
  readonly unknownSort: readonly string[];
}

/** `text`: a query in the place of that of the address. */
function shownTable({ query, team }: TeamPageContext, text?: string | null): RequestedTable {
  const requested = text === undefined || text === null ? query : new URLSearchParams(text);
  const { filter, unknown } = recordFilter.parse(requested);
  const { columns, unknown: unknownColumns } = recordColumnsIn(requested);
  const sort = (requested.get('sort') ?? '').slice(0, 40);
  const isOrder = sort === '' || recordOrder.parse(sort) !== undefined;
  return {
    path: paths.directory,
    fixed: {},
    team: team.team,
    filter,
    unknown,
    order: orderIn(requested, filter),
    columns,
    unknownColumns,
    unknownSort: isOrder ? [] : [sort],
  };
}

const tableWithTotal = (shown: ShownTable, page: RecordPage, token: string | undefined): Html =>
  html`<p class="quiet">
      ${tableTexts.total(page.total, page.page, page.pages)}
      ${when(shown.path === paths.directory, html`<a href="${csvOf(shown)}" download>${tableTexts.csv}</a>`)}
    </p>
    ${recordTable(shown, page, token)}`;

function rows(shown: ShownTable, page: RecordPage, token: string | undefined): Html {
  if (page.total > 0) return tableWithTotal(shown, page, token);
  const isWhole = Object.keys(recordFilter.toQuery(shown.filter)).length === 0;
  return isWhole
    ? empty(texts.noneYet, html`<p><a href="${ofTeam(newRecordPath, shown.team)}">${texts.submit}</a></p>`)
    : empty(texts.none, html`<p class="quiet">${texts.noneNext}</p>`);
}
