import type { MemberRole, TeamEvent, WithdrawalReason } from '../../events/teams.ts';
import type { teamScopes } from '../../events/teams.ts';

export type TeamScope = (typeof teamScopes)[number];

/** An invitation that was neither used nor withdrawn. Whether it has expired depends on the time. */
export interface OpenInvitation {
  readonly role: MemberRole;
  /** Keyed hash of the address. */
  readonly email: string;
  readonly email_sealed: string;
  /** ISO 8601. */
  readonly expires_at: string;
  /** ISO 8601: until when its link proves the address. Undefined: it proves nothing, or somebody else was shown it. */
  readonly provesUntil?: string | undefined;
}

/** Why an invitation cannot be used any more. */
export type ClosedBecause = WithdrawalReason | 'used' | 'expired';

export type TeamState =
  | {
      readonly name: string;
      readonly scopes: readonly TeamScope[];
      /** Of its records that tell no other. */
      readonly timeZone?: string | undefined;
      /** Its people must sign in with a passkey to open its pages. */
      readonly passkeysRequired: boolean;
      /** Roles by user id. */
      readonly members: ReadonlyMap<string, MemberRole>;
      /** By invitation id. */
      readonly invitations: ReadonlyMap<string, OpenInvitation>;
      /** Those that were open once, by invitation id: the page of the link says what became of it. */
      readonly closed: ReadonlyMap<string, ClosedBecause>;
      /** Of a team that is closed: which closing that is. */
      readonly closing?: string | undefined;
    }
  | undefined;

export type Team = NonNullable<TeamState>;

/** A state while events are folded into it. It is changed in place. */
interface Draft {
  name: string;
  scopes: readonly TeamScope[];
  timeZone?: string | undefined;
  passkeysRequired: boolean;
  readonly members: Map<string, MemberRole>;
  readonly invitations: Map<string, OpenInvitation>;
  readonly closed: Map<string, ClosedBecause>;
  closing?: string | undefined;
}

/** Copies the state once. One copy for each event took seconds with 5,000 members. */
export function evolveAll(state: TeamState, events: readonly TeamEvent[]): TeamState {
  let draft: Draft | undefined = state && {
    ...state,
    members: new Map(state.members),
    invitations: new Map(state.invitations),
    closed: new Map(state.closed),
  };
  for (const event of events) {
    if (event.type === 'TeamCreated') draft = founded(event.data.name);
    else if (draft) happened(event, draft);
  }
  return draft;
}

const founded = (name: string): Draft => ({
  name,
  scopes: [],
  passkeysRequired: false,
  members: new Map(),
  invitations: new Map(),
  closed: new Map(),
});

function happened(event: Exclude<TeamEvent, { type: 'TeamCreated' }>, team: Draft): void {
  switch (event.type) {
    case 'TeamRenamed':
      team.name = event.data.name;
      return;
    case 'TeamClosed':
      team.closing = event.data.closing;
      return;
    case 'TeamReopened':
      team.closing = undefined;
      return;
    case 'TeamScopesEnabled':
      team.scopes = event.data.scopes;
      return;
    case 'TeamTimeZoneSet':
      team.timeZone = event.data.time_zone;
      return;
    case 'TeamPasskeysRequired':
      team.passkeysRequired = event.data.required;
      return;
    case 'MemberInvited': {
      const { invitation, role, email, email_sealed, expires_at, proves_until: provesUntil } = event.data;
      team.invitations.set(invitation, { role, email, email_sealed, expires_at, provesUntil });
      return;
    }
    case 'InvitationLinkDisclosed': {
      const open = team.invitations.get(event.data.invitation);
      if (open) team.invitations.set(event.data.invitation, { ...open, provesUntil: undefined });
      return;
    }
    case 'InvitationWithdrawn':
      close(team, event.data.invitation, event.data.reason);
      return;
    case 'InvitationExpired':
      close(team, event.data.invitation, 'expired');
      return;
    case 'MemberJoined': {
      const { user, role, invitation } = event.data;
      if (invitation !== undefined) close(team, invitation, 'used');
      team.members.set(user, role);
      return;
    }
    case 'MemberRoleChanged':
      team.members.set(event.data.user, event.data.role);
      return;
    case 'MemberLeft':
      team.members.delete(event.data.user);
  }
}

function close(team: Draft, invitation: string, because: ClosedBecause): void {
  team.invitations.delete(invitation);
  team.closed.set(invitation, because);
}
