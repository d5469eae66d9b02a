import { loadClient } from '../../../commands/oauth/client.ts';
import { CommandRefused } from '../../../commands/errors.ts';
import { requireRight } from '../../../commands/teams/rights.ts';
import type { ClientStanding } from '../../../events/oauth/client.ts';
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
  { request, currentUser, team }: TeamPageContext,
): Promise<ClientStanding> {
  const { client = '' } = request.params as { readonly client?: string };
  const site = isClientId(client) ? await loadClient(store, client) : undefined;
  if (site?.team === team.team) return site;
  if (site && request.method === 'GET') {
    try {
      await requireRight(store, { user: currentUser.person.user, team: site.team, right: 'change sites' });
      throw new EarlyAnswer(redirectTo(ofTeam(sitePath(client), site.team)));
    } catch (error) {
      if (!(error instanceof CommandRefused)) throw error;
    }
  }
  const back = { to: ofTeam(paths.sites, team.team), label: en.site.back };
  throw new EarlyAnswer(notFoundView(en.site.notFound, back));
}

export const sitePath = (client: string): string => `${paths.sites}/${client}`;
