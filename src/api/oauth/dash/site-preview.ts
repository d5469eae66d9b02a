import type { ClientSnapshot } from '../../../events/oauth/client.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { html } from '../../pages/html.ts';
import type { Page } from '../../pages/page-context.ts';
import { copyableLines } from '../../pages/parts/show-once.ts';
import { ofTeam } from '../../pages/paths.ts';
import { authorizePath } from '../authorize.ts';
import { siteCard, whatStays } from './consent-card.ts';
import { scopeList } from './scope-descriptions.ts';
import { requireSite, sitePath } from './site-of-team.ts';
import { en } from './texts.ts';

const texts = en.preview;

/** What people will be asked, with the data of who looks at it, and the address at which the site sends them here. */
export function previewSite(dependencies: PageDependencies): Page {
  return {
    audience: 'team',
    right: 'change sites',
    path: `${sitePath(':client')}/preview`,
    async get(pageContext) {
      const { team, currentUser } = pageContext;
      const site = await requireSite(dependencies, pageContext);
      const host = new URL(site.redirect_uris[0] ?? '').host;
      return {
        title: texts.title,
        content: html`<p class="lead">${site.first_party ? texts.firstParty : texts.lead}</p>
          <section class="card" aria-label="${texts.title}">
            <h2>Sign in to ${site.name}?</h2>
            ${siteCard(site, team.name, host)}
            <h3>It wants to</h3>
            ${scopeList(site.scopes, currentUser)} ${whatStays}
          </section>
          <section class="card">
            <h2>${texts.test}</h2>
            <p>${texts.how}</p>
            ${copyableLines(addressOf(dependencies.issuer(), site), texts.address)}
            <p class="quiet">${texts.why}</p>
          </section>
          <p><a href="${ofTeam(sitePath(site.client), team.team)}">${texts.back}</a></p>`,
      };
    },
  };
}

/** The address of the authorization endpoint, with places for what the site makes anew for each person. */
function addressOf(issuer: string, { client, redirect_uris, scopes }: ClientSnapshot): string {
  const fixed = new URLSearchParams({
    client_id: client,
    redirect_uri: redirect_uris[0] ?? '',
    response_type: 'code',
    scope: scopes.join(' '),
    code_challenge_method: 'S256',
  });
  return `${issuer}${authorizePath}?${fixed.toString()}&state=STATE&code_challenge=CODE_CHALLENGE`;
}
