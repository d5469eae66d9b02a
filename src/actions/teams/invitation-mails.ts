import { invitationsEndedBy } from '../../commands/teams/invitation-keys.ts';
import type { TeamOutcome } from '../../commands/teams/member.ts';
import type { Outbox } from '../../mail/outbox.ts';

/** The key of the email of an invitation in the outbox. */
export const invitationMailKey = (invitation: string): string => `invitation-${invitation}`;

/**
 * Removes the emails of the invitations that a command has ended from the outbox: the address is in them, and the link
 * no longer works.
 */
export const removeEndedInvitationMails = (
  outbox: Outbox,
  { events }: Pick<TeamOutcome, 'events'>,
): Promise<void> => outbox.withdraw(events.flatMap(invitationsEndedBy).map(invitationMailKey));
