import { activeConsents, revokeAccess, revokeAllAccess } from '../../../actions/oauth-consents.ts';
import { isVerified } from '../../../events/oauth/domains.ts';
import { clients, type ClientDocument } from '../../../projections/oauth-clients.ts';
import type { ConsentDocument } from '../../../projections/oauth-consents.ts';
import { grants } from '../../../projections/oauth-grants.ts';
import { teams } from '../../../projections/teams.ts';
import { html, type Html } from '../../pages/html.ts';
import { personForm } from '../../pages/action-form.ts';
import { doneText, notice, time, when } from '../../pages/controls.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { avatar } from '../../pages/frame/layout.ts';
import { ask } from '../../pages/parts/ask.ts';
import { empty } from '../../pages/parts/list-controls.ts';
import { badge } from '../../pages/parts/badge.ts';
import { paths } from '../../pages/paths.ts';
import { scopeList } from './scope-descriptions.ts';
import { redirectTo, type Page, type SignedInPageContext, type View } from '../../pages/page-context.ts';

/** The most grants of one person to one site that are searched for the last use. */
const grantsLookedAt = 50;

const doneTexts = {
  revoked: 'The access is revoked. The site can no longer see your data.',
  'all-revoked': 'All access is revoked. No site can see your data any more.',
};

/** The sites that may see a person's data: what, since when, and when they last did (interface 3). */
export const connectedApps = (dependencies: PageDependencies): Page => ({
  audience: 'signed in',
  path: paths.apps,
  get: (pageContext) => appsView(dependencies, pageContext),
});

export const revoke = personForm({
  path: paths.revoke,
  action: revokeAccess,
  also: ({ form }) => ({ client: form.get('client') ?? '' }),
  view: appsView,
  done: () => redirectTo(`${paths.apps}?done=revoked`),
});

export const revokeAll = personForm({
  path: paths.revokeAll,
  action: revokeAllAccess,
  view: appsView,
  done: () => redirectTo(`${paths.apps}?done=all-revoked`),
});

async function appsView(dependencies: PageDependencies, pageContext: SignedInPageContext): Promise<View> {
  const allowed = await allowedSites(dependencies, pageContext);
  const done = doneText(pageContext.query, doneTexts);
  return {
    title: 'Sites with access',
    content: html`${when(done !== undefined, notice(done ?? ''))}
    ${
      allowed.length === 0
        ? empty(
            'No site can see your data. When you sign in to a site with your account here, you find it on this page.',
          )
        : html`<p class="lead">
              These sites can see some of your data, and you stay signed in to them after you sign out here.
              When you revoke access, it ends at once.
            </p>
            <ul class="sites">
              ${allowed.map((site) => entry(pageContext, site))}
            </ul>`
    }
    ${when(
      allowed.length > 1,
      ask({
        label: 'Revoke all',
        of: 'access',
        sentence: 'No site can see your data any more, and you are signed out of all of them.',
        action: paths.revokeAll,
        token: pageContext.formToken,
      }),
    )}`,
  };
}

interface AllowedSite {
  readonly consent: ConsentDocument;
  readonly site: ClientDocument | undefined;
  readonly team: string;
  /** ISO 8601. Undefined when it was never used, or not since the consent. */
  readonly lastUsed: string | undefined;
}

async function allowedSites(
  dependencies: PageDependencies,
  pageContext: SignedInPageContext,
): Promise<AllowedSite[]> {
  const { documents } = dependencies;
  const active = await activeConsents(dependencies, pageContext.currentUser.person);
  const sites = await documents.collection(clients.collection).getMany(active.map(({ client }) => client));
  const slugs = [...sites.values()].map(({ team }) => team);
  const names = await documents.collection(teams.collection).getMany([...new Set(slugs)]);
  const all = active.map(async (consent) => {
    const site = sites.get(consent.client);
    const team = site?.team ?? '';
    const lastUsed = await lastUse(dependencies, consent);
    return { consent, site, team: names.get(team)?.name ?? team, lastUsed };
  });
  // Newest first.
  return (await Promise.all(all)).reverse();
}

/**
 * A grant changes when a site exchanges a code or refreshes, so the time is exact to the lifetime of an access token.
 */
async function lastUse(
  { documents }: PageDependencies,
  { user, client }: ConsentDocument,
): Promise<string | undefined> {
  const found = await documents.collection(grants.collection).page({
    where: { user, client },
    orderBy: ['issued_at', 'grant'],
    descending: true,
    limit: grantsLookedAt,
  });
  const used = found.filter(({ status }) => status === 'active').map(({ changed_at }) => changed_at);
  return used.sort().at(-1);
}

function entry(
  { formToken, currentUser }: SignedInPageContext,
  { consent, site, team, lastUsed }: AllowedSite,
): Html {
  const name = site?.name ?? consent.client;
  return html`<li class="card">
    <div class="site-head">
      ${avatar(name, 'site')}
      <div>
        <h2>${name}</h2>
        <p class="quiet">
          ${team}${site === undefined ? '' : hosts(site)}
          ${when(site?.first_party, html`<span class="badge">run by us</span>`)}
          ${when(site?.status === 'inactive', html`<span class="badge">inactive</span>`)}
        </p>
      </div>
    </div>
    ${scopeList(consent.scopes, currentUser)}
    <p class="quiet small">
      Since ${time(consent.granted_at)} ·
      ${lastUsed === undefined ? 'not used yet' : html`last used ${time(lastUsed, 'minute')}`}
    </p>
    ${ask({
      label: 'Revoke',
      of: name,
      sentence:
        'The site can no longer see your data, and you are signed out of it. You can allow it again when you sign in there.',
      action: paths.revoke,
      token: formToken,
      values: { client: consent.client },
    })}
  </li>`;
}

/** Where the site is, and which of its domains its team has proved to be its own, as when people consented. */
const hosts = (site: ClientDocument): Html =>
  html`${[...new Set(site.redirect_uris.map((uri) => new URL(uri).host))].map(
    (host) => html` · ${host} ${when(isVerified(site, host), badge('verified', 'good'))}`,
  )}`;
