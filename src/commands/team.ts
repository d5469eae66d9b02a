import { teamStream, teamScopes, type TeamEvent } from '../events/team.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import { CommandRefused } from './errors.ts';
import type { CommandContext } from '../events/metadata.ts';
import { execute, load, type Decider, type Outcome } from './kernel.ts';

/** The team to which submissions of developers without a team go. */
export const commons = { team: 'commons', name: 'Commons' } as const;

type TeamScope = (typeof teamScopes)[number];
export type TeamState = { readonly name: string; readonly scopes: readonly TeamScope[] } | undefined;

export type TeamCommand =
  | { readonly kind: 'create'; readonly team: string; readonly name: string }
  | { readonly kind: 'enable-scopes'; readonly team: string; readonly scopes: readonly TeamScope[] };

export const team: Decider<TeamState, TeamCommand, TeamEvent> = {
  stream: teamStream,
  initial: undefined,
  evolve(state, event) {
    switch (event.type) {
      case 'TeamCreated':
        return { name: event.data.name, scopes: [] };
      case 'TeamScopesEnabled':
        return state && { ...state, scopes: event.data.scopes };
    }
  },
  decide(command, state) {
    switch (command.kind) {
      case 'create':
        if (state) throw new CommandRefused('conflict', `There is a team ${command.team} already.`);
        return [{ type: 'TeamCreated', data: { team: command.team, name: command.name } }];
      case 'enable-scopes': {
        if (!state) throw new CommandRefused('not_found', `There is no team ${command.team}.`);
        const scopes = teamScopes.filter((scope) => command.scopes.includes(scope));
        if (scopes.join() === state.scopes.join()) return [];
        return [{ type: 'TeamScopesEnabled', data: { team: command.team, scopes } }];
      }
    }
  },
};

export function commandTeam(
  store: EventStore,
  command: TeamCommand,
  context: CommandContext,
): Promise<Outcome<TeamState>> {
  return execute(store, team, command.team, command, context);
}

/** @throws CommandRefused not_found */
export async function requireTeam(store: EventStore, slug: string): Promise<NonNullable<TeamState>> {
  const { state } = await load(store, team, slug);
  if (!state) throw new CommandRefused('not_found', `There is no team ${slug}.`);
  return state;
}
