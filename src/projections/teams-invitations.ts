import type { MemberRole, TeamEvent } from '../events/teams.ts';
import { projection } from './engine/read-model.ts';

type InvitationEvent = Extract<
  TeamEvent,
  { type: 'MemberInvited' | 'InvitationWithdrawn' | 'InvitationExpired' | 'MemberJoined' }
>;

/** One invitation. Only an open one has an address, which opens with the data key of the invitation. */
export interface InvitationDocument {
  readonly team: string;
  readonly invitation: string;
  readonly role: MemberRole;
  /** `expired`: recorded as such. An open one may be over its time by some minutes. */
  readonly status: 'open' | 'used' | 'withdrawn' | 'replaced' | 'joined' | 'expired';
  readonly email_sealed?: string;
  readonly invited_at: string;
  readonly expires_at: string;
}

export const invitations = projection<InvitationDocument, InvitationEvent>({
  version: 1,
  events: ['MemberInvited', 'InvitationWithdrawn', 'InvitationExpired', 'MemberJoined'],
  collection: {
    name: 'invitations',
    fields: ['team', 'invitation', 'status', 'invited_at', 'expires_at'],
    indexes: [
      ['team', 'status', 'invited_at', 'invitation'],
      ['status', 'expires_at', 'invitation'],
    ],
  },
  // Who joined without an invitation concerns none.
  idOf: ({ data: { invitation = 'none' } }) => invitation,
  fold(doc, event) {
    switch (event.type) {
      case 'MemberInvited': {
        const { team, invitation, role, email_sealed, expires_at } = event.data;
        const invited_at = event.metadata.at;
        return { team, invitation, role, status: 'open', email_sealed, invited_at, expires_at };
      }
      case 'InvitationWithdrawn':
        return closed(doc, event.data.reason);
      case 'InvitationExpired':
        return closed(doc, 'expired');
      case 'MemberJoined':
        return closed(doc, 'used');
    }
  },
});

function closed(
  doc: InvitationDocument | undefined,
  status: InvitationDocument['status'],
): InvitationDocument | undefined {
  if (!doc) return undefined;
  const { email_sealed: _, ...rest } = doc;
  return { ...rest, status };
}
