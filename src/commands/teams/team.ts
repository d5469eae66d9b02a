import { LRUCache } from 'lru-cache';
import { commons, teamStream, teamScopes, type TeamEvent } from '../../events/teams.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { defined } from '../../ground/defined.ts';
import { requireTeamName } from '../display-name.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { execute, type Decider, type Outcome } from '../command-handler.ts';
import { FoldedStreams } from '../folded-streams.ts';
import { decideMembership, type MembershipCommand } from './membership.ts';
import { evolveAll, type Team, type TeamScope, type TeamState } from './team-state.ts';

export type TeamCommand =
  | { readonly kind: 'create'; readonly team: string; readonly name: string }
  /** `before`: the name that whoever renames it has seen. */
  | {
      readonly kind: 'rename';
      readonly team: string;
      readonly name: string;
      readonly before?: string | undefined;
    }
  /** `name`: as whoever closes it has typed it. */
  | { readonly kind: 'close'; readonly team: string; readonly closing: string; readonly name: string }
  | { readonly kind: 'reopen'; readonly team: string }
  | { readonly kind: 'enable-scopes'; readonly team: string; readonly scopes: readonly TeamScope[] }
  | { readonly kind: 'set-time-zone'; readonly team: string; readonly timeZone: string | undefined }
  | { readonly kind: 'require-passkeys'; readonly team: string; readonly required: boolean }
  | MembershipCommand;

export const team: Decider<TeamState, TeamCommand, TeamEvent> = {
  stream: teamStream,
  initial: undefined,
  evolve: (state, event) => evolveAll(state, [event]),
  evolveAll,
  decide(command, state) {
    if (command.kind === 'create') {
      if (state) throw new CommandRefused('conflict', `There is a team ${command.team} already.`);
      requireTeamName(command.name);
      return [{ type: 'TeamCreated', data: { team: command.team, name: command.name } }];
    }
    if (!state) throw new CommandRefused('not_found', `There is no team ${teamOf(command)}.`);
    if (state.closing !== undefined && !isPossibleInClosed(command)) throw isClosed(command);
    switch (command.kind) {
      case 'close':
        return closed(command, state);
      case 'reopen': {
        const { closing } = state;
        return closing === undefined ? [] : [{ type: 'TeamReopened', data: { team: command.team, closing } }];
      }
      case 'rename':
        return renamed(command, state);
      case 'set-time-zone': {
        const { team, timeZone } = command;
        if (timeZone === state.timeZone) return [];
        return [{ type: 'TeamTimeZoneSet', data: { team, ...defined({ time_zone: timeZone }) } }];
      }
      case 'require-passkeys': {
        const { team, required } = command;
        if (required === state.passkeysRequired) return [];
        return [{ type: 'TeamPasskeysRequired', data: { team, required } }];
      }
      case 'enable-scopes': {
        const scopes = teamScopes.filter((scope) => command.scopes.includes(scope));
        if (scopes.join() === state.scopes.join()) return [];
        return [{ type: 'TeamScopesEnabled', data: { team: command.team, scopes } }];
      }
      case 'invite':
      case 'withdraw':
      case 'show-link':
      case 'expire':
      case 'join':
      case 'accept':
      case 'change-role':
      case 'leave':
        return decideMembership(command, state);
    }
  },
};

/** Who leaves a closed team can, and what invited people have sent of themselves ends as ever. */
const isPossibleInClosed = ({ kind }: TeamCommand): boolean =>
  ['close', 'reopen', 'leave', 'withdraw', 'expire'].includes(kind);

const isClosed = (command: TeamCommand): CommandRefused => teamIsClosed(teamOf(command));

export const teamIsClosed = (slug: string): CommandRefused =>
  new CommandRefused('conflict', `The team ${slug} is closed. An admin of it can open it again.`);

/** @throws CommandRefused invalid, where the name is not that of the team; conflict, for the team of those without one */
function closed({ team, closing, name }: Extract<TeamCommand, { kind: 'close' }>, state: Team): TeamEvent[] {
  if (state.closing !== undefined) return [];
  if (team === commons.team)
    throw new CommandRefused(
      'conflict',
      'This team gets the records of everybody without a team, so it stays open.',
    );
  if (name.trim() !== state.name)
    throw new CommandRefused('invalid', `The team is called ${state.name}: type its name as it stands.`);
  return [{ type: 'TeamClosed', data: { team, closing } }];
}

/** @throws CommandRefused invalid; conflict, where somebody else has renamed it */
function renamed({ team, name, before }: Extract<TeamCommand, { kind: 'rename' }>, state: Team): TeamEvent[] {
  if (name === state.name) return [];
  if (before !== undefined && before !== state.name)
    throw new CommandRefused(
      'conflict',
      `Somebody else has renamed the team meanwhile: it is called ${state.name} now.`,
    );
  requireTeamName(name);
  return [{ type: 'TeamRenamed', data: { team, name } }];
}

const teamOf = (command: TeamCommand): string => ('data' in command ? command.data.team : command.team);

export async function commandTeam(
  store: EventStore,
  command: TeamCommand,
  context: CommandContext,
): Promise<Outcome<TeamState>> {
  const options = command.kind === 'create' ? ({ from: 'no_stream' } as const) : {};
  const outcome = await execute(store, team, teamOf(command), command, context, options);
  if (command.kind === 'close') seenOpen.get(store)?.delete(command.team);
  return outcome;
}

/**
 * A team that exists and is not closed, as of now: for commands that begin something in it.
 * @throws CommandRefused not_found, conflict (closed)
 */
export async function requireOpenTeam(store: EventStore, slug: string): Promise<Team> {
  const state = await requireTeam(store, slug);
  if (state.closing !== undefined) throw teamIsClosed(slug);
  return state;
}

/**
 * For commands on what a team has, such as records, which are decided about by the thousand: a team that was open within the
 * last second counts as open. What another node lets through meanwhile is found by the closing: it looks for what is public
 * until nothing is and that second has passed.
 * @throws CommandRefused conflict, while the team is closed
 */
export async function refuseClosed(store: EventStore, slug: string): Promise<void> {
  const teams = seenOpen.get(store) ?? new LRUCache<string, true>({ max: 1_000, ttl: openForMs });
  seenOpen.set(store, teams);
  if (teams.has(slug)) return;
  const state = await findTeam(store, slug);
  if (state?.closing !== undefined) throw teamIsClosed(slug);
  if (state) teams.set(slug, true);
}

/** The same for what begins in it. @throws CommandRefused not_found, conflict (closed) */
export async function requireOpenForRecords(store: EventStore, slug: string): Promise<void> {
  await refuseClosed(store, slug);
  if (seenOpen.get(store)?.has(slug) !== true) await requireTeam(store, slug);
}

const seenOpen = new WeakMap<EventStore, LRUCache<string, true>>();
export const openForMs = 1_000;

/** Whether there is such a team and it is closed, as of now. */
export const isTeamClosed = async (store: EventStore, slug: string): Promise<boolean> =>
  (await findTeam(store, slug))?.closing !== undefined;

/** @throws CommandRefused not_found */
export async function requireTeam(store: EventStore, slug: string): Promise<Team> {
  const state = await findTeam(store, slug);
  if (!state) throw new CommandRefused('not_found', `There is no team ${slug}.`);
  return state;
}

const folded = new FoldedStreams(team);

/** Undefined when there is no such team. */
export async function findTeam(store: EventStore, slug: string): Promise<TeamState> {
  return folded.load(store, slug);
}
