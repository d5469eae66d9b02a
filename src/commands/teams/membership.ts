import type { MemberRole, TeamEvent } from '../../events/teams.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import type { ClosedBecause, OpenInvitation, Team } from './team-state.ts';

type DataOf<Type extends TeamEvent['type']> = Extract<TeamEvent, { type: Type }>['data'];

/** What changes who belongs to a team, and who may. */
export type MembershipCommand =
  /** `user`: who has the address, if anybody does. */
  | { readonly kind: 'invite'; readonly data: DataOf<'MemberInvited'>; readonly user?: string | undefined }
  | { readonly kind: 'withdraw'; readonly team: string; readonly invitation: string }
  | { readonly kind: 'show-link'; readonly team: string; readonly invitation: string }
  | { readonly kind: 'expire'; readonly team: string; readonly invitation: string; readonly at: Date }
  /** By an operator. `email`: keyed hash of the person's address. */
  | {
      readonly kind: 'join';
      readonly data: Omit<DataOf<'MemberJoined'>, 'invitation'>;
      readonly email?: string;
    }
  /** By an invitation, with its link. `email`: keyed hash of the address of the person. */
  | {
      readonly kind: 'accept';
      readonly data: Omit<DataOf<'MemberJoined'>, 'role' | 'invitation'> & { readonly invitation: string };
      readonly email: string | undefined;
      readonly at: Date;
    }
  | ({ readonly kind: 'change-role'; readonly role: MemberRole } & OfMember)
  | ({ readonly kind: 'leave' } & OfMember);

interface OfMember {
  readonly team: string;
  readonly user: string;
  /** Admins whose accounts are erased. They can administer nothing, so they do not count as admins. */
  readonly erased?: readonly string[];
}

/** The rules of membership, decided from the stream of the team. */
export function decideMembership(command: MembershipCommand, state: Team): TeamEvent[] {
  switch (command.kind) {
    case 'invite':
      return invite(command, state);
    case 'withdraw':
      return withdraw(command, state);
    case 'show-link': {
      const { team, invitation } = command;
      return state.invitations.get(invitation)?.provesUntil === undefined
        ? []
        : [{ type: 'InvitationLinkDisclosed', data: { team, invitation } }];
    }
    case 'expire': {
      const { team, invitation, at } = command;
      return hasExpired(state.invitations.get(invitation), at)
        ? [{ type: 'InvitationExpired', data: { team, invitation } }]
        : [];
    }
    case 'join':
      refuseMember(command.data.user, state);
      return [
        { type: 'MemberJoined', data: command.data },
        ...withdrawn(command.data.team, state, command.email, 'joined'),
      ];
    case 'accept':
      return accept(command, state);
    case 'change-role': {
      const { team, user, role } = command;
      const before = state.members.get(user);
      if (!before) throw new CommandRefused('not_found', 'This person is no member of the team.');
      if (before === role) return [];
      requireAnotherAdmin(command, state);
      return [{ type: 'MemberRoleChanged', data: { team, user, role } }];
    }
    case 'leave': {
      const { team, user } = command;
      if (!state.members.has(user)) return [];
      requireAnotherAdmin(command, state);
      return [{ type: 'MemberLeft', data: { team, user } }];
    }
  }
}

/** What an invitation is good for at a time. */
export type InvitationState =
  { readonly is: 'open'; readonly invitation: OpenInvitation } | { readonly is: ClosedBecause | 'unknown' };

export function invitationState(state: Team, invitation: string, at: Date): InvitationState {
  const open = state.invitations.get(invitation);
  if (!open) return { is: state.closed.get(invitation) ?? 'unknown' };
  return hasExpired(open, at) ? { is: 'expired' } : { is: 'open', invitation: open };
}

/**
 * Whether whoever holds the link reads the mail of the address: it was mailed there a short while ago, and shown to nobody
 * else.
 */
export const provesAddress = ({ provesUntil }: OpenInvitation, at: Date): boolean =>
  provesUntil !== undefined && Date.parse(provesUntil) > at.getTime();

/** Why an invitation that is not open cannot be used, and what to do, in words for the person who was invited. */
export const closedSentences: Readonly<Record<ClosedBecause | 'unknown', string>> = {
  used: 'This invitation was used already.',
  joined: 'You were added to the team without this invitation, so it is no longer needed.',
  withdrawn: 'This invitation was withdrawn. If you think that is a mistake, ask the team.',
  replaced: 'There is a newer invitation. Open the link in the newest email that you got from us.',
  expired: 'This invitation has expired. Ask the team for a new one.',
  unknown: 'We do not know this invitation. Ask the team for a new one.',
};

const hasExpired = (open: OpenInvitation | undefined, at: Date): boolean =>
  open !== undefined && Date.parse(open.expires_at) <= at.getTime();

/** A newer invitation to an address replaces the former one. */
function invite({ data, user }: Extract<MembershipCommand, { kind: 'invite' }>, state: Team): TeamEvent[] {
  if (user !== undefined && state.members.has(user)) {
    throw new CommandRefused(
      'conflict',
      'The person with this address is a member of the team already. To give them another role, change it.',
    );
  }
  return [...withdrawn(data.team, state, data.email, 'replaced'), { type: 'MemberInvited', data }];
}

function withdraw(
  { team, invitation }: Extract<MembershipCommand, { kind: 'withdraw' }>,
  state: Team,
): TeamEvent[] {
  if (state.invitations.has(invitation)) {
    return [{ type: 'InvitationWithdrawn', data: { team, invitation, reason: 'withdrawn' } }];
  }
  const closed = state.closed.get(invitation);
  if (closed === undefined) throw new CommandRefused('not_found', 'There is no such invitation.');
  if (closed === 'used') {
    throw new CommandRefused('conflict', 'This invitation was used: its person joined. Remove the member.');
  }
  return [];
}

/** An invitation is for one address, sets the role, and can be used once. */
function accept(
  { data, email, at }: Extract<MembershipCommand, { kind: 'accept' }>,
  state: Team,
): TeamEvent[] {
  refuseMember(data.user, state);
  const current = invitationState(state, data.invitation, at);
  if (current.is !== 'open') {
    const code = current.is === 'unknown' ? 'not_found' : 'conflict';
    throw new CommandRefused(code, closedSentences[current.is]);
  }
  if (current.invitation.email !== email) {
    throw new CommandRefused(
      'forbidden',
      'This invitation is for another email address than that of your account.',
    );
  }
  return [{ type: 'MemberJoined', data: { ...data, role: current.invitation.role } }];
}

function refuseMember(user: string, { members }: Team): void {
  if (members.has(user)) throw new CommandRefused('conflict', 'This person is a member already.');
}

/** Ends the open invitations of an address. There is at most one. */
function withdrawn(
  team: string,
  { invitations }: Team,
  email: string | undefined,
  reason: 'replaced' | 'joined',
): TeamEvent[] {
  return [...invitations]
    .filter(([, open]) => open.email === email)
    .map(([invitation]) => ({ type: 'InvitationWithdrawn', data: { team, invitation, reason } }));
}

/** A team that has an admin keeps one, unless it is closed. */
function requireAnotherAdmin({ user, erased = [] }: OfMember, { members, closing }: Team): void {
  if (closing !== undefined || members.get(user) !== 'admin' || erased.includes(user)) return;
  for (const [other, role] of members) {
    if (other !== user && role === 'admin' && !erased.includes(other)) return;
  }
  throw new CommandRefused(
    'conflict',
    'This is the last admin of the team. Make another member an admin first.',
  );
}
