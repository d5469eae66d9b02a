import type { CommandContext } from '../../events/metadata.ts';
import { sourceStream, sourceStreamId, type SourceEvent } from '../../events/directory/source.ts';
import { fieldGroups, type FieldGroup } from '../../events/directory/upkeep/precedence.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { execute, load, type Decider, type Outcome } from '../command-handler.ts';

/** What is recorded of a source. */
export interface SourceState {
  /** What it is called. Absent for one that has no name of its own yet. */
  readonly name?: string;
  /** The fields for which its word counts before what was changed otherwise. */
  readonly precedence: readonly FieldGroup[];
}

export type SourceCommand = { readonly team: string; readonly source: string } & (
  | {
      /** `name`: unless it has one. `rename`: whatever it is called, also if it has no name of its own. */
      readonly kind: 'name' | 'rename';
      readonly name: string;
    }
  | { readonly kind: 'precede'; readonly groups: readonly FieldGroup[] }
);

export const source: Decider<SourceState, SourceCommand, SourceEvent> = {
  stream: sourceStream,
  initial: { precedence: [] },
  evolve: (state, { type, data }) =>
    type === 'SourcePrecedenceChosen' ? { ...state, precedence: data.groups } : { ...state, name: data.name },
  decide(command, state) {
    const of = { team: command.team, source: command.source };
    if (command.kind === 'precede') {
      const groups = fieldGroups.filter((group) => command.groups.includes(group));
      const isSame = groups.join() === state.precedence.join();
      return isSame ? [] : [{ type: 'SourcePrecedenceChosen', data: { ...of, groups } }];
    }
    const { kind, name } = command;
    if (state.name === undefined) return [{ type: 'SourceNamed', data: { ...of, name } }];
    if (kind === 'name' || state.name === name) return [];
    return [{ type: 'SourceRenamed', data: { ...of, name } }];
  },
};

/** Whoever commands it has made sure that the team has such a source, or begins it. */
export const commandSource = (
  store: EventStore,
  command: SourceCommand,
  context: CommandContext,
): Promise<Outcome<SourceState, SourceEvent>> =>
  execute(store, source, sourceStreamId(command.team, command.source), command, context);

/** The fields for which the word of a source counts before what was changed otherwise. */
export const precedenceOf = async (
  store: EventStore,
  team: string,
  id: string,
): Promise<readonly FieldGroup[]> => (await load(store, source, sourceStreamId(team, id))).state.precedence;
