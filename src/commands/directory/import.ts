import { streamName } from '../../events/define.ts';
import {
  importStream,
  type ImportCounts,
  type ImportEvent,
  type UndoCounts,
} from '../../events/directory/import.ts';
import { uuidOf } from '../../events/ids.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { eventIdOf } from '../../events/new-event.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { execute, load, type Decider, type Outcome } from '../command-handler.ts';

export type ImportRunState =
  | {
      readonly team: string;
      readonly source: string;
      readonly phase: 'begun' | 'ended' | 'undoing' | 'undone';
    }
  | undefined;

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

/** `step`: the command of an import happens once, however often it is sent. */
export const commandImport = (
  store: EventStore,
  id: string,
  command: ImportRunCommand,
  context: CommandContext,
): Promise<Outcome<ImportRunState, ImportEvent>> =>
  execute(store, importRun, id, command, stepContext(id, command.kind, context));

const stepContext = (
  id: string,
  step: ImportRunCommand['kind'],
  context: CommandContext,
): CommandContext => ({
  ...context,
  correlationId: id,
  commandId: uuidOf('import', id, step),
});

/** What caused the events of an import, or of its undoing: the event with which that began. */
export const causeOf = (id: string, step: 'begin' | 'begin-undo'): string =>
  eventIdOf(streamName(importStream, id), 0, { commandId: uuidOf('import', id, step) });

export const importRunOf = async (store: EventStore, id: string): Promise<ImportRunState> =>
  (await load(store, importRun, id)).state;
