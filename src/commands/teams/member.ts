import type { CommandContext } from '../../events/metadata.ts';
import type { MemberRole, TeamEvent } from '../../events/teams/team.ts';
import type { ProfileFields } from '../../events/accounts/user.ts';
import { uuidOf } from '../../events/ids.ts';
import { personOf, type Holder, type PersonalData } from '../../personal/personal-data.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { CommandRefused } from '../errors.ts';
import { execute, type Outcome } from '../command-handler.ts';
import { requirePerson } from '../accounts/person.ts';
import { requireTeam, team as decider, type TeamState } from './team.ts';

interface MemberParts {
  readonly store: EventStore;
  readonly personal: PersonalData;
}

type TeamOutcome = Outcome<TeamState, TeamEvent>;

/** What a webhook tells about a member. MemberJoined holds it sealed. */
export interface MemberDetails {
  readonly name: string;
  readonly email: string;
}

/**
 * The holder of the data key under which an invitation's address is sealed, until the invited person has an account.
 */
export const invitationOf = (invitationId: string): Holder => `invitation/${invitationId}`;

/** Invites somebody by email address. The address can be read until the invitation's data key is erased. */
export async function inviteMember(
  { store, personal }: MemberParts,
  { team, role, email }: { readonly team: string; readonly role: MemberRole; readonly email: string },
  context: CommandContext,
): Promise<{ invitationId: string; outcome: TeamOutcome }> {
  await requireTeam(store, team);
  const invitation = uuidOf(context.commandId, 'invitation');
  await personal.begin(invitationOf(invitation));
  const email_sealed = await personal.seal(invitationOf(invitation), email);
  const data = { team, invitation, role, email_sealed };
  const outcome = await execute(store, decider, team, { kind: 'invite', data }, context);
  return { invitationId: invitation, outcome };
}

/**
 * Adds a person to a team: by an invitation, which sets the role and whose data key is then erased, or by an
 * operator.
 * @throws CommandRefused not_found (person, team or invitation), conflict (already a member)
 */
export async function joinTeam(
  { store, personal }: MemberParts,
  {
    team,
    user,
    role,
    invitation,
  }: {
    readonly team: string;
    readonly user: string;
    readonly role: MemberRole;
    readonly invitation?: string;
  },
  context: CommandContext,
): Promise<TeamOutcome> {
  const { profile, email_sealed } = await requirePerson({ store }, user);
  const holder = personOf(user);
  const fields = await personal.open<ProfileFields>(holder, profile);
  const email = await personal.open<string>(holder, email_sealed);
  if (!fields || email === undefined) throw new CommandRefused('not_found', 'There is no such person.');
  const details: MemberDetails = { name: fields.name, email };
  const person = await personal.seal(holder, details);
  const data = { team, user, role, person, ...(invitation === undefined ? {} : { invitation }) };
  const outcome = await execute(store, decider, team, { kind: 'join', data }, context);
  if (invitation !== undefined) await personal.erase(invitationOf(invitation));
  return outcome;
}
