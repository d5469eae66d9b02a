import { z } from 'zod';
import { CommandRefused } from '../../ground/refusals.ts';
import { showInvitationLink, withdrawInvitation } from '../../commands/teams/invitation.ts';
import { invitationOf } from '../../commands/teams/invitation-keys.ts';
import { closedSentences, invitationState } from '../../commands/teams/membership.ts';
import type { Team } from '../../commands/teams/team-state.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { memberRole, type MemberRole } from '../../events/teams.ts';
import { paginateAll } from '../../projections/engine/paginate.ts';
import { invitations } from '../../projections/teams-invitations.ts';
import { action, type ActionParts, type Who } from '../action.ts';
import { invitationMailKey } from './invitation-mails.ts';
import { invitationAddress, inviteByMail, type InviteParts } from './invite.ts';

type InvitationParts = ActionParts & InviteParts;

const email = z.string();

/** Invites somebody by email. A former invitation to the address is replaced. */
export const invite = action({
  name: 'members.invite',
  right: 'change members',
  input: z.object({ email, role: memberRole }),
  once: true,
  wrongField: { invalid: 'email', conflict: 'email', not_found: 'email' },
  run: (parts: InvitationParts, input, { who: { team = '' }, context }) =>
    invited(parts, { ...input, team }, context),
});

/** Invites an admin to a team, such as its first one. */
export const inviteAdmin = action({
  name: 'teams.invite-admin',
  right: 'administrator',
  input: z.object({ team: z.string(), email }),
  once: true,
  run: (parts: InvitationParts, input, { context }) => invited(parts, { ...input, role: 'admin' }, context),
});

async function invited(
  parts: InvitationParts,
  {
    team,
    role,
    email: address,
  }: { readonly team: string; readonly role: MemberRole; readonly email: string },
  context: CommandContext,
) {
  const { invitation, expiresAt, outcome } = await inviteByMail(
    parts,
    { team, role, email: address },
    context,
  );
  const value = { team, role, invitation, email: address.trim(), expires_at: expiresAt };
  const waits = parts.config.smtpUrl === undefined;
  return { changes: outcome, value: () => ({ ...value, waits }) };
}

/** Withdraws an invitation: its link no longer works. The operator names it alone, without its team. */
export const withdraw = action({
  name: 'members.withdraw-invitation',
  right: 'change members',
  input: z.object({ invitation: z.string() }),
  async run(parts: InvitationParts, { invitation }, { who, context }) {
    const team = await teamOf(parts, who, invitation);
    const changes = await withdrawInvitation(parts, { team, invitation }, context);
    await parts.outbox.withdraw([invitationMailKey(invitation)]);
    const status = changes.state?.closed.get(invitation);
    return { changes, value: () => ({ team, invitation, status }) };
  },
});

/**
 * Shows the link of an invitation, to be passed on by hand. It proves no address from here on, because whoever passes it on
 * could use it.
 */
export const copyLink = action({
  name: 'members.copy-invitation-link',
  right: 'change members',
  input: z.object({ invitation: z.string() }),
  async run(parts: InvitationParts, { invitation }, { who, context }) {
    const team = await teamOf(parts, who, invitation);
    const changes = await showInvitationLink(parts, { team, invitation }, context);
    const current = invitationState(changes.state as Team, invitation, context.at);
    if (current.is === 'unknown') throw noInvitation();
    if (current.is !== 'open') throw new CommandRefused('conflict', closedSentences[current.is]);
    const link = await invitationAddress(parts, { team, invitation });
    const email = await parts.personal.open<string>(
      invitationOf(invitation),
      current.invitation.email_sealed,
    );
    return {
      changes,
      value: () => ({ team, invitation, link, email, expires_at: current.invitation.expires_at }),
    };
  },
});

/** The team of an invitation. The operator names the invitation alone. @throws CommandRefused not_found */
async function teamOf({ documents }: InvitationParts, who: Who, invitation: string): Promise<string> {
  const team = who.team ?? (await documents.collection(invitations.collection).get(invitation))?.team;
  if (team === undefined) throw noInvitation();
  return team;
}

const noInvitation = () => new CommandRefused('not_found', 'There is no such invitation.');

/** An invitation that was not used yet, with its address. */
export interface OpenInvitation {
  readonly team: string;
  readonly invitation: string;
  readonly email: string | undefined;
  readonly role: MemberRole;
  readonly invited_at: string;
  readonly expires_at: string;
}

/** The invitations of a team that were not used yet, expired ones too, the oldest first. */
export async function openInvitations(
  { documents, personal }: Pick<ActionParts, 'documents' | 'personal'>,
  team: string,
): Promise<readonly OpenInvitation[]> {
  const found = await paginateAll(documents.collection(invitations.collection), {
    where: { team, status: 'open' },
    orderBy: ['invited_at', 'invitation'],
  });
  const addresses = await personal.openMany(
    found.map(({ invitation, email_sealed: sealed }) => ({ holder: invitationOf(invitation), sealed })),
  );
  return found.map(({ invitation, role, invited_at, expires_at }, place) => {
    const address = addresses[place] as string | undefined;
    return { team, invitation, email: address, role, invited_at, expires_at };
  });
}
