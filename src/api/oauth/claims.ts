import type { ProfileFields } from '../../events/accounts/user.ts';
import type { SignInScope } from '../../events/oauth/values.ts';
import { defined } from '../../ground/defined.ts';
import { personOf, type PersonalData } from '../../personal/personal-data.ts';
import type { PersonDocument } from '../../projections/accounts-people.ts';
import { members } from '../../projections/teams-members.ts';
import { teams } from '../../projections/teams.ts';
import type { Documents } from '../../stores/documents/port.ts';

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
    return found.flatMap(({ team, role }) => {
      const { name = team, closed_at } = named.get(team) ?? {};
      return closed_at === undefined ? [{ team, name, role }] : [];
    });
  }
}

/** The standard claims of a person (OpenID Connect Core section 5.1), with the scopes that request them (5.4). */
export interface Claims {
  readonly name?: string;
  readonly preferred_username?: string;
  readonly picture?: string;
  /** Unix seconds. */
  readonly updated_at?: number;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly phone_number?: string;
  readonly phone_number_verified?: boolean;
}

/** The claims in the discovery document. */
export const claimsSupported = [
  'sub',
  'iss',
  'aud',
  'exp',
  'iat',
  'auth_time',
  'nonce',
  'at_hash',
  'acr',
  'amr',
  'sid',
  'name',
  'preferred_username',
  'picture',
  'updated_at',
  'email',
  'email_verified',
  'phone_number',
  'phone_number_verified',
] as const;

/** The claims that the scopes allow a client to see. Undefined when the person is erased. */
export async function claimsOf(
  personal: PersonalData,
  person: PersonDocument,
  scopes: readonly SignInScope[],
): Promise<Claims | undefined> {
  if (person.status === 'erased') return undefined;
  const holder = personOf(person.user);
  let claims: Claims = {};
  if (scopes.includes('profile') || scopes.includes('phone')) {
    const profile = await personal.open<ProfileFields>(holder, person.profile);
    if (!profile) return undefined;
    const { name, username, picture, phone } = profile;
    if (scopes.includes('profile')) {
      claims = {
        name,
        ...defined({ preferred_username: username, picture }),
        updated_at: Math.floor(Date.parse(person.profile_changed_at) / 1_000),
      };
    }
    // Phone numbers are not verified.
    if (scopes.includes('phone') && phone !== undefined) {
      claims = { ...claims, phone_number: phone, phone_number_verified: false };
    }
  }
  if (scopes.includes('email')) {
    const email = await personal.open<string>(holder, person.email_sealed);
    if (email === undefined) return undefined;
    claims = { ...claims, email, email_verified: person.email_verified };
  }
  return claims;
}
