import { hasRight } from '../../../events/teams-rights.ts';
import { categories, isCategory } from '../../../events/directory/category.ts';
import { defined } from '../../../ground/defined.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { field, time } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import type { Page, TeamPageContext } from '../../pages/page-context.ts';
import { selectField } from '../../pages/parts/choices.ts';
import { empty, filterBar, pager } from '../../pages/parts/list-controls.ts';
import { table } from '../../pages/parts/table.ts';
import { ofTeam, paths } from '../../pages/paths.ts';
import { dashRecordPath, exportPath, newRecordPath, organizationsPath } from './dash-paths.ts';
import {
  findRecords,
  placeFrom,
  placeText,
  type AskedRecords,
  type RecordPage,
  type Status,
} from './find-records.ts';
import { categoryName, statusBadge } from './record-as-seen.ts';
import { importsPath } from './import/import-paths.ts';
import { en as imports } from './import/import-texts.ts';
import { organizationTexts } from './organization-texts.ts';
import { en } from './texts.ts';

const { records: texts } = en;

/** The records of a team: a list to search and to narrow down. */
export function listPage({ documents }: PageDependencies): Page {
  return {
    audience: 'team',
    right: 'see the team',
    path: paths.directory,
    async get(pageContext) {
      const { team } = pageContext;
      const asked = askedIn(pageContext);
      const page = await findRecords(documents, asked);
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
          ${filters(asked)} ${rows(page, asked)} ${further(page, asked)}`,
      };
    },
  };
}

const mayImport = ({ team, currentUser }: TeamPageContext): boolean =>
  currentUser.person.role === 'administrator' || hasRight(team.role, 'import records');

/** Whether the person decides about records of the team. */
export const mayReview = ({ team, currentUser }: TeamPageContext): boolean =>
  currentUser.person.role === 'administrator' || hasRight(team.role, 'review records');

const statuses = Object.keys(en.statuses) as Status[];

function askedIn({ query, team }: TeamPageContext): AskedRecords {
  const [words = '', status, category, after] = ['q', 'status', 'category', 'after'].map(
    (name) => query.get(name) ?? undefined,
  );
  return {
    team: team.team,
    words: words.trim().slice(0, 200),
    status: statuses.find((each) => each === status),
    category: category !== undefined && isCategory(category) ? category : undefined,
    after: after === undefined ? undefined : placeFrom(after),
  };
}

const filters = ({ team, words = '', status, category }: AskedRecords): Html =>
  filterBar({
    action: paths.directory,
    team,
    label: texts.filters,
    button: texts.find,
    fields: [
      field({ name: 'q', label: texts.words, value: words, optional: true, maxlength: 200 }),
      selectField({
        name: 'status',
        label: texts.status,
        value: status,
        options: [
          { value: '', label: texts.anyStatus },
          ...statuses.map((each) => ({ value: each, label: en.statuses[each] })),
        ],
      }),
      selectField({
        name: 'category',
        label: texts.category,
        value: category,
        options: [
          { value: '', label: texts.anyCategory },
          ...categories.map((each) => ({ value: each, label: categoryName(each) })),
        ],
      }),
    ],
  });

function rows({ rows: found, next }: RecordPage, asked: AskedRecords): Html {
  if (found.length === 0) return next === undefined ? none(asked) : html`<p>${texts.lookFurther}</p>`;
  const { columns } = texts;
  return html`<section class="card">
    ${table({
      caption: texts.caption,
      columns: [
        { label: columns.name },
        { label: columns.status },
        { label: columns.category },
        { label: columns.city },
        { label: columns.changed },
      ],
      rows: found.map(({ svcId, name, status, category, city, updatedAt }) => [
        html`<a href="${ofTeam(dashRecordPath(svcId), asked.team)}">${name}</a>`,
        statusBadge(status),
        categoryName(category),
        city ?? '',
        time(updatedAt),
      ]),
    })}
  </section>`;
}

function none({ team, words, status, category, after }: AskedRecords): Html {
  const isWhole = words === '' && status === undefined && category === undefined && after === undefined;
  return isWhole
    ? empty(texts.noneYet, html`<p><a href="${ofTeam(newRecordPath, team)}">${texts.submit}</a></p>`)
    : empty(texts.none, html`<p class="quiet">${texts.noneNext}</p>`);
}

function further({ next }: RecordPage, asked: AskedRecords): Html {
  const { team, words = '', status, category, after } = asked;
  const kept = {
    ...(words === '' ? {} : { q: words }),
    ...defined({ status, category }),
  };
  return pager({
    first: after === undefined ? undefined : ofTeam(paths.directory, team, kept),
    next: next === undefined ? undefined : ofTeam(paths.directory, team, { ...kept, after: placeText(next) }),
  });
}
