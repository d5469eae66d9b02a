import { streamName } from '../../events/define.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { eventIdOf } from '../../events/new-event.ts';
import { teamStream, type TeamEvent } from '../../events/teams.ts';
import type { Holder, PersonalData } from '../../personal/personal-data.ts';
import { StoreError } from '../../stores/errors.ts';

/** The holder of the data key under which the address of an invitation is sealed, for as long as it is open. */
export const invitationOf = (invitation: string): Holder => `invitation/${invitation}`;

/** The invitation in the name of a data key. */
export const invitationIn = (holder: string): string => holder.slice('invitation/'.length);

/**
 * Destroys the data keys of the invitations that these events of a command have ended. Where the erasure ledger cannot be
 * written, the job of invitations does it later: nobody is kept from joining.
 */
export async function eraseClosedInvitations(
  personal: PersonalData,
  events: readonly TeamEvent[],
  context: CommandContext,
): Promise<void> {
  for (const [index, event] of events.entries()) {
    const id = eventIdOf(streamName(teamStream, event.data.team), index, context);
    for (const invitation of invitationsEndedBy(event)) {
      await personal.destroy(invitationOf(invitation), id).catch((error: unknown) => {
        if (!(error instanceof StoreError)) throw error;
      });
    }
  }
}

/** The invitations that an event has ended. */
export function invitationsEndedBy(event: TeamEvent): string[] {
  switch (event.type) {
    case 'InvitationWithdrawn':
    case 'InvitationExpired':
      return [event.data.invitation];
    case 'MemberJoined':
      return event.data.invitation === undefined ? [] : [event.data.invitation];
    case 'TeamCreated':
    case 'TeamRenamed':
    case 'TeamClosed':
    case 'TeamReopened':
    case 'TeamScopesEnabled':
    case 'TeamTimeZoneSet':
    case 'TeamPasskeysRequired':
    case 'MemberInvited':
    case 'InvitationLinkDisclosed':
    case 'MemberRoleChanged':
    case 'MemberLeft':
      return [];
  }
}
