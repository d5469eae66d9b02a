import type { SignInScope } from '../../../events/oauth/values.ts';
import { members } from '../../../projections/teams-members.ts';
import { teams } from '../../../projections/teams.ts';
import type { Documents } from '../../../stores/documents/port.ts';

/** A team of a person, as a first-party client with teams:read sees it. */
interface TeamClaim {
  readonly team: string;
  readonly name: string;
  readonly role: string;
}

export interface ReservedClaims {
  readonly teams?: readonly TeamClaim[];
  readonly wallet?: readonly never[];
  readonly tasks?: readonly never[];
  readonly purchases?: readonly never[];
  readonly feeds?: readonly never[];
}

/** More teams than anybody belongs to. */
const teamsAtMost = 1_000;

/**
 * The claims for the scopes of first-party clients (interface 2.6): teams and roles. There is no data yet for the
 * other scopes.
 */
export function reservedClaims({
  documents,
}: {
  readonly documents: Documents;
}): (user: string, scopes: readonly SignInScope[]) => Promise<ReservedClaims | undefined> {
  const memberships = documents.collection(members.collection);
  const names = documents.collection(teams.collection);
  const has = (scopes: readonly SignInScope[]) => scopes.some((scope) => scope.endsWith(':read'));

  return async (user, scopes) => {
    if (!has(scopes)) return undefined;
    return {
      ...(scopes.includes('teams:read') ? { teams: await teamsOf(user) } : {}),
      ...(scopes.includes('wallet:read') ? { wallet: [] } : {}),
      ...(scopes.includes('tasks:read') ? { tasks: [] } : {}),
      ...(scopes.includes('purchases:read') ? { purchases: [] } : {}),
      ...(scopes.includes('feeds:read') ? { feeds: [] } : {}),
    };
  };

  async function teamsOf(user: string): Promise<TeamClaim[]> {
    const where = { user, status: 'member' } as const;
    const found = await memberships.page({ where, orderBy: ['team'], limit: teamsAtMost });
    const named = await names.getMany(found.map(({ team }) => team));
    return found.map(({ team, role }) => ({ team, name: named.get(team)?.name ?? team, role }));
  }
}
