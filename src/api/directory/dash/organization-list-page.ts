import { defined } from '../../../ground/defined.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { field, time } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import type { Page, TeamPageContext } from '../../pages/page-context.ts';
import { selectField } from '../../pages/parts/choices.ts';
import { empty, filterBar, pager } from '../../pages/parts/list-controls.ts';
import { table } from '../../pages/parts/table.ts';
import { ofTeam } from '../../pages/paths.ts';
import { dashOrganizationPath, newOrganizationPath, organizationsPath } from './dash-paths.ts';
import { mayReview } from './list-page.ts';
import { organizationTexts as texts } from './organization-texts.ts';
import { statusBadge } from './record-as-seen.ts';
import { findOrganizations, type OrganizationQuery, type OrganizationRow } from './team-organizations.ts';
import { tableTexts } from './table-texts.ts';
import { en } from './texts.ts';

const statuses = ['submitted', 'approved', 'rejected', 'inactive'] as const;

/** The organizations of a team: a list to search and to narrow down. */
export function organizationListPage({ documents }: PageDependencies): Page {
  return {
    audience: 'team',
    right: 'see the team',
    path: organizationsPath,
    async get(pageContext) {
      const { team } = pageContext.team;
      const request = queryIn(pageContext);
      const { rows, next } = await findOrganizations(documents, request);
      const { words = '', status, after } = request;
      const kept = { ...(words === '' ? {} : { q: words }), ...defined({ status }) };
      return {
        title: texts.title,
        content: html`<p class="lead">${texts.lead}</p>
          ${
            mayReview(pageContext)
              ? html`<div class="choices">
                  <a class="button primary" href="${ofTeam(newOrganizationPath, team)}">${texts.add}</a>
                </div>`
              : ''
          }
          ${filters(request)}
          ${
            rows.length > 0
              ? html`<section class="card">${organizationTable(rows, team)}</section>`
              : next
                ? html`<p>${texts.lookFurther}</p>`
                : empty(Object.keys(kept).length === 0 ? texts.noneYet : texts.none)
          }
          ${pager({
            first: after && ofTeam(organizationsPath, team, kept),
            next: next && ofTeam(organizationsPath, team, { ...kept, after: next.join('\t') }),
          })}`,
      };
    },
  };
}

function queryIn({ query, team }: TeamPageContext): OrganizationQuery {
  const [key, id] = (query.get('after') ?? '').split('\t');
  return {
    team: team.team,
    words: (query.get('q') ?? '').trim().slice(0, 200),
    status: statuses.find((each) => each === query.get('status')),
    after: key !== undefined && id !== undefined ? [key, id] : undefined,
  };
}

const filters = ({ team, words, status }: OrganizationQuery): Html =>
  filterBar({
    action: organizationsPath,
    team,
    label: texts.filters,
    button: en.records.find,
    fields: [
      field({ name: 'q', label: tableTexts.words, value: words, optional: true, maxlength: 200 }),
      selectField({
        name: 'status',
        label: en.records.status,
        value: status,
        options: [
          { value: '', label: en.records.anyStatus },
          ...statuses.map((each) => ({ value: each, label: en.statuses[each] })),
        ],
      }),
    ],
  });

/** Organizations, each with the way to its page. */
export const organizationTable = (rows: readonly OrganizationRow[], team: string): Html =>
  table({
    caption: texts.caption,
    columns: [
      { label: texts.columns.name },
      { label: texts.columns.status },
      { label: texts.columns.services },
      { label: texts.columns.changed },
    ],
    rows: rows.map(({ org_id, name, status, services, updated_at }) => [
      html`<a href="${ofTeam(dashOrganizationPath(org_id), team)}">${name}</a>`,
      statusBadge(status),
      String(services),
      time(updated_at),
    ]),
  });
