import { loadClient } from '../../../commands/oauth/client.ts';
import { CommandRefused } from '../../../commands/errors.ts';
import { hasRight, requireRight } from '../../../commands/teams/rights.ts';
import type { ClientStanding } from '../../../events/oauth/client.ts';
import { paginateAll } from '../../../projections/engine/paginate.ts';
import { members } from '../../../projections/teams/members.ts';
import { teams, type TeamDocument } from '../../../projections/teams/teams.ts';
import { isClientId } from '../authorization/request.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { paths } from '../../pages/paths.ts';
import { notFoundView } from '../../pages/common-views.ts';
import { EarlyAnswer, type SignedInPageContext } from '../../pages/page-context.ts';

/**
 * The teams whose sites a person may register and change: those of which they are admin. For an administrator: all.
 */
export async function teamsOf(
  { documents }: PageDependencies,
  { currentUser }: SignedInPageContext,
): Promise<TeamDocument[]> {
  const { user, role } = currentUser.person;
  const all = documents.collection(teams.collection);
  if (role === 'administrator') return paginateAll(all, { orderBy: ['team'] });
  const own = await paginateAll(documents.collection(members.collection), {
    where: { user, status: 'member' },
    orderBy: ['team'],
  });
  const admin = own.filter((each) => hasRight(each.role, 'change sites')).map(({ team }) => team);
  const found = await all.getMany(admin);
  return admin.flatMap((team) => found.get(team) ?? []);
}

/**
 * Checks that a person may change the sites of a team. Decided from the streams, so a role that was just removed no
 * longer counts. Other people do not learn which teams and sites exist.
 * @throws EarlyAnswer
 */
export async function requireAdmin(
  { store }: PageDependencies,
  { currentUser }: SignedInPageContext,
  team: string,
): Promise<{ readonly name: string }> {
  try {
    return await requireRight(store, { user: currentUser.person.user, team, right: 'change sites' });
  } catch (error) {
    if (!(error instanceof CommandRefused)) throw error;
  }
  throw new EarlyAnswer(notFoundView('You are not an admin of a team with this name.', back));
}

/** A site, and the name of its team. @throws EarlyAnswer when it does not exist or the person may not change it */
export async function requireSite(
  dependencies: PageDependencies,
  pageContext: SignedInPageContext,
): Promise<{ readonly site: ClientStanding; readonly team: string }> {
  const { client = '' } = pageContext.request.params as { readonly client?: string };
  const site = isClientId(client) ? await loadClient(dependencies.store, client) : undefined;
  if (!site) throw new EarlyAnswer(notFoundView('Your teams have no such site.', back));
  const { name } = await requireAdmin(dependencies, pageContext, site.team).catch((error: unknown) => {
    if (error instanceof EarlyAnswer)
      throw new EarlyAnswer(notFoundView('Your teams have no such site.', back));
    throw error;
  });
  return { site, team: name };
}

const back = { to: paths.sites, label: 'Back to your sites' } as const;
