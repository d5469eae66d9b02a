import { changeClient, type ClientChange } from '../../../commands/oauth/client.ts';
import type { ClientStanding } from '../../../events/oauth/client.ts';
import { untilShown } from '../../../projections/until-shown.ts';
import { html, type Html } from '../../pages/html.ts';
import { button, form, hidden, notice, type Problems, doneText } from '../../pages/controls.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { paths } from '../../pages/paths.ts';
import { requireSite } from './site-authority.ts';
import { hasProblem, siteFields, siteIn, type SiteFields } from './site-fields.ts';
import { redirectTo, type SignedInPageContext, type Page, type View } from '../../pages/page-context.ts';

/** One site of a team: the details that its developers need, and the form for its admins. */
export function editSite(dependencies: PageDependencies): Page {
  return {
    audience: 'signed in',
    path: `${paths.sites}/:client`,
    async get(pageContext) {
      const { site, team } = await requireSite(dependencies, pageContext);
      return siteView(dependencies, pageContext, site, team, fieldsOf(site));
    },
    async post(pageContext) {
      const { site, team } = await requireSite(dependencies, pageContext);
      const { site: given, problems } = siteIn(pageContext.form);
      if (hasProblem(problems))
        return { ...siteView(dependencies, pageContext, site, team, given, problems), status: 422 };
      const { name, logoUri = null, redirectUris, postLogoutRedirectUris } = given;
      await command(dependencies, pageContext, site, [
        { kind: 'change-details', name, logoUri },
        { kind: 'change-redirect-uris', uris: redirectUris },
        { kind: 'change-post-logout-uris', uris: postLogoutRedirectUris },
      ]);
      return redirectTo(`${paths.sites}/${site.client}?done=saved`);
    },
  };
}

/** Deactivates a site, or reactivates it. */
export function siteStatus(dependencies: PageDependencies): Page {
  return {
    audience: 'signed in',
    path: `${paths.sites}/:client/status`,
    async post(pageContext) {
      const { site } = await requireSite(dependencies, pageContext);
      const wanted = pageContext.form.get('status');
      if (wanted === 'inactive') await command(dependencies, pageContext, site, [{ kind: 'deactivate' }]);
      if (wanted === 'active') await command(dependencies, pageContext, site, [{ kind: 'reactivate' }]);
      return redirectTo(`${paths.sites}/${site.client}?done=${wanted === 'active' ? 'active' : 'inactive'}`);
    },
  };
}

/** One command for all changes: a refusal changes nothing, and unchanged fields make no event. */
async function command(
  { store, documents }: PageDependencies,
  pageContext: SignedInPageContext,
  { client }: ClientStanding,
  changes: readonly ClientChange[],
): Promise<void> {
  const outcome = await changeClient(store, client, changes, pageContext.context());
  await untilShown(documents, outcome);
}

const fieldsOf = (site: ClientStanding): SiteFields => ({
  name: site.name,
  redirectUris: site.redirect_uris,
  postLogoutRedirectUris: site.post_logout_redirect_uris,
  logoUri: site.logo_uri,
});

function siteView(
  { issuer }: PageDependencies,
  pageContext: SignedInPageContext,
  site: ClientStanding,
  team: string,
  given: SiteFields,
  problems: Problems = {},
): View {
  return {
    title: site.name,
    content: html`${doneNotice(pageContext)}
      <section class="card">
        <h2>For its developers</h2>
        <dl class="facts">
          <div>
            <dt>client_id</dt>
            <dd><code>${site.client}</code></dd>
          </div>
          <div>
            <dt>Discovery</dt>
            <dd><code>${issuer()}/.well-known/openid-configuration</code></dd>
          </div>
          <div>
            <dt>Scopes</dt>
            <dd><code>${site.scopes.join(' ')}</code></dd>
          </div>
          <div>
            <dt>Team</dt>
            <dd>${team}</dd>
          </div>
        </dl>
        <p class="quiet small">It is a public client: it needs PKCE with S256, and has no secret.</p>
      </section>
      <section class="card">
        <h2>Settings</h2>
        ${form({
          action: `${paths.sites}/${site.client}`,
          token: pageContext.formToken,
          content: html`${siteFields(given, problems)}
            <div class="choices">
              ${button('Save')} <a class="button secondary" href="${paths.sites}">Cancel</a>
            </div>`,
        })}
      </section>
      ${statusSection(pageContext, site)}`,
  };
}

function statusSection({ formToken }: SignedInPageContext, { client, status }: ClientStanding): Html {
  const active = status === 'active';
  return html`<section class="card">
    <h2>${active ? 'Deactivate this site' : 'This site is inactive'}</h2>
    <p class="quiet">
      ${
        active
          ? 'People can no longer sign in to it, and all its tokens stop working for good. After you reactivate it, people have to sign in again.'
          : 'Nobody can sign in to it, and none of its tokens work.'
      }
    </p>
    ${form({
      action: `${paths.sites}/${client}/status`,
      token: formToken,
      content: html`${hidden('status', active ? 'inactive' : 'active')}
      ${active ? button('Deactivate', { weight: 'danger' }) : button('Reactivate')}`,
    })}
  </section>`;
}

function doneNotice({ query }: SignedInPageContext): Html | '' {
  const done = doneText(query, doneTexts);
  return done === undefined ? '' : notice(done);
}

const doneTexts = {
  registered: 'The site is registered. Its developers need the details on this page.',
  saved: 'The changes are saved.',
  inactive: 'The site is deactivated.',
  active: 'The site is active again.',
} as const;
