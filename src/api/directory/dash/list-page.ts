import { hasRight } from '../../../events/teams-rights.ts';
import { recordFilter, type ParsedFilter } from '../../../actions/directory/record-filter.ts';
import {
  pageIn,
  pageOfRecords,
  recordColumns,
  type RecordPage,
} from '../../../actions/directory/record-table.ts';
import { sourcesOf } from '../../../projections/directory/sources.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { notice } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import type { Page, TeamPageContext, View } from '../../pages/page-context.ts';
import { empty } from '../../pages/parts/list-controls.ts';
import { ofTeam, paths } from '../../pages/paths.ts';
import { exportPath, newRecordPath, organizationsPath } from './dash-paths.ts';
import { queueTabs } from './queue-tabs.ts';
import { filterFields, orderIn, recordTable, type ShownTable } from './record-table.ts';
import { importsPath } from './import/import-paths.ts';
import { en as imports } from './import/import-texts.ts';
import { waitingIn } from './team-records.ts';
import { organizationTexts } from './organization-texts.ts';
import { en } from './texts.ts';

const { records: texts } = en;

/** The records of a team: a table to search, to narrow down and to sort, whose rows are ticked to do something with many. */
export function listPage({ documents, now }: PageDependencies): Page {
  return {
    audience: 'team',
    right: 'see the team',
    path: paths.directory,
    async get(pageContext) {
      const { team } = pageContext;
      const shown = shownTable(pageContext);
      const [page, sources] = await Promise.all([
        pageOfRecords(documents, { ...shown, now: now() }, pageIn(pageContext.query)),
        sourcesOf(documents, team.team),
      ]);
      return {
        title: texts.title,
        content: html`<p class="lead">${texts.lead}</p>
          <div class="choices">
            <a class="button primary" href="${ofTeam(newRecordPath, team.team)}">${texts.submit}</a>
            <a class="button secondary" href="${ofTeam(organizationsPath, team.team)}"
              >${organizationTexts.open}</a
            >
            ${
              mayReview(pageContext)
                ? html`<a class="button secondary" href="${ofTeam(paths.review, team.team)}"
                      >${texts.review}</a
                    >
                    <a class="button secondary" href="${ofTeam(exportPath, team.team)}"
                      >${en.exports.open}</a
                    >`
                : ''
            }
            ${
              mayImport(pageContext)
                ? html`<a class="button secondary" href="${ofTeam(importsPath, team.team)}"
                    >${imports.open}</a
                  >`
                : ''
            }
          </div>
          ${filterFields(shown, sources)}
          ${shown.unknown.map(({ value }) => notice(en.table.unknown(value), 'plain'))}
          ${rows(shown, page, mayReview(pageContext) ? pageContext.formToken : undefined)}`,
      };
    },
  };
}

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
  const asked = shownTable(pageContext);
  const shown = {
    ...asked,
    path: paths.review,
    fixed: { show: 'table' },
    filter: { ...asked.filter, status: 'submitted' as const },
    order: query.has('sort') ? asked.order : { by: 'submitted' as const, descending: false },
  };
  const [page, sources, waiting] = await Promise.all([
    pageOfRecords(documents, { ...shown, now: now() }, pageIn(query)),
    sourcesOf(documents, team.team),
    waitingIn(documents, team.team),
  ]);
  return {
    title: en.review.title,
    content: html`${queueTabs(team.team, 'submitted', waiting)}
      <p class="lead">${en.review.tableLead}</p>
      <p><a href="${ofTeam(paths.review, team.team)}">${en.review.oneByOne}</a></p>
      ${filterFields(shown, sources, false)}
      ${shown.unknown.map(({ value }) => notice(en.table.unknown(value), 'plain'))}
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
function shownTable({ query, team }: TeamPageContext): ShownTable & ParsedFilter {
  const { filter, unknown } = recordFilter.parse(query);
  return {
    path: paths.directory,
    fixed: {},
    team: team.team,
    filter,
    unknown,
    order: orderIn(query, filter),
    columns: recordColumns,
  };
}

const tableWithTotal = (shown: ShownTable, page: RecordPage, token: string | undefined): Html =>
  html`<p class="quiet">${en.table.total(page.total, page.page, page.pages)}</p>
    ${recordTable(shown, page, token)}`;

function rows(shown: ShownTable & ParsedFilter, page: RecordPage, token: string | undefined): Html {
  if (page.total > 0) return tableWithTotal(shown, page, token);
  const isWhole = Object.keys(recordFilter.toQuery(shown.filter)).length === 0;
  return isWhole
    ? empty(texts.noneYet, html`<p><a href="${ofTeam(newRecordPath, shown.team)}">${texts.submit}</a></p>`)
    : empty(texts.none, html`<p class="quiet">${texts.noneNext}</p>`);
}
