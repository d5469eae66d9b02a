import { findPerson } from '../commands/accounts/person.ts';
import { isTeamClosed } from '../commands/teams/team.ts';
import { withLabels } from '../commands/keys-label.ts';
import { apiKeys, isValid, type ApiKeyDocument } from '../projections/keys.ts';
import { people } from '../projections/accounts-people.ts';
import { pages, paginate, paginateAll } from '../projections/engine/paginate.ts';
import { members } from '../projections/teams-members.ts';
import type { ErasureParts } from './parts.ts';

type Parts = Pick<ErasureParts, 'store' | 'documents'>;

/** What should be done before a person is erased, because nobody else could do what they can. */
export interface Obstacles {
  /** The person is the only administrator of the installation. */
  readonly lastAdministrator: boolean;
  /** The teams with other members of which the person is the only admin. */
  readonly onlyAdminOf: readonly string[];
}

export const isFree = ({ lastAdministrator, onlyAdminOf }: Obstacles): boolean =>
  !lastAdministrator && onlyAdminOf.length === 0;

/** From the read models; whether the others still have accounts, from their streams. */
export async function obstaclesOf({ store, documents }: Parts, user: string): Promise<Obstacles> {
  const isAlive = async (other: string) => (await findPerson({ store }, other)) !== undefined;
  const person = await findPerson({ store }, user);
  const ofMembers = documents.collection(members.collection);
  const onlyAdminOf: string[] = [];
  const theirs = await paginateAll(ofMembers, { where: { user, status: 'member' }, orderBy: ['team'] });
  for (const { team } of theirs.filter(({ role }) => role === 'admin')) {
    // An administrator of the installation can open it again.
    if (await isTeamClosed(store, team)) continue;
    const all = await paginateAll(ofMembers, {
      where: { team, status: 'member' },
      orderBy: ['joined_at', 'user'],
    });
    const others = all.filter((each) => each.user !== user);
    const alive = await Promise.all(others.map(async (each) => ((await isAlive(each.user)) ? [each] : [])));
    const left = alive.flat();
    if (left.length > 0 && !left.some(({ role }) => role === 'admin')) onlyAdminOf.push(team);
  }
  return {
    lastAdministrator:
      person?.role === 'administrator' && !(await hasOtherAdministrator(documents, user, isAlive)),
    onlyAdminOf,
  };
}

async function hasOtherAdministrator(
  documents: ErasureParts['documents'],
  user: string,
  isAlive: (other: string) => Promise<boolean>,
): Promise<boolean> {
  const administrators = { where: { role: 'administrator' }, orderBy: ['registered_at', 'user'] } as const;
  for await (const each of paginate(documents.collection(people.collection), administrators)) {
    if (each.user !== user && each.status === 'active' && (await isAlive(each.user))) return true;
  }
  return false;
}

/** Sentences that say what to do first. */
export const obstacleSentences = ({ lastAdministrator, onlyAdminOf }: Obstacles): string[] => [
  ...(lastAdministrator
    ? ['This is the only administrator of the installation. Make somebody else an administrator first.']
    : []),
  ...onlyAdminOf.map(
    (team) => `This is the only admin of the team ${team}. Make another member an admin of it first.`,
  ),
];

export type KeyOfPerson = Pick<ApiKeyDocument, 'key_id' | 'team' | 'label' | 'scopes' | 'created_at'>;

/** The working keys that a person made for teams to which they belong or belonged. They outlast the person. */
export async function keysMadeBy(
  { documents, personal }: Pick<ErasureParts, 'documents' | 'personal'>,
  user: string,
  at: Date,
): Promise<KeyOfPerson[]> {
  const teams = await paginateAll(documents.collection(members.collection), {
    where: { user },
    orderBy: ['status', 'team'],
  });
  const found: KeyOfPerson[] = [];
  for (const team of new Set(teams.map((each) => each.team))) {
    const query = { where: { team, created_by: user }, orderBy: ['created_at', 'key_id'] } as const;
    for await (const page of pages(documents.collection(apiKeys.collection), query)) {
      for (const key of await withLabels(personal, page)) {
        const { key_id, label, scopes, created_at } = key;
        if (isValid(key, at)) found.push({ key_id, team, label, scopes, created_at });
      }
    }
  }
  return found;
}
