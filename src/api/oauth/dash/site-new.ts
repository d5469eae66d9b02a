import { registerClient } from '../../../commands/oauth/client.ts';
import { untilShown } from '../../../projections/until-shown.ts';
import { html } from '../../pages/html.ts';
import { button, form, hidden, type Problems } from '../../pages/controls.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { ofTeam, paths } from '../../pages/paths.ts';
import { redirectDone } from '../../pages/parts/notices.ts';
import type { Page, TeamPageContext, View } from '../../pages/page-context.ts';
import { hasProblem, siteFields, siteIn, type SiteFields } from './site-fields.ts';
import { sitePath } from './site-of-team.ts';
import { en } from './texts.ts';

const noSite: SiteFields = { name: '', redirectUris: [], postLogoutRedirectUris: [], logoUri: undefined };

/** Registers a site of a team. */
export function newSite(dependencies: PageDependencies): Page {
  return {
    audience: 'team',
    right: 'change sites',
    path: paths.newSite,
    get: (pageContext) => newSiteView(pageContext, noSite),
    async post(pageContext) {
      const { site, problems } = siteIn(pageContext.form);
      if (hasProblem(problems)) return { ...newSiteView(pageContext, site, problems), status: 422 };
      const { logoUri, ...rest } = site;
      const { clientId, outcome } = await registerClient(
        dependencies.store,
        { team: pageContext.team.team, ...rest, ...(logoUri === undefined ? {} : { logoUri }) },
        pageContext.onceContext(),
      );
      await untilShown(dependencies.documents, outcome);
      return redirectDone(sitePath(clientId), pageContext, 'registered');
    },
  };
}

const newSiteView = (
  { formToken, team }: TeamPageContext,
  site: SiteFields,
  problems: Problems = {},
): View => ({
  title: en.newSite.title,
  content: html`<p class="lead">${en.newSite.lead(team.name)}</p>
    <section class="card">
      ${form({
        action: paths.newSite,
        token: formToken,
        content: html`${hidden('team', team.team)}${siteFields(site, problems)}
          <div class="choices">
            ${button(en.newSite.register)}
            <a class="button secondary" href="${ofTeam(paths.sites, team.team)}">${en.site.cancel}</a>
          </div>`,
      })}
    </section>`,
});
