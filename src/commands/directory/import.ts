import { streamName, type StreamDefinition } from '../../events/define.ts';
import {
  importStream,
  type ImportCounts,
  type ImportEvent,
  type UndoCounts,
} from '../../events/directory/import.ts';
import { uuidOf } from '../../events/ids.ts';
import { withoutRequest, type CommandContext } from '../../events/metadata.ts';
import { eventIdOf } from '../../events/new-event.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { execute, load, type Decider, type Outcome } from '../command-handler.ts';

/** How far an operation on many records has come that can be undone. */
export type OperationPhase = 'begun' | 'ended' | 'undoing' | 'undone';

export type ImportRunState =
  { readonly team: string; readonly source: string; readonly phase: OperationPhase } | undefined;

export type ImportRunCommand =
  | { readonly kind: 'begin'; readonly team: string; readonly source: string }
  | { readonly kind: 'end'; readonly counts: ImportCounts }
  | { readonly kind: 'begin-undo'; readonly asTeam?: string | undefined }
  | { readonly kind: 'end-undo'; readonly counts: UndoCounts };

/** One import, and its undoing. An import that was cut off is begun again, or undone as it is. */
export const importRun: Decider<ImportRunState, ImportRunCommand, ImportEvent> = {
  stream: importStream,
  initial: undefined,
  evolve(state, event) {
    if (event.type === 'ImportBegun') return { ...event.data, phase: 'begun' };
    return state && { ...state, phase: phases[event.type] };
  },
  decide(command, state) {
    if (command.kind === 'begin') {
      if (state?.phase === 'undoing' || state?.phase === 'undone')
        throw new CommandRefused('conflict', 'The import is undone. Send the file again.');
      return state ? [] : [{ type: 'ImportBegun', data: { team: command.team, source: command.source } }];
    }
    if (!state || (command.kind === 'begin-undo' && (command.asTeam ?? state.team) !== state.team))
      throw new CommandRefused('not_found', 'There is no such import of your team.');
    switch (command.kind) {
      case 'end':
        return state.phase === 'begun' ? [{ type: 'ImportEnded', data: command.counts }] : [];
      case 'begin-undo':
        if (state.phase === 'undone') throw new CommandRefused('conflict', 'The import is undone already.');
        return state.phase === 'undoing' ? [] : [{ type: 'ImportUndoBegun', data: {} }];
      case 'end-undo':
        return state.phase === 'undoing' ? [{ type: 'ImportUndone', data: command.counts }] : [];
    }
  },
};

const phases = { ImportEnded: 'ended', ImportUndoBegun: 'undoing', ImportUndone: 'undone' } as const;

/** Each step of an import happens once, however often it is sent. */
export const commandImport = (
  store: EventStore,
  id: string,
  command: ImportRunCommand,
  context: CommandContext,
): Promise<Outcome<ImportRunState, ImportEvent>> =>
  execute(store, importRun, id, command, stepContext(importStream, id, command.kind, context));

/** The context of a step of an operation on many records, whose id is the correlation of all that follows. */
export const stepContext = (
  { name }: Pick<StreamDefinition, 'name'>,
  id: string,
  step: string,
  context: CommandContext,
): CommandContext => ({ ...withoutRequest(context), correlationId: id, commandId: uuidOf(name, id, step) });

/** The event that a step of an operation appends first. */
export const causeOfStep = (of: StreamDefinition, id: string, step: string): string =>
  eventIdOf(streamName(of, id), 0, { commandId: uuidOf(of.name, id, step) });

/** What caused the events of an import, or of its undoing: the event with which that began. */
export const causeOf = (id: string, step: 'begin' | 'begin-undo'): string =>
  causeOfStep(importStream, id, step);

export const importRunOf = async (store: EventStore, id: string): Promise<ImportRunState> =>
  (await load(store, importRun, id)).state;
