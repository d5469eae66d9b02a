import { decide } from '../../../actions/directory/organizations.ts';
import { organizationStream } from '../../../events/directory/organization.ts';
import { streamName } from '../../../events/define.ts';
import {
  organizationFieldsIn,
  type OrganizationDocument,
} from '../../../projections/directory/organizations.ts';
import { resources } from '../../../projections/directory/resources.ts';
import { sourceNameOf } from '../../../projections/directory/sources.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { teamForm, type Again } from '../../pages/action-form.ts';
import { notice, time, when } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import type { Page, TeamPageContext, View } from '../../pages/page-context.ts';
import { facts, written } from '../../pages/parts/facts.ts';
import { doneNotice, redirectDone } from '../../pages/parts/notices.ts';
import { table } from '../../pages/parts/table.ts';
import { ofTeam } from '../../pages/paths.ts';
import { organizationPath } from '../pages/record-view.ts';
import {
  dashOrganizationPath,
  dashRecordPath,
  editOrganizationPath,
  organizationsPath,
  organizationStatusPath,
} from './dash-paths.ts';
import { mayReview } from './list-page.ts';
import { organizationTexts as texts } from './organization-texts.ts';
import { categoryName, nameOf, statusBadge } from './record-as-seen.ts';
import { historySection } from './record/history.ts';
import { organizationDifferences, organizationFieldText } from './record/field-texts.ts';
import { reasonField, statusForms } from './record/status-forms.ts';
import { decidedAs, decisionIn } from './record/status-page.ts';
import { teamOrganization } from './team-organizations.ts';
import { en } from './texts.ts';

const { records } = en;
const mostServices = 200;

/** One organization of a team: what it says, its services, its status, and its history. */
export const dashOrganizationPage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'see the team',
  path: dashOrganizationPath(':org_id'),
  get: (pageContext) => view(dependencies, pageContext),
});

/** Changes the status of an organization. */
export const organizationStatusPage = teamForm({
  path: organizationStatusPath(':org_id'),
  action: decide,
  get: view,
  fields: () => [reasonField],
  also: (pageContext) => ({ decision: decisionIn(pageContext) }),
  view,
  done: (pageContext, { organization: { org_id, status } }) =>
    redirectDone(dashOrganizationPath(org_id), pageContext, decidedAs(pageContext, status)),
});

async function view(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  { problems, refused }: Again = { problems: {} },
): Promise<View> {
  const { documents } = dependencies;
  const { team } = pageContext.team;
  const doc = await teamOrganization(documents, pageContext);
  const { org_id, name, status, source, review_note, submitted_at, updated_at } = doc;
  const reviews = mayReview(pageContext);
  const [services, history, sourceName] = await Promise.all([
    servicesOf(dependencies, doc),
    historySection(dependencies, {
      stream: streamName(organizationStream, org_id),
      team,
      differences: organizationDifferences,
    }),
    source && sourceNameOf(documents, team, source.system),
  ]);
  return {
    title: name,
    content: html`${doneNotice(pageContext, texts.done)} ${refused ? notice(refused.message, 'wrong') : ''}
      <p>${statusBadge(status)}</p>
      <div class="choices">
        ${when(
          reviews,
          html`<a class="button primary" href="${ofTeam(editOrganizationPath(org_id), team)}"
            >${records.edit}</a
          >`,
        )}
        ${when(
          doc.listed === 1,
          html`<a class="button secondary" href="${organizationPath(org_id)}">${records.publicPage}</a>`,
        )}
        <a class="button secondary" href="${ofTeam(organizationsPath, team)}">${texts.back}</a>
      </div>
      <div class="beside">
        <div>
          <section class="card" aria-labelledby="about">
            <h2 id="about">${texts.about}</h2>
            ${facts(shownFieldsOf(doc))}
          </section>
          ${services} ${history}
        </div>
        <section class="card" aria-labelledby="standing">
          <h2 id="standing">${records.statusHeading}</h2>
          ${facts([
            [records.number, html`<code>${org_id}</code>`],
            [records.submitted, time(submitted_at, 'minute')],
            [records.changedAt, time(updated_at, 'minute')],
            [records.source, sourceName],
            [records.note, review_note === undefined ? undefined : written(review_note)],
          ])}
          ${
            reviews
              ? statusForms(
                  { name, status, action: organizationStatusPath(org_id) },
                  pageContext,
                  problems,
                  texts,
                )
              : ''
          }
        </section>
      </div>`,
  };
}

const shownFieldsOf = (doc: OrganizationDocument) => {
  const fields = organizationFieldsIn(doc, 'team');
  return (Object.keys(texts.fields) as (keyof typeof texts.fields)[]).map((name) => {
    const text = organizationFieldText(name, fields);
    return [texts.fields[name], text === '' ? undefined : written(text)] as const;
  });
};

/** The records of the team that name it. */
async function servicesOf(
  { documents }: PageDependencies,
  { org_id, team }: OrganizationDocument,
): Promise<Html> {
  const found = await documents.collection(resources.collection).page({
    where: { organization: org_id },
    orderBy: ['number'],
    limit: mostServices + 1,
  });
  const own = found.filter((each) => each.team === team).slice(0, mostServices);
  return html`<section class="card" aria-labelledby="services">
    <h2 id="services">${texts.services}</h2>
    ${
      own.length === 0
        ? html`<p class="quiet">${texts.noServices}</p>`
        : table({
            caption: texts.services,
            columns: [
              { label: texts.serviceColumns.name },
              { label: texts.serviceColumns.status },
              { label: texts.serviceColumns.category },
            ],
            rows: own.map((each) => [
              html`<a href="${ofTeam(dashRecordPath(each.svc_id), team)}">${nameOf(each)}</a>`,
              statusBadge(each.status),
              categoryName(each.category),
            ]),
          })
    }
    ${when(found.length > mostServices, html`<p class="quiet small">${texts.moreServices(mostServices)}</p>`)}
  </section>`;
}
