import { loadClient } from '../../../commands/oauth/client.ts';
import { allowedIn } from '../../../commands/teams/rights.ts';
import type { ClientSnapshot } from '../../../events/oauth/client.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { isClientId } from '../authorization-request.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { notFoundView } from '../../pages/frame/common-views.ts';
import { EarlyAnswer, redirectTo, type TeamPageContext } from '../../pages/page-context.ts';
import { ofTeam, paths } from '../../pages/paths.ts';
import { en } from './texts.ts';

/**
 * The site that the address names, if it is one of the team's. Other people do not learn which sites exist. Who opens a
 * site of another of their teams is led there, because an address may name the site alone.
 * @throws EarlyAnswer
 */
export async function requireSite(
  { store }: PageDependencies,
  pageContext: TeamPageContext,
): Promise<ClientSnapshot> {
  const { request, currentUser, team } = pageContext;
  const client = clientIn(pageContext);
  const site = isClientId(client) ? await loadClient(store, client) : undefined;
  if (site?.team === team.team) return site;
  if (site && request.method === 'GET') {
    const { user } = currentUser.person;
    if (await allowedIn(store, { user, team: site.team, right: 'change sites' }))
      throw new EarlyAnswer(redirectTo(ofTeam(sitePath(client), site.team)));
  }
  const back = { to: ofTeam(paths.sites, team.team), label: en.site.back };
  throw new EarlyAnswer(notFoundView(en.site.notFound, back));
}

/** A site, if this person may change it. */
export async function siteOfWhoMayChangeIt(
  store: EventStore,
  { user, client }: { readonly user: string; readonly client: string },
): Promise<ClientSnapshot | undefined> {
  const site = await loadClient(store, client);
  return site && (await allowedIn(store, { user, team: site.team, right: 'change sites' }))
    ? site
    : undefined;
}

/** The site that the address names, whether there is one or not. */
export const clientIn = ({ request }: TeamPageContext): string =>
  (request.params as { readonly client?: string }).client ?? '';

export const sitePath = (client: string): string => `${paths.sites}/${client}`;
