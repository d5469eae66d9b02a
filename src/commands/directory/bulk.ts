import { bulkStream, type BulkChange, type BulkCounts, type BulkEvent } from '../../events/directory/bulk.ts';
import type { UndoCounts } from '../../events/directory/import.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { execute, load, type Decider, type Outcome } from '../command-handler.ts';
import type { CommandOnResource } from './resource.ts';
import { causeOfStep, stepContext, type OperationPhase } from './import.ts';

export type BulkState =
  | (BulkChange & { readonly team: string; readonly number: number; readonly phase: OperationPhase })
  | undefined;

export type BulkCommand =
  | { readonly kind: 'begin'; readonly team: string; readonly number: number; readonly change: BulkChange }
  | { readonly kind: 'end'; readonly counts: BulkCounts }
  | { readonly kind: 'begin-undo'; readonly asTeam?: string | undefined }
  | { readonly kind: 'end-undo'; readonly counts: UndoCounts };

/** One decision about many records, and its undoing. */
export const bulk: Decider<BulkState, BulkCommand, BulkEvent> = {
  stream: bulkStream,
  initial: undefined,
  evolve(state, event) {
    if (event.type === 'BulkBegun') return { ...event.data, phase: 'begun' };
    return state && { ...state, phase: phases[event.type] };
  },
  decide(command, state) {
    if (command.kind === 'begin') {
      const { team, number, change } = command;
      return state ? [] : [{ type: 'BulkBegun', data: { team, number, ...change } }];
    }
    if (!state || (command.kind === 'begin-undo' && (command.asTeam ?? state.team) !== state.team))
      throw noBulk();
    switch (command.kind) {
      case 'end':
        return state.phase === 'begun' ? [{ type: 'BulkEnded', data: command.counts }] : [];
      case 'begin-undo':
        if (state.phase === 'begun')
          throw new CommandRefused('conflict', 'The bulk action is still running. Stop it first, or wait.');
        if (state.phase === 'undone')
          throw new CommandRefused('conflict', 'The bulk action is undone already.');
        return state.phase === 'undoing' ? [] : [{ type: 'BulkUndoBegun', data: {} }];
      case 'end-undo':
        return state.phase === 'undoing' ? [{ type: 'BulkUndone', data: command.counts }] : [];
    }
  },
};

export const noBulk = (): CommandRefused =>
  new CommandRefused('not_found', 'There is no such bulk action of your team.');

const phases = { BulkEnded: 'ended', BulkUndoBegun: 'undoing', BulkUndone: 'undone' } as const;

/**
 * Each step of a bulk action happens once, however often it is sent. Its beginning keeps the hash of the request, by which another
 * request with the same Idempotency-Key is refused.
 */
export function commandBulk(
  store: EventStore,
  id: string,
  command: BulkCommand,
  context: CommandContext,
): Promise<Outcome<BulkState, BulkEvent>> {
  const step = stepContext(bulkStream, id, command.kind, context);
  return execute(store, bulk, id, command, command.kind === 'begin' ? { ...context, ...step } : step);
}

/** What caused the events of a bulk action, or of its undoing: the event with which that began. */
export const causeOfBulk = (id: string, step: 'begin' | 'begin-undo'): string =>
  causeOfStep(bulkStream, id, step);

export const bulkOf = async (store: EventStore, id: string): Promise<BulkState> =>
  (await load(store, bulk, id)).state;

/** The command on each record. */
export function commandOfBulk({ decision, reason, category, day }: BulkChange): CommandOnResource {
  switch (decision) {
    case 'approve':
      return { kind: 'approve', ...(reason === undefined ? {} : { note: reason }) };
    case 'reject':
      return { kind: 'reject', reason: reason ?? '' };
    case 'take-out':
      return { kind: 'deactivate', ...(reason === undefined ? {} : { reason }) };
    case 'kind':
      return { kind: 'revise', change: { category } };
    case 'verified':
      // Whoever verified it before is not who has done so now.
      return { kind: 'revise', change: { last_verified: day, verified_by: null } };
  }
}
