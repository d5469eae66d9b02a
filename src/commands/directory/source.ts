import type { CommandContext } from '../../events/metadata.ts';
import { sourceStream, sourceStreamId, type SourceEvent } from '../../events/directory/source.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { execute, type Decider, type Outcome } from '../command-handler.ts';

/** What the source is called. Undefined for one that has no name of its own yet. */
export type SourceState = { readonly name: string } | undefined;

export type SourceCommand = {
  /** `name`: unless it has one. `rename`: whatever it is called, also if it has no name of its own. */
  readonly kind: 'name' | 'rename';
  readonly team: string;
  readonly source: string;
  readonly name: string;
};

export const source: Decider<SourceState, SourceCommand, SourceEvent> = {
  stream: sourceStream,
  initial: undefined,
  evolve: (_, { data }) => ({ name: data.name }),
  decide({ kind, team, source: id, name }, state) {
    if (!state) return [{ type: 'SourceNamed', data: { team, source: id, name } }];
    if (kind === 'name' || state.name === name) return [];
    return [{ type: 'SourceRenamed', data: { team, source: id, name } }];
  },
};

/** Whoever commands it has made sure that the team has such a source, or begins it. */
export const commandSource = (
  store: EventStore,
  command: SourceCommand,
  context: CommandContext,
): Promise<Outcome<SourceState, SourceEvent>> =>
  execute(store, source, sourceStreamId(command.team, command.source), command, context);
