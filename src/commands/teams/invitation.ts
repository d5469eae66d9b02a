import type { CommandContext } from '../../events/metadata.ts';
import { streamName } from '../../events/define.ts';
import { eventIdOf } from '../../events/new-event.ts';
import { teamStream, type MemberRole } from '../../events/teams.ts';
import { uuidOf } from '../../events/ids.ts';
import { normalAddress, writtenAddress } from '../../events/accounts/email-address.ts';
import type { Limits } from '../../stores/limits/port.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { execute } from '../command-handler.ts';
import { linkLives } from '../accounts/one-time-links.ts';
import { findByEmail } from '../accounts/person.ts';
import { eraseClosedInvitations, invitationOf } from './invitation-keys.ts';
import { commandTeam, requireTeam, team as decider, type TeamCommand } from './team.ts';
import type { MemberParts, TeamOutcome } from './member.ts';
import type { TeamState } from './team-state.ts';

export interface InvitingParts extends MemberParts {
  readonly limits: Limits;
  /** How long an invitation can be used. */
  readonly lifeSeconds: number;
}

export interface NewInvitation {
  readonly team: string;
  readonly role: MemberRole;
  readonly email: string;
}

/** An invitation that was just made. */
export interface Invited {
  readonly invitation: string;
  /** ISO 8601. */
  readonly expiresAt: string;
  /** The name of the team. */
  readonly name: string;
  readonly outcome: TeamOutcome;
}

/**
 * Invites somebody by email address. A former invitation to the address is replaced. The address can be read until the
 * invitation is used, withdrawn or expired.
 * @throws CommandRefused not_found (team), invalid (address), conflict (a member already, too many invitations)
 */
export async function inviteMember(
  parts: InvitingParts,
  { team, role, email: address }: NewInvitation,
  context: CommandContext,
): Promise<Invited> {
  const { store, personal, lifeSeconds } = parts;
  const { name } = await requireTeam(store, team);
  const email = await requireAddress(parts, address);
  const user = (await findByEmail(parts, address))?.user;
  const invitation = uuidOf(context.commandId, 'invitation');
  const holder = invitationOf(invitation);
  const expires_at = after(context, lifeSeconds);
  const proves_until = after(context, Math.min(lifeSeconds, provingSeconds));
  // Sealed only when it is decided: a repeated command must not begin a data key that was erased.
  const key = { begun: false };
  const inviting = async (): Promise<TeamCommand> => {
    key.begun = true;
    await personal.begin(holder);
    const email_sealed = await personal.seal(holder, writtenAddress(address));
    const data = { team, invitation, role, email, email_sealed, expires_at, proves_until };
    return { kind: 'invite', data, user };
  };
  const giveBack = await takeOne(parts, team, email);
  try {
    const outcome = await execute(store, decider, team, inviting, context);
    if (outcome.repeated) await giveBack();
    await eraseClosedInvitations(personal, outcome.events, context);
    return { invitation, expiresAt: expiryOf(outcome, invitation, expires_at), name, outcome };
  } catch (error) {
    if (error instanceof CommandRefused) {
      if (key.begun) await personal.discard(holder);
      await giveBack();
    }
    throw error;
  }
}

/** Ends an invitation before it is used. @throws CommandRefused not_found (team or invitation), conflict (used) */
export async function withdrawInvitation(
  { store, personal }: MemberParts,
  { team, invitation }: { readonly team: string; readonly invitation: string },
  context: CommandContext,
): Promise<TeamOutcome> {
  await personal.readyToErase();
  const outcome = await execute(store, decider, team, { kind: 'withdraw', team, invitation }, context);
  await eraseClosedInvitations(personal, outcome.events, context);
  return outcome;
}

/**
 * Records that somebody else than the invited is about to see the link of an invitation. It proves no address from here on.
 * Nothing happens where it proves none, or is not open.
 * @throws CommandRefused not_found (team)
 */
export const showInvitationLink = (
  { store }: Pick<MemberParts, 'store'>,
  { team, invitation }: { readonly team: string; readonly invitation: string },
  context: CommandContext,
): Promise<TeamOutcome> => execute(store, decider, team, { kind: 'show-link', team, invitation }, context);

/** Records that an invitation has expired, and makes its address unreadable. Nothing happens before its time. */
export async function expireInvitation(
  { store, personal }: MemberParts,
  { team, invitation }: { readonly team: string; readonly invitation: string },
  context: CommandContext,
): Promise<void> {
  const command = { kind: 'expire', team, invitation, at: context.at } as const;
  const { state, events } = await commandTeam(store, command, context);
  if (state?.invitations.has(invitation)) return;
  const event = events.length === 0 ? undefined : eventIdOf(streamName(teamStream, team), 0, context);
  await personal.destroy(invitationOf(invitation), event);
}

/** How long the link that was mailed proves its address, in seconds: as long as that of a confirmation. */
const provingSeconds = linkLives['verify-email'];

const after = ({ at }: CommandContext, seconds: number): string =>
  new Date(at.getTime() + seconds * 1_000).toISOString();

/** A repeat tells the time of the first call. */
const expiryOf = ({ state }: { readonly state: TeamState }, invitation: string, otherwise: string): string =>
  state?.invitations.get(invitation)?.expires_at ?? otherwise;

/** The longest address there is (RFC 5321 section 4.5.3.1.3, without the brackets). */
const longestAddress = 254;

/** The keyed hash of an address to which an email can be sent. @throws CommandRefused invalid */
async function requireAddress({ personal }: MemberParts, address: string): Promise<string> {
  const normal = address.trim().length > longestAddress ? undefined : normalAddress(address);
  const reachable = normal !== undefined && /@[^@]+\.[^@]+$/.test(normal);
  const index = reachable ? await personal.emailIndex(address) : undefined;
  if (index === undefined) {
    throw new CommandRefused(
      'invalid',
      'This is not an email address. It should look like name@example.org.',
    );
  }
  return index;
}

/** Counts one invitation. Returns how to give it back. @throws CommandRefused conflict, when there were too many */
async function takeOne({ limits }: InvitingParts, team: string, email: string): Promise<() => Promise<void>> {
  const { seconds, refused, giveBack } = await limits.take(
    ['invitations-team', team],
    ['invitations-address', email],
  );
  if (refused === undefined) return giveBack;
  await giveBack();
  throw tooMany(
    refused === 'invitations-team'
      ? 'The team has sent as many invitations as it may in a day'
      : 'This address was sent as many invitations as anybody is in a day',
    seconds,
  );
}

function tooMany(what: string, seconds: number): CommandRefused {
  const hours = Math.ceil(seconds / 3_600);
  return new CommandRefused(
    'conflict',
    `${what}. Try again in ${hours === 1 ? 'an hour' : `${hours} hours`}.`,
  );
}
