import { CommandRefused } from '../../../commands/errors.ts';
import { changeClient, settingsDigest, type ClientChange } from '../../../commands/oauth/client.ts';
import type { ClientStanding } from '../../../events/oauth/client.ts';
import { untilShown } from '../../../projections/until-shown.ts';
import { chosen } from '../../pages/parts/chosen.ts';
import { html, type Html } from '../../pages/html.ts';
import { facts } from '../../pages/parts/facts.ts';
import { button, doneText, form, hidden, notice, type Problems, time } from '../../pages/controls.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { ofTeam, paths } from '../../pages/paths.ts';
import { ask } from '../../pages/parts/ask.ts';
import { changedMeanwhile, type FieldChange } from '../../pages/parts/changes.ts';
import { doneNotice, redirectDone } from '../../pages/parts/notices.ts';
import { copyable } from '../../pages/parts/show-once.ts';
import type { Page, TeamPageContext, View } from '../../pages/page-context.ts';
import { domainsSection } from './site-domains.ts';
import { hasProblem, siteDifferences, siteFields, siteIn, type SiteFields } from './site-fields.ts';
import { requireSite, sitePath } from './site-of-team.ts';
import { stateOf } from './sites.ts';
import { en } from './texts.ts';
import { table } from '../../pages/parts/table.ts';
import { withoutRule } from '../errors.ts';

/** One site of a team: the details that its developers need, and the form for its admins. */
export function editSite(dependencies: PageDependencies): Page {
  return {
    audience: 'team',
    right: 'change sites',
    path: sitePath(':client'),
    async get(pageContext) {
      const site = await requireSite(dependencies, pageContext);
      return await siteView(dependencies, pageContext, site, fieldsOf(site));
    },
    async post(pageContext) {
      const site = await requireSite(dependencies, pageContext);
      const { site: given, problems } = siteIn(pageContext.form, site.name);
      if (hasProblem(problems))
        return { ...(await siteView(dependencies, pageContext, site, given, problems)), status: 422 };
      const meanwhile = await saveSettings(dependencies, pageContext, site, given);
      if (meanwhile.length === 0) return redirectDone(sitePath(site.client), pageContext, 'saved');
      const now = await requireSite(dependencies, pageContext);
      return {
        ...(await siteView(dependencies, pageContext, now, given, {}, changedMeanwhile(meanwhile))),
        status: 409,
      };
    },
  };
}

/**
 * Saves what was typed, if the settings are still those that the form was made from. Answers where what somebody else has
 * saved since differs from it.
 */
async function saveSettings(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  site: ClientStanding,
  given: SiteFields,
): Promise<FieldChange[]> {
  const { name, logoUri = null, redirectUris, postLogoutRedirectUris } = given;
  try {
    await changeSite(dependencies, pageContext, site, [
      { kind: 'require-settings', seen: pageContext.form.get('seen') ?? '' },
      { kind: 'change-details', name, logoUri },
      { kind: 'change-redirect-uris', uris: redirectUris },
      { kind: 'change-post-logout-uris', uris: postLogoutRedirectUris },
    ]);
    return [];
  } catch (error) {
    if (!(error instanceof CommandRefused) || error.code !== 'conflict') throw error;
    return siteDifferences(fieldsOf(await requireSite(dependencies, pageContext)), given);
  }
}

/** Deactivates a site, or reactivates it. */
export function siteStatus(dependencies: PageDependencies): Page {
  return {
    audience: 'team',
    right: 'change sites',
    path: `${sitePath(':client')}/status`,
    async post(pageContext) {
      const site = await requireSite(dependencies, pageContext);
      const status = chosen(pageContext.form, 'status', ['active', 'inactive']);
      const kind = status === 'active' ? 'reactivate' : 'deactivate';
      await changeSite(dependencies, pageContext, site, [{ kind }]);
      return redirectDone(sitePath(site.client), pageContext, status);
    },
  };
}

/** One command for all changes: a refusal changes nothing, and unchanged fields make no event. */
async function changeSite(
  { store, documents }: PageDependencies,
  pageContext: TeamPageContext,
  { client }: ClientStanding,
  changes: readonly ClientChange[],
): Promise<void> {
  await untilShown(documents, await changeClient(store, client, changes, pageContext.context()));
}

const fieldsOf = (site: ClientStanding): SiteFields => ({
  name: site.name,
  redirectUris: site.redirect_uris,
  postLogoutRedirectUris: site.post_logout_redirect_uris,
  logoUri: site.logo_uri,
});

async function siteView(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  site: ClientStanding,
  given: SiteFields,
  problems: Problems = {},
  meanwhile: Html | '' = '',
): Promise<View> {
  const { team, query } = pageContext;
  const refused = doneText(query, en.refused);
  return {
    title: site.name,
    content: html`${doneNotice(pageContext, en.done)}${refused === undefined ? '' : notice(refused, 'wrong')}${meanwhile}
      <section class="card">
        <h2>${en.site.developers}</h2>
        ${facts([
          ['client_id', copyable(site.client, 'client_id')],
          ['Discovery', copyable(`${dependencies.issuer()}/.well-known/openid-configuration`, 'Discovery')],
          ['Scopes', html`<code>${site.scopes.join(' ')}</code>`],
          ['Team', team.name],
          [en.sites.columns.state, stateOf(site)],
        ])}
        <p class="quiet small">${en.site.publicClient}</p>
        <p><a href="${ofTeam(`${sitePath(site.client)}/preview`, team.team)}">${en.preview.link}</a></p>
      </section>
      <section class="card">
        <h2>${en.site.settings}</h2>
        ${form({
          action: sitePath(site.client),
          token: pageContext.formToken,
          content: html`${hidden('team', team.team)}${hidden('seen', settingsDigest(site))}
            ${siteFields(given, problems)}
            <div class="choices">
              ${button(en.site.save)}
              <a class="button secondary" href="${ofTeam(paths.sites, team.team)}">${en.site.cancel}</a>
            </div>`,
        })}
      </section>
      ${await domainsSection(dependencies, pageContext, site)}
      ${await refusalsSection(dependencies, site.client)} ${statusSection(pageContext, site)}`,
  };
}

function statusSection({ formToken, team }: TeamPageContext, { client, name, status }: ClientStanding): Html {
  const action = `${sitePath(client)}/status`;
  if (status === 'active')
    return html`<section class="card">
      <h2>${en.status.active}</h2>
      ${ask({
        label: en.status.deactivate,
        of: name,
        sentence: en.status.whatEnds,
        action,
        token: formToken,
        values: { team: team.team, status: 'inactive' },
      })}
    </section>`;
  return html`<section class="card">
    <h2>${en.status.inactive}</h2>
    <p class="quiet">${en.status.whileInactive}</p>
    ${form({
      action,
      token: formToken,
      content: html`${hidden('team', team.team)}${hidden('status', 'active')}${button(en.status.reactivate)}`,
    })}
  </section>`;
}

/** What was refused to a site of late, and why. */
async function refusalsSection({ refusals }: PageDependencies, client: string): Promise<Html> {
  const recent = await refusals.of(client);
  const texts = en.refusals;
  const { columns } = texts;
  return html`<section class="card" id="errors">
    <h2>${texts.title}</h2>
    ${
      recent.length === 0
        ? html`<p class="quiet">${texts.none}</p>`
        : html`<p class="quiet">${texts.lead}</p>
            ${table({
              caption: texts.title,
              columns: [
                { label: columns.at },
                { label: columns.code },
                { label: columns.rule },
                { label: columns.address },
              ],
              rows: recent.map(({ at, code, rule, redirect_uri }) => [
                time(at, 'minute'),
                html`<code class="whole">${code}</code>`,
                withoutRule(rule),
                html`<span class="host">${redirect_uri ?? '–'}</span>`,
              ]),
            })}`
    }
  </section>`;
}
