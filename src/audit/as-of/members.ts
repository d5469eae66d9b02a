import { CommandRefused } from '../../ground/refusals.ts';
import type { ProfileFields } from '../../events/accounts/user.ts';
import { streamName } from '../../events/define.ts';
import { teamStream, type MemberRole } from '../../events/teams.ts';
import { personOf, type Holder, type PersonalData } from '../../personal/personal-data.ts';
import { people } from '../../projections/accounts-people.ts';
import { invitations } from '../../projections/teams-invitations.ts';
import { members } from '../../projections/teams-members.ts';
import { teams } from '../../projections/teams.ts';
import { documentsUpTo } from './documents-up-to.ts';
import type { LogUpTo } from './log-up-to.ts';
import { foldedBy } from './read-models.ts';
import { pageOf, type ListRequest, type AsOfReader, type ListPage } from './reader.ts';

export interface MemberThen {
  readonly user: string;
  readonly role: MemberRole;
  readonly joined_at: string;
  readonly person: PersonThen;
}

/** The name and address that the person had then. Null: sealed for this reader, or erased since. */
export interface PersonThen {
  readonly name: string | null;
  readonly email: string | null;
  readonly personal_data: 'open' | 'sealed' | 'erased';
}

export interface InvitationThen {
  readonly invitation: string;
  readonly role: MemberRole;
  readonly invited_at: string;
  readonly expires_at: string;
}

export interface TeamThen {
  readonly team: string;
  readonly name: string;
  /** The team scopes that were enabled. */
  readonly scopes: readonly string[];
  readonly created_at: string;
  /** Open, and not expired at the time. */
  readonly invitations: readonly InvitationThen[];
}

/** The team, and its members with their roles. @throws CommandRefused not_found */
export async function membersThen(
  { log, personal }: { readonly log: LogUpTo; readonly personal: PersonalData },
  { at, team }: { readonly at: Date; readonly team: string },
  reader: AsOfReader,
  list: ListRequest,
): Promise<{ readonly team: TeamThen; readonly members: ListPage<MemberThen> }> {
  const events = await log.readStream(streamName(teamStream, team));
  const doc = foldedBy(teams, events).get(team);
  if (!doc) throw new CommandRefused('not_found', `There was no team ${team.slice(0, 100)} then.`);
  const open = [...foldedBy(invitations, events).values()]
    .filter(({ status, expires_at }) => status === 'open' && Date.parse(expires_at) > at.getTime())
    .map(({ invitation, role, invited_at, expires_at }) => ({ invitation, role, invited_at, expires_at }));
  const there = [...foldedBy(members, events).values()].filter(({ status }) => status === 'member');
  const { entries, ...rest } = pageOf(there, ({ joined_at, user }) => `${joined_at} ${user}`, list);
  const persons = await peopleThen(
    { log, personal },
    entries.map(({ user }) => user),
    reader.opens.has('members'),
  );
  return {
    team: { ...doc, invitations: open },
    members: {
      ...rest,
      entries: entries.map(({ user, role, joined_at }, place) => ({
        user,
        role,
        joined_at,
        person: persons[place] ?? nobody('erased'),
      })),
    },
  };
}

/** People with what their accounts said then, opened with one read of the vault. */
async function peopleThen(
  { log, personal }: { readonly log: LogUpTo; readonly personal: PersonalData },
  users: readonly string[],
  opens: boolean,
): Promise<PersonThen[]> {
  const accounts = documentsUpTo(log).collection(people.collection);
  const found = await Promise.all(users.map((user) => accounts.get(user)));
  const sealed = found.flatMap((person) => {
    if (!person) return [];
    const holder: Holder = personOf(person.user);
    return [
      { holder, sealed: person.profile },
      { holder, sealed: person.email_sealed },
    ];
  });
  const opened = await personal.openMany(sealed);
  let next = 0;
  return found.map((person) => {
    if (!person) return nobody('erased');
    const [profile, email] = [opened[next++], opened[next++]] as [ProfileFields?, string?];
    if (profile === undefined) return nobody('erased');
    if (!opens) return nobody('sealed');
    return { name: profile.name, email: email ?? null, personal_data: 'open' };
  });
}

const nobody = (personal_data: 'sealed' | 'erased'): PersonThen => ({
  name: null,
  email: null,
  personal_data,
});
