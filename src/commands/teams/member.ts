import type { CommandContext } from '../../events/metadata.ts';
import type { MemberRole, TeamEvent } from '../../events/teams.ts';
import type { ProfileFields } from '../../events/accounts/user.ts';
import { personOf, type PersonalData } from '../../personal/personal-data.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { execute, type Outcome } from '../command-handler.ts';
import { findPerson, maySignIn, requirePerson } from '../accounts/person.ts';
import { eraseClosedInvitations } from './invitation-keys.ts';
import { team as decider, type TeamCommand } from './team.ts';
import type { TeamState } from './team-state.ts';
import type { Person } from '../accounts/user-state.ts';

export interface MemberParts {
  readonly store: EventStore;
  readonly personal: PersonalData;
}

export type TeamOutcome = Outcome<TeamState, TeamEvent>;

/** What a webhook tells about a member. MemberJoined holds it sealed. */
export interface MemberDetails {
  readonly name: string;
  readonly email: string;
}

/**
 * Adds a person to a team, by an operator. An open invitation to the person's address ends.
 * @throws CommandRefused not_found (person or team), conflict (already a member)
 */
export async function joinTeam(
  parts: MemberParts,
  { team, user, role }: { readonly team: string; readonly user: string; readonly role: MemberRole },
  context: CommandContext,
): Promise<TeamOutcome> {
  const found = await requirePerson(parts, user);
  const data = { team, user, role, person: await sealDetails(parts, found) };
  const command = { kind: 'join', data, email: found.email } as const;
  const outcome = await execute(parts.store, decider, team, command, context);
  await eraseClosedInvitations(parts.personal, outcome.events, context);
  return outcome;
}

/**
 * Makes the person whose address was invited, and who has the link, a member, in the role of the invitation, once.
 * @throws CommandRefused not_found (person, team or invitation), conflict (already a member; used, withdrawn or
 * expired), forbidden (invited was another address)
 */
export async function acceptInvitation(
  parts: MemberParts,
  { team, invitation, user }: { readonly team: string; readonly invitation: string; readonly user: string },
  context: CommandContext,
): Promise<TeamOutcome> {
  const found = await requirePerson(parts, user);
  const data = { team, user, invitation, person: await sealDetails(parts, found) };
  const email = ownAddress(found);
  const command = { kind: 'accept', data, email, at: context.at } as const;
  const outcome = await execute(parts.store, decider, team, command, context);
  await eraseClosedInvitations(parts.personal, outcome.events, context);
  return outcome;
}

/**
 * Keyed hash of the address with which the person can join: they have confirmed it, or an invitation to it began their
 * account. That of somebody who only registered may be another person's.
 */
export const ownAddress = (person: Person): string | undefined =>
  maySignIn(person) ? person.email : undefined;

/** @throws CommandRefused not_found (team, or no member), conflict (the last admin) */
export const changeMemberRole = (
  parts: Pick<MemberParts, 'store'>,
  member: { readonly team: string; readonly user: string; readonly role: MemberRole },
  context: CommandContext,
): Promise<TeamOutcome> => endingRole(parts, { kind: 'change-role', ...member }, context);

/**
 * Ends a membership: the person leaves, or is removed. Somebody who is no member stays so.
 * @throws CommandRefused not_found (team), conflict (the last admin)
 */
export const endMembership = (
  parts: Pick<MemberParts, 'store'>,
  member: { readonly team: string; readonly user: string },
  context: CommandContext,
): Promise<TeamOutcome> => endingRole(parts, { kind: 'leave', ...member }, context);

const endingRole = (
  { store }: Pick<MemberParts, 'store'>,
  command: Extract<TeamCommand, { kind: 'change-role' | 'leave' }>,
  context: CommandContext,
): Promise<TeamOutcome> =>
  execute(
    store,
    decider,
    command.team,
    async (state) => ({ ...command, erased: await erasedAdmins(store, state, command.user) }),
    context,
  );

/**
 * Of the admins whom the rule about the last admin counts, those whose accounts are erased. Looks no further than to
 * the first other admin who has one.
 */
async function erasedAdmins(store: EventStore, state: TeamState, user: string): Promise<string[]> {
  if (state?.members.get(user) !== 'admin') return [];
  const erased = (await findPerson({ store }, user)) ? [] : [user];
  for (const [other, role] of state.members) {
    if (role !== 'admin' || other === user) continue;
    if (await findPerson({ store }, other)) break;
    erased.push(other);
  }
  return erased;
}

async function sealDetails(
  { personal }: MemberParts,
  { user, profile, email_sealed }: Person,
): Promise<string> {
  const holder = personOf(user);
  const fields = await personal.open<ProfileFields>(holder, profile);
  const email = await personal.open<string>(holder, email_sealed);
  if (!fields || email === undefined) throw new CommandRefused('not_found', 'There is no such person.');
  const details: MemberDetails = { name: fields.name, email };
  return personal.seal(holder, details);
}
