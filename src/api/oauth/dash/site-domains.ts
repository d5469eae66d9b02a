import {
  proofPath,
  proofRecord,
  proofToken,
  provableHosts,
  verifiedDomains,
} from '../../../events/oauth/domains.ts';
import { newestCheck, type DomainCheck } from '../../../dispatch/operations/check-domain.ts';
import type { ClientSnapshot } from '../../../events/oauth/client.ts';
import { html, type Html } from '../../pages/html.ts';
import { facts } from '../../pages/parts/facts.ts';
import { button, form, hidden, time } from '../../pages/controls.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { badge } from '../../pages/parts/badge.ts';
import { copyable } from '../../pages/parts/show-once.ts';
import type { TeamPageContext } from '../../pages/page-context.ts';
import { sitePath } from './site-of-team.ts';
import { en } from './texts.ts';
import { ofTeam } from '../../pages/paths.ts';

const texts = en.domains;

/** The hosts that people are sent to: which are verified, and how to prove the others. */
export async function domainsSection(
  { side }: PageDependencies,
  pageContext: TeamPageContext,
  site: ClientSnapshot,
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
  site: ClientSnapshot,
  host: string,
  check: DomainCheck | undefined,
): Html {
  const verified = verifiedDomains(site).find((each) => each.host === host);
  const checkNow = form({
    action: ofTeam(`${sitePath(site.client)}/domains`, team.team),
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
