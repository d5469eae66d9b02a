import { changeSite, checkSiteDomain, setSiteStatus } from '../../../actions/oauth-sites.ts';
import { settingsDigest } from '../../../commands/oauth/client.ts';
import type { ClientSnapshot } from '../../../events/oauth/client.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { inputFields, teamForm, type Again } from '../../pages/action-form.ts';
import { button, doneText, form, hidden, notice, time, when } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import { redirectTo, type TeamPageContext, type View } from '../../pages/page-context.ts';
import { ask } from '../../pages/parts/ask.ts';
import { changedMeanwhile } from '../../pages/parts/changes.ts';
import { chosen } from '../../pages/parts/chosen.ts';
import { facts } from '../../pages/parts/facts.ts';
import { doneNotice, redirectDone } from '../../pages/parts/notices.ts';
import { copyable } from '../../pages/parts/show-once.ts';
import { table } from '../../pages/parts/table.ts';
import { ofTeam, paths } from '../../pages/paths.ts';
import { whatToChange, withoutRule } from '../errors.ts';
import { domainsSection } from './site-domains.ts';
import { siteDifferences, siteFields } from './site-fields.ts';
import { clientIn, requireSite, sitePath } from './site-of-team.ts';
import { stateOf } from './sites.ts';
import { en } from './texts.ts';

/** One site of a team: the details that its developers need, and the form for its admins. */
export const editSite = teamForm({
  path: sitePath(':client'),
  action: changeSite,
  get: siteView,
  fields: async (dependencies, pageContext) => siteFields(await requireSite(dependencies, pageContext)),
  also: (pageContext) => ({ client: clientIn(pageContext), seen: pageContext.form.get('seen') ?? '' }),
  view: siteView,
  done: (pageContext) => redirectDone(sitePath(clientIn(pageContext)), pageContext, 'saved'),
});

/** Deactivates a site, or reactivates it. */
export const siteStatus = teamForm({
  path: `${sitePath(':client')}/status`,
  action: setSiteStatus,
  also: (pageContext) => ({ client: clientIn(pageContext), status: statusIn(pageContext.form) }),
  view: siteView,
  done: (pageContext) =>
    redirectDone(sitePath(clientIn(pageContext)), pageContext, statusIn(pageContext.form)),
});

/** Looks for the proof of a host now. */
export const checkDomain = teamForm({
  path: `${sitePath(':client')}/domains`,
  action: checkSiteDomain,
  also: (pageContext) => ({ client: clientIn(pageContext), host: pageContext.form.get('host') ?? '' }),
  view: siteView,
  done: (pageContext, done) =>
    done === 'verified'
      ? redirectDone(sitePath(clientIn(pageContext)), pageContext, done)
      : redirectTo(`${ofTeam(sitePath(clientIn(pageContext)), pageContext.team.team, { done })}#domains`),
});

const statusIn = (form: URLSearchParams) => chosen(form, 'status', ['active', 'inactive']);

async function siteView(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  { problems, refused }: Again = { problems: {} },
): Promise<View> {
  const { team, query, form: typed } = pageContext;
  const site = await requireSite(dependencies, pageContext);
  const wrong = doneText(query, en.refused) ?? refused?.message;
  return {
    title: site.name,
    content: html`${doneNotice(pageContext, en.done)}${
        refused?.code === 'conflict'
          ? changedMeanwhile(siteDifferences(site, typed))
          : when(wrong !== undefined, notice(wrong ?? '', 'wrong'))
      }
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
        <ul>
          <li><a href="${ofTeam(`${sitePath(site.client)}/code`, team.team)}">${en.code.link}</a></li>
          <li><a href="${ofTeam(`${sitePath(site.client)}/preview`, team.team)}">${en.preview.link}</a></li>
        </ul>
      </section>
      <section class="card">
        <h2>${en.site.settings}</h2>
        ${form({
          action: ofTeam(sitePath(site.client), team.team),
          token: pageContext.formToken,
          content: html`${hidden('team', team.team)}${hidden('seen', settingsDigest(site))}
            ${inputFields(siteFields(site), typed, problems)}
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

function statusSection({ formToken, team }: TeamPageContext, { client, name, status }: ClientSnapshot): Html {
  const action = ofTeam(`${sitePath(client)}/status`, team.team);
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
                html`${withoutRule(rule)} ${whatToChange({ message: rule }).change}`,
                html`<span class="host">${redirect_uri ?? '–'}</span>`,
              ]),
            })}`
    }
  </section>`;
}
