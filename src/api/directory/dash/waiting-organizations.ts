import { fieldsIn } from '../../../projections/directory/document-fields.ts';
import { organizations } from '../../../projections/directory/organizations.ts';
import type { ResourceDocument } from '../../../projections/directory/resources.ts';
import type { Documents } from '../../../stores/documents/port.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { html, type Html } from '../../pages/html.ts';
import type { TeamPageContext, View } from '../../pages/page-context.ts';
import { empty } from '../../pages/parts/list-controls.ts';
import { ofTeam } from '../../pages/paths.ts';
import { dashOrganizationPath } from './dash-paths.ts';
import { organizationTable } from './organization-list-page.ts';
import { organizationTexts as texts } from './organization-texts.ts';
import { queueTabs } from './queue-tabs.ts';
import { findOrganizations } from './team-organizations.ts';
import { waitingIn } from './team-records.ts';
import { en } from './texts.ts';

/** The organizations of a team that wait for a decision. Each is decided about on its page. */
export async function waitingOrganizationsView(
  { documents }: PageDependencies,
  { team: { team } }: TeamPageContext,
): Promise<View> {
  const [{ rows }, waiting] = await Promise.all([
    findOrganizations(documents, { team, status: 'submitted' }),
    waitingIn(documents, team),
  ]);
  return {
    title: en.review.title,
    content: html`${queueTabs(team, 'organizations', waiting)}
      <p class="lead">${texts.waitingLead}</p>
      ${
        rows.length === 0
          ? empty(texts.nothingWaits)
          : html`<section class="card">${organizationTable(rows, team)}</section>`
      }`,
  };
}

/** Says that the organization of a record waits too, where it does. */
export async function waitingOrganization(documents: Documents, doc: ResourceDocument): Promise<Html | ''> {
  const id = fieldsIn(doc, 'developer').organization?.id;
  const named = id === undefined ? undefined : await documents.collection(organizations.collection).get(id);
  if (named?.status !== 'submitted' || named.team !== doc.team) return '';
  return html`<p class="notice plain">
    ${texts.waitingToo(named.name)}
    <a href="${ofTeam(dashOrganizationPath(named.org_id), doc.team)}">${texts.look}</a>
  </p>`;
}
