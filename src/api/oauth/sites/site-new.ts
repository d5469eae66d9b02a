import { registerClient } from '../../../commands/oauth/client.ts';
import { untilShown } from '../../../projections/until-shown.ts';
import { html } from '../../pages/html.ts';
import { button, form, hidden, type Problems } from '../../pages/controls.ts';
import type { Dash } from '../../dashboard-dependencies.ts';
import { paths } from '../../pages/paths.ts';
import { requireAdmin } from './site-authority.ts';
import { hasProblem, siteFields, siteIn, type SiteFields } from './site-fields.ts';
import { go, type SignedInPageContext, type Page, type View } from '../../pages/page-context.ts';

/** Registering a site of a team. */
export function newSite(dash: Dash): Page {
  return {
    audience: 'signed in',
    path: paths.newSite,
    async get(pageContext) {
      const team = pageContext.query.get('team') ?? '';
      const { name } = await requireAdmin(dash, pageContext, team);
      const empty = { name: '', redirectUris: [], postLogoutRedirectUris: [], logoUri: undefined };
      return newSiteView(pageContext, { team, name }, empty);
    },
    async post(pageContext) {
      const team = pageContext.form.get('team') ?? '';
      const { name } = await requireAdmin(dash, pageContext, team);
      const { site, problems } = siteIn(pageContext.form);
      if (hasProblem(problems))
        return { ...newSiteView(pageContext, { team, name }, site, problems), status: 422 };
      const { logoUri, ...rest } = site;
      const wish = { team, ...rest, ...(logoUri === undefined ? {} : { logoUri }) };
      const { clientId, outcome } = await registerClient(dash.store, wish, pageContext.context());
      await untilShown(dash.documents, outcome);
      return go(`${paths.sites}/${clientId}?done=registered`);
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
