import { siteList } from '../../../actions/oauth-sites.ts';
import { isVerified } from '../../../events/oauth/domains.ts';
import type { ClientDocument } from '../../../projections/oauth-clients.ts';
import { html, type Html } from '../../pages/html.ts';
import { time } from '../../pages/controls.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { ofTeam, paths } from '../../pages/paths.ts';
import { badge } from '../../pages/parts/badge.ts';
import { listPage } from '../../pages/keyset.ts';
import { empty } from '../../pages/parts/list-controls.ts';
import { table } from '../../pages/parts/table.ts';
import type { Page, TeamPageContext } from '../../pages/page-context.ts';
import { sitePath } from './site-of-team.ts';
import { en } from './texts.ts';

const texts = en.sites;

/** Lists the sites of a team (interface 1). */
export function sites(dependencies: PageDependencies): Page {
  return {
    audience: 'team',
    right: 'change sites',
    path: paths.sites,
    async get(pageContext) {
      const { team, query } = pageContext;
      const { rows, further } = await listPage(dependencies, siteList, { team: team.team }, query, (also) =>
        ofTeam(paths.sites, team.team, also),
      );
      const register = html`<a class="button primary" href="${ofTeam(paths.newSite, team.team)}"
        >${texts.register}</a
      >`;
      return {
        title: texts.title,
        content: html`<p class="lead">${texts.lead(team.name)}</p>
          ${
            rows.length === 0
              ? empty(texts.none, register)
              : html`<p>${register}</p>
                  <div class="card">${tableOf(pageContext, rows)}</div>`
          }
          ${further}`,
      };
    },
  };
}

const tableOf = ({ team }: TeamPageContext, all: readonly ClientDocument[]): Html =>
  table({
    caption: texts.caption(team.name),
    columns: [
      { label: texts.columns.name },
      { label: texts.columns.hosts },
      { label: texts.columns.state },
      { label: texts.columns.registered },
    ],
    rows: all.map((site) => [
      html`<a href="${ofTeam(sitePath(site.client), team.team)}">${site.name}</a>`,
      html`${hostsOf(site).map((host) => html`<div>${host} ${isVerified(site, host) ? badge('verified', 'good') : ''}</div>`)}`,
      stateOf(site),
      time(site.registered_at),
    ]),
  });

const hostsOf = ({ redirect_uris }: ClientDocument): string[] => [
  ...new Set(redirect_uris.map((uri) => new URL(uri).host)),
];

/** Whether people can sign in to a site, and whether it is ours. */
export const stateOf = ({ status, first_party }: Pick<ClientDocument, 'status' | 'first_party'>): Html =>
  html`${status === 'active' ? badge('active', 'good') : badge('inactive', 'bad')}
  ${first_party ? badge('run by us') : ''}`;
