import { clients, type ClientDocument } from '../../../projections/oauth/clients.ts';
import { paginateAll } from '../../../projections/engine/paginate.ts';
import type { TeamDocument } from '../../../projections/teams/teams.ts';
import { html, type Html } from '../../pages/html.ts';
import { when } from '../../pages/controls.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { avatar } from '../../pages/frame/layout.ts';
import { paths } from '../../pages/paths.ts';
import { teamsOf } from './site-authority.ts';
import type { Page } from '../../pages/page-context.ts';

/** Lists the sites of a person's teams (interface 1). */
export function sites(dependencies: PageDependencies): Page {
  return {
    audience: 'signed in',
    path: paths.sites,
    async get(pageContext) {
      const own = await teamsOf(dependencies, pageContext);
      return {
        title: 'Your sites',
        content: html`<p class="lead">
            Sites and apps where people can sign in with their Commonweal account.
          </p>
          ${
            own.length === 0
              ? html`<p class="card quiet empty">
                  You are not an admin of any team. To register a site, ask an admin of your team to make you
                  an admin too.
                </p>`
              : await Promise.all(
                  own.map(async (team) => teamSection(team, await sitesOf(dependencies, team.team))),
                )
          }`,
      };
    },
  };
}

const sitesOf = ({ documents }: PageDependencies, team: string): Promise<ClientDocument[]> =>
  paginateAll(documents.collection(clients.collection), {
    where: { team },
    orderBy: ['registered_at', 'client'],
  });

const teamSection = ({ team, name }: TeamDocument, all: readonly ClientDocument[]): Html =>
  html`<section class="team" aria-labelledby="team-${team}">
    <div class="team-head">
      <h2 id="team-${team}">${name}</h2>
      <a class="button secondary" href="${paths.newSite}?team=${team}"
        >Register a site<span class="unseen"> of ${name}</span></a
      >
    </div>
    ${
      all.length === 0
        ? html`<p class="card quiet empty">No sites yet.</p>`
        : html`<ul class="items card">
            ${all.map(entry)}
          </ul>`
    }
  </section>`;

const entry = ({ client, name, redirect_uris, status, first_party }: ClientDocument): Html =>
  html`<li>
    ${avatar(name, 'site')}
    <div>
      <strong>${name}</strong> ${when(status === 'inactive', html`<span class="badge">inactive</span>`)}
      ${when(first_party, html`<span class="badge">run by us</span>`)}<br />
      <span class="quiet">${[...new Set(redirect_uris.map((uri) => new URL(uri).host))].join(', ')}</span>
    </div>
    <a href="${paths.sites}/${client}">Edit<span class="unseen"> ${name}</span></a>
  </li>`;
