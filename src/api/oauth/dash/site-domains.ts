import {
  proofPath,
  proofRecord,
  proofToken,
  provableHosts,
  verifiedDomains,
} from '../../../commands/oauth/domains.ts';
import { checkDomain, newestCheck, type DomainCheck } from '../../../dispatch/operations/check-domain.ts';
import { destinationPolicy } from '../../../dispatch/operations/destination-policy.ts';
import type { ClientStanding } from '../../../events/oauth/client.ts';
import { untilShown } from '../../../projections/until-shown.ts';
import { html, type Html } from '../../pages/html.ts';
import { facts } from '../../pages/parts/facts.ts';
import { button, form, hidden, time } from '../../pages/controls.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { badge } from '../../pages/parts/badge.ts';
import { redirectDone } from '../../pages/parts/notices.ts';
import { copyable } from '../../pages/parts/show-once.ts';
import { redirectTo, type Page, type TeamPageContext } from '../../pages/page-context.ts';
import { ofTeam } from '../../pages/paths.ts';
import { requireSite, sitePath } from './site-of-team.ts';
import { en } from './texts.ts';

const texts = en.domains;

/** Looks for the proof of a host now. */
export function checkSiteDomain(dependencies: PageDependencies): Page {
  const { store, side, documents, config, limits, domainLookups } = dependencies;
  return {
    audience: 'team',
    right: 'change sites',
    path: `${sitePath(':client')}/domains`,
    async post(pageContext) {
      const { client, ...site } = await requireSite(dependencies, pageContext);
      const host = pageContext.form.get('host') ?? '';
      const back = (done: string) =>
        redirectTo(ofTeam(sitePath(client), pageContext.team.team, { done }) + '#domains');
      if (!provableHosts(site).includes(host)) return back('otherHost');
      if ((await limits.take(['domain-check', client])).seconds > 0) return back('checkedTooOften');
      const parts = { store, side, policy: destinationPolicy(config), ...domainLookups };
      const { proof, outcome } = await checkDomain(parts, { client, host }, pageContext.context());
      if (outcome) await untilShown(documents, outcome);
      return proof.by === undefined
        ? back('notProved')
        : redirectDone(sitePath(client), pageContext, 'verified');
    },
  };
}

/** The hosts that people are sent to: which are verified, and how to prove the others. */
export async function domainsSection(
  { side }: PageDependencies,
  pageContext: TeamPageContext,
  site: ClientStanding,
): Promise<Html> {
  const hosts = provableHosts(site);
  const found = await Promise.all(
    hosts.map(async (host) => [host, await newestCheck(side, site.client, host)] as const),
  );
  return html`<section class="card" id="domains">
    <h2>${texts.title}</h2>
    <p class="quiet">${hosts.length === 0 ? texts.none : texts.lead}</p>
    ${found.map(([host, check]) => hostPart(pageContext, site, host, check))}
  </section>`;
}

function hostPart(
  { formToken, team }: TeamPageContext,
  site: ClientStanding,
  host: string,
  check: DomainCheck | undefined,
): Html {
  const verified = verifiedDomains(site).find((each) => each.host === host);
  const checkNow = form({
    action: `${sitePath(site.client)}/domains`,
    token: formToken,
    label: `${texts.check} ${host}`,
    content: html`${hidden('team', team.team)}${hidden('host', host)}
    ${button(texts.check, { weight: 'secondary', of: host })}`,
  });
  const ways = html`<p>${texts.ways}</p>
    ${facts([
      [texts.file, copyable(`https://${host}${proofPath}`, texts.file)],
      [texts.record, copyable(proofRecord(host), texts.record)],
      [texts.content, copyable(proofToken(site.client, host), texts.content)],
    ])}`;
  return html`<section class="domain" aria-label="${host}">
    <h3>
      <span class="host">${host}</span>
      ${verified ? badge(texts.verified, 'good') : badge(texts.notVerified)}
    </h3>
    ${verified ? html`<p>${texts.since[verified.by]} ${time(verified.since)}. ${texts.keep}</p>` : ''}
    ${checkedPart(check, verified !== undefined)}
    ${
      verified
        ? html`<details>
            <summary>${texts.show}</summary>
            ${ways}
          </details>`
        : ways
    }
    ${checkNow}
  </section>`;
}

function checkedPart(check: DomainCheck | undefined, verified: boolean): Html {
  if (!check) return verified ? html`` : html`<p class="quiet">${texts.neverChecked}</p>`;
  const at = html`${texts.checked} ${time(check.at, 'minute')}.`;
  if (!check.problems) return html`<p class="quiet">${at} ${verified ? texts.found : ''}</p>`;
  return html`<p>
    ${at} ${texts.notFound} ${check.problems.file} ${check.problems.dns} ${verified ? texts.willLapse : ''}
  </p>`;
}
