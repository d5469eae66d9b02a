import { viewIdOf, viewStream, type ViewEvent } from '../../events/teams.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { execute, type Decider, type Outcome } from '../command-handler.ts';

/** Undefined: none is saved, or it is removed. */
export type ViewState = { readonly name: string; readonly query: string } | undefined;

interface OfView {
  readonly team: string;
  readonly name: string;
}

export type ViewCommand =
  (OfView & { readonly kind: 'save'; readonly query: string }) | (OfView & { readonly kind: 'remove' });

export const view: Decider<ViewState, ViewCommand, ViewEvent> = {
  stream: viewStream,
  initial: undefined,
  evolve: (_, event) =>
    event.type === 'ViewSaved' ? { name: event.data.name, query: event.data.query } : undefined,
  decide(command, state) {
    const { team, name } = command;
    if (command.kind === 'save')
      return state?.name === name && state.query === command.query
        ? []
        : [{ type: 'ViewSaved', data: { team, name, query: command.query } }];
    if (!state) throw noView();
    return [{ type: 'ViewRemoved', data: { team, name: state.name } }];
  },
};

export const noView = (): CommandRefused =>
  new CommandRefused('not_found', 'Your team has no saved view of this name.');

export const commandView = (
  store: EventStore,
  command: ViewCommand,
  context: CommandContext,
): Promise<Outcome<ViewState, ViewEvent>> =>
  execute(store, view, viewIdOf(command.team, command.name), command, context);
