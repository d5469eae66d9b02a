import { slug } from '../../../events/define.ts';
import { hasRight, type Right } from '../../../events/teams-rights.ts';
import { paginateAll } from '../../../projections/engine/paginate.ts';
import { members } from '../../../projections/teams-members.ts';
import { teams, type TeamDocument } from '../../../projections/teams.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import type { CurrentTeam, CurrentUser, PageContext, SignedInPageContext } from '../page-context.ts';

/** The most teams that the switcher lists for an administrator. Others are reached from the list of teams. */
const mostListed = 100;

/**
 * The teams among which a person can switch, by name: those of which they are a member; for an administrator all others
 * as well. From the read models: what the person may do there is decided again by each page.
 */
export async function teamsOfPerson(
  { documents }: PageDependencies,
  { person: { user, role } }: CurrentUser,
): Promise<CurrentTeam[]> {
  const all = documents.collection(teams.collection);
  const memberships = await paginateAll(documents.collection(members.collection), {
    where: { user, status: 'member' },
    orderBy: ['team'],
  });
  const roles = new Map(memberships.map((each) => [each.team, each.role] as const));
  const named = [...(await all.getMany([...roles.keys()])).values()];
  const others =
    role === 'administrator'
      ? (await all.page({ orderBy: ['team'], limit: mostListed })).filter(({ team }) => !roles.has(team))
      : [];
  const byName = (one: { readonly name: string }, other: { readonly name: string }) =>
    one.name.localeCompare(other.name, 'en');
  return [...named.sort(byName), ...others.sort(byName)].map((each) =>
    currentTeamFrom(each, roles.get(each.team)),
  );
}

const currentTeamFrom = (
  { team, name, closed_at }: TeamDocument,
  role: CurrentTeam['role'],
): CurrentTeam => ({ team, name, role, closed: closed_at !== undefined });

/** A team of this name, if the person may look at it. An administrator may look at every team. */
export async function teamNamed(
  { documents }: PageDependencies,
  { person }: CurrentUser,
  among: readonly CurrentTeam[],
  name: string | null | undefined,
): Promise<CurrentTeam | undefined> {
  const listed = among.find(({ team }) => team === name);
  if (listed || person.role !== 'administrator' || !slug.safeParse(name).success) return listed;
  const found = await documents.collection(teams.collection).get(name ?? '');
  return found && currentTeamFrom(found, undefined);
}

/** The team to which an address without one leads: the last one if the person has the right there, else the first such. */
export async function teamWithRight(
  dependencies: PageDependencies,
  { currentUser, lastTeam }: SignedInPageContext,
  right: Right,
): Promise<CurrentTeam | undefined> {
  const all = await teamsOfPerson(dependencies, currentUser);
  const last = await teamNamed(dependencies, currentUser, all, lastTeam);
  const isOpen = ({ role, closed }: CurrentTeam) =>
    closed !== true && (currentUser.person.role === 'administrator' || hasRight(role, right));
  return last && isOpen(last) ? last : (all.find(isOpen) ?? last ?? all[0]);
}

/**
 * The team that the menu of a page shows: that of the address, else the one that the person looked at last, else the first
 * of theirs; of the last two only one that is open, where there is any.
 */
export const currentTeamOf = async (
  dependencies: PageDependencies,
  currentUser: CurrentUser,
  among: readonly CurrentTeam[],
  { query, lastTeam }: Pick<PageContext, 'query' | 'lastTeam'>,
): Promise<CurrentTeam | undefined> => {
  const named = await teamNamed(dependencies, currentUser, among, query.get('team'));
  if (named) return named;
  const last = await teamNamed(dependencies, currentUser, among, lastTeam);
  return [last, ...among].find((each) => each?.closed === false) ?? last ?? among[0];
};
