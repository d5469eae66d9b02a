import { slug } from '../../../events/define.ts';
import { paginateAll } from '../../../projections/engine/paginate.ts';
import { members } from '../../../projections/teams-members.ts';
import { teams } from '../../../projections/teams.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import type { CurrentUser } from '../page-context.ts';
import type { CurrentTeam } from '../page-context.ts';

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
  return [...named.sort(byName), ...others.sort(byName)].map(({ team, name }) => ({
    team,
    name,
    role: roles.get(team),
  }));
}

/**
 * The team that a page shows: the one that was asked for, if the person may look at it, else the first of theirs. An
 * administrator may look at every team, also at one that the switcher does not list.
 */
export async function currentTeamOf(
  dependencies: PageDependencies,
  { person }: CurrentUser,
  among: readonly CurrentTeam[],
  asked: string | null,
): Promise<CurrentTeam | undefined> {
  const listed = among.find(({ team }) => team === asked);
  if (listed || asked === null) return listed ?? among[0];
  if (person.role !== 'administrator' || !slug.safeParse(asked).success) return among[0];
  const found = await dependencies.documents.collection(teams.collection).get(asked);
  return found ? { team: found.team, name: found.name, role: undefined } : among[0];
}
