import { teamStream, teamScopes, type MemberRole, type TeamEvent } from '../../events/teams/team.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { requireDisplayName } from '../display-name.ts';
import { CommandRefused } from '../errors.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { execute, load, type Decider, type Outcome } from '../command-handler.ts';

/** The team that gets submissions of developers without a team. */
export const commons = { team: 'commons', name: 'Commons' } as const;

type TeamScope = (typeof teamScopes)[number];
export type TeamState =
  | {
      readonly name: string;
      readonly scopes: readonly TeamScope[];
      /** Roles by user id. */
      readonly members: ReadonlyMap<string, MemberRole>;
      /** Roles of open invitations, by invitation id. */
      readonly invitations: ReadonlyMap<string, MemberRole>;
    }
  | undefined;

type DataOf<Type extends TeamEvent['type']> = Extract<TeamEvent, { type: Type }>['data'];

export type TeamCommand =
  | { readonly kind: 'create'; readonly team: string; readonly name: string }
  | { readonly kind: 'enable-scopes'; readonly team: string; readonly scopes: readonly TeamScope[] }
  | { readonly kind: 'invite'; readonly data: DataOf<'MemberInvited'> }
  | { readonly kind: 'join'; readonly data: DataOf<'MemberJoined'> }
  | { readonly kind: 'change-role'; readonly team: string; readonly user: string; readonly role: MemberRole }
  | { readonly kind: 'leave'; readonly team: string; readonly user: string };

/** A state while events are folded into it. It is changed in place. */
interface Draft {
  name: string;
  scopes: readonly TeamScope[];
  readonly members: Map<string, MemberRole>;
  readonly invitations: Map<string, MemberRole>;
}

/** Copies the state once. One copy for each event took seconds with 5,000 members. */
function evolveAll(state: TeamState, events: readonly TeamEvent[]): TeamState {
  let draft: Draft | undefined = state && {
    ...state,
    members: new Map(state.members),
    invitations: new Map(state.invitations),
  };
  for (const event of events) {
    if (event.type === 'TeamCreated') {
      draft = { name: event.data.name, scopes: [], members: new Map(), invitations: new Map() };
    } else if (draft) happened(event, draft);
  }
  return draft;
}

function happened(event: Exclude<TeamEvent, { type: 'TeamCreated' }>, team: Draft): void {
  switch (event.type) {
    case 'TeamScopesEnabled':
      team.scopes = event.data.scopes;
      return;
    case 'MemberInvited':
      team.invitations.set(event.data.invitation, event.data.role);
      return;
    case 'MemberJoined': {
      const { user, role, invitation } = event.data;
      if (invitation !== undefined) team.invitations.delete(invitation);
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

export const team: Decider<TeamState, TeamCommand, TeamEvent> = {
  stream: teamStream,
  initial: undefined,
  evolve: (state, event) => evolveAll(state, [event]),
  evolveAll,
  decide(command, state) {
    if (command.kind === 'create') {
      if (state) throw new CommandRefused('conflict', `There is a team ${command.team} already.`);
      requireDisplayName(command.name);
      return [{ type: 'TeamCreated', data: { team: command.team, name: command.name } }];
    }
    if (!state) throw new CommandRefused('not_found', `There is no team ${teamOf(command)}.`);
    switch (command.kind) {
      case 'enable-scopes': {
        const scopes = teamScopes.filter((scope) => command.scopes.includes(scope));
        if (scopes.join() === state.scopes.join()) return [];
        return [{ type: 'TeamScopesEnabled', data: { team: command.team, scopes } }];
      }
      case 'invite':
        return [{ type: 'MemberInvited', data: command.data }];
      case 'join':
        return join(command.data, state);
      case 'change-role': {
        const { team, user, role } = command;
        if (requireMember(state, user) === role) return [];
        return [{ type: 'MemberRoleChanged', data: { team, user, role } }];
      }
      case 'leave': {
        const { team, user } = command;
        if (!state.members.has(user)) return [];
        return [{ type: 'MemberLeft', data: { team, user } }];
      }
    }
  },
};

/** An invitation sets the role of the person who accepts it, and can be used once. */
function join(data: DataOf<'MemberJoined'>, state: NonNullable<TeamState>): TeamEvent[] {
  if (state.members.has(data.user)) throw new CommandRefused('conflict', 'This person is a member already.');
  if (data.invitation !== undefined && state.invitations.get(data.invitation) !== data.role) {
    throw new CommandRefused('not_found', 'There is no such invitation, or it was used.');
  }
  return [{ type: 'MemberJoined', data }];
}

function requireMember({ members }: NonNullable<TeamState>, user: string): MemberRole {
  const role = members.get(user);
  if (!role) throw new CommandRefused('not_found', 'This person is no member of the team.');
  return role;
}

const teamOf = (command: TeamCommand): string => ('data' in command ? command.data.team : command.team);

export function commandTeam(
  store: EventStore,
  command: TeamCommand,
  context: CommandContext,
): Promise<Outcome<TeamState>> {
  const options = command.kind === 'create' ? ({ from: 'no_stream' } as const) : {};
  return execute(store, team, teamOf(command), command, context, options);
}

/** Teams that exist, as read from a store. A team never ends, so it is read once. */
const seen = new WeakMap<EventStore, Set<string>>();

/**
 * Checks that there is such a team. Reads it from the store once.
 * @throws CommandRefused not_found
 */
export async function requireTeamExists(store: EventStore, slug: string): Promise<void> {
  const known = seen.get(store) ?? new Set();
  if (known.has(slug)) return;
  await requireTeam(store, slug);
  seen.set(store, known.add(slug));
}

/** @throws CommandRefused not_found */
export async function requireTeam(store: EventStore, slug: string): Promise<NonNullable<TeamState>> {
  const { state } = await load(store, team, slug);
  if (!state) throw new CommandRefused('not_found', `There is no team ${slug}.`);
  return state;
}
