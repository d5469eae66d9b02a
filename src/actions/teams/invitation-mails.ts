import { showInvitationLink } from '../../commands/teams/invitation.ts';
import { readInvitationLink } from '../../commands/teams/invitation-link.ts';
import { findTeam } from '../../commands/teams/team.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { invitationsEndedBy } from '../../commands/teams/invitation-keys.ts';
import type { TeamOutcome } from '../../commands/teams/member.ts';
import type { Outbox } from '../../mail/outbox.ts';
import type { Mail } from '../../mail/port.ts';
import type { ActionParts } from '../action.ts';
import { linkedPages } from '../linked-pages.ts';

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

const inText = new RegExp(`${linkedPages.join}/([a-z0-9-]+)\\?link=(lnk_[0-9A-Za-z]+)`, 'g');

/**
 * Records, before emails are shown to an administrator, that the links of invitations in them prove no address any more:
 * whoever reads a link could use it.
 */
export async function showInvitationMails(
  { store, vault }: Pick<ActionParts, 'store' | 'vault'>,
  mails: readonly Mail[],
  context: () => CommandContext,
): Promise<void> {
  for (const { text } of mails) {
    for (const [, team = '', link = ''] of text.matchAll(inText)) {
      const invitation = await readInvitationLink(vault, { team, link });
      const open = invitation && (await findTeam(store, team))?.invitations.get(invitation);
      if (open && open.provesUntil !== undefined)
        await showInvitationLink({ store }, { team, invitation }, context());
    }
  }
}
