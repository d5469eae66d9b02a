import { registerClient } from '../../../commands/oauth/client.ts';
import { untilShown } from '../../../projections/until-shown.ts';
import { html } from '../../pages/html.ts';
import { button, form, hidden, type Problems } from '../../pages/controls.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { paths } from '../../pages/paths.ts';
import { requireAdmin } from './site-authority.ts';
import { hasProblem, siteFields, siteIn, type SiteFields } from './site-fields.ts';
import { redirectTo, type SignedInPageContext, type Page, type View } from '../../pages/page-context.ts';

/** Registers a site of a team. */
export function newSite(dependencies: PageDependencies): Page {
  return {
    audience: 'signed in',
    path: paths.newSite,
    async get(pageContext) {
      const team = pageContext.query.get('team') ?? '';
      const { name } = await requireAdmin(dependencies, pageContext, team);
      const empty = { name: '', redirectUris: [], postLogoutRedirectUris: [], logoUri: undefined };
      return newSiteView(pageContext, { team, name }, empty);
    },
    async post(pageContext) {
      const team = pageContext.form.get('team') ?? '';
      const { name } = await requireAdmin(dependencies, pageContext, team);
      const { site, problems } = siteIn(pageContext.form);
      if (hasProblem(problems))
        return { ...newSiteView(pageContext, { team, name }, site, problems), status: 422 };
      const { logoUri, ...rest } = site;
      const registration = { team, ...rest, ...(logoUri === undefined ? {} : { logoUri }) };
      const { clientId, outcome } = await registerClient(
        dependencies.store,
        registration,
        pageContext.context(),
      );
      await untilShown(dependencies.documents, outcome);
      return redirectTo(`${paths.sites}/${clientId}?done=registered`);
    },
  };
}

const newSiteView = (
  { formToken }: SignedInPageContext,
  { team, name }: { readonly team: string; readonly name: string },
  site: SiteFields,
  problems: Problems = {},
): View => ({
  title: 'Register a site',
  content: html`<p class="lead">It will belong to ${name}.</p>
    <section class="card">
      ${form({
        action: paths.newSite,
        token: formToken,
        content: html`${hidden('team', team)}${siteFields(site, problems)}
          <div class="choices">
            ${button('Register')} <a class="button secondary" href="${paths.sites}">Cancel</a>
          </div>`,
      })}
    </section>`,
});
