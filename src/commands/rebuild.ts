import type { CommandContext } from '../events/metadata.ts';
import { projectionStream, type ProjectionEvent } from '../events/projection.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import { execute, load, type Decider, type Outcome } from './command-handler.ts';
import { CommandRefused } from '../ground/refusals.ts';

/** What was asked for, while no event has ended it. */
export interface RunningRebuild {
  readonly full: boolean;
  readonly back: boolean;
}
export type RebuildState = RunningRebuild | undefined;

export interface RebuildRequest {
  /** Compares all documents with the log before the switch, not a sample. */
  readonly full?: boolean;
  /** Keeps the generation that was served for so long. */
  readonly keepSeconds?: number;
  /** Serves the kept generation again. */
  readonly back?: boolean;
}

export type RebuildCommand =
  | ({ readonly kind: 'start'; readonly projection: string } & RebuildRequest)
  | { readonly kind: 'cancel'; readonly projection: string };

/** The rebuilds of one read model. There is one at a time. */
export const rebuild: Decider<RebuildState, RebuildCommand, ProjectionEvent> = {
  stream: projectionStream,
  initial: undefined,
  evolve(state, event) {
    switch (event.type) {
      case 'RebuildStarted':
        return state ?? { full: event.data.full ?? false, back: event.data.back ?? false };
      case 'RebuildCancelled':
      case 'GenerationSwitched':
        return undefined;
    }
  },
  decide(command, state) {
    const { projection } = command;
    if (command.kind === 'cancel') {
      if (!state) throw new CommandRefused('conflict', `No rebuild of ${projection} is running.`);
      return [{ type: 'RebuildCancelled', data: { projection } }];
    }
    const { full = false, back = false, keepSeconds } = command;
    if (state) {
      if (state.back === back && (state.full || !full)) return [];
      throw new CommandRefused(
        'conflict',
        `${runningSentence(projection, state)} Wait for its end, or cancel it with "commonweal rebuild ${projection} --cancel".`,
      );
    }
    const data = {
      projection,
      ...(full ? { full } : {}),
      ...(back ? { back } : {}),
      ...(keepSeconds === undefined ? {} : { keep_seconds: keepSeconds }),
    };
    return [{ type: 'RebuildStarted', data }];
  },
};

const runningSentence = (projection: string, { back, full }: RunningRebuild): string =>
  back
    ? `The earlier generation of ${projection} is being made ready.`
    : `A rebuild of ${projection} is running${full ? '' : ', which checks a sample'}.`;

type RebuildOutcome = Outcome<RebuildState, ProjectionEvent>;

/**
 * Asks the projector for a rebuild of a read model. While one is running that does what is wanted, appends nothing: the
 * caller waits for that one. A kept generation is asked for with `back`; that there is one is not checked here.
 * @throws CommandRefused conflict, while another one is running
 */
export const startRebuild = (
  store: EventStore,
  projection: string,
  request: RebuildRequest,
  context: CommandContext,
): Promise<RebuildOutcome> =>
  execute(store, rebuild, projection, { kind: 'start', projection, ...request }, context);

/**
 * Cancels a running rebuild. The projector then drops the unfinished generation.
 * @throws CommandRefused conflict, when none is running
 */
export const cancelRebuild = (
  store: EventStore,
  projection: string,
  context: CommandContext,
): Promise<RebuildOutcome> => execute(store, rebuild, projection, { kind: 'cancel', projection }, context);

/** The running rebuild of a read model. Undefined when there is none. */
export const runningRebuild = async (store: EventStore, projection: string): Promise<RebuildState> =>
  (await load(store, rebuild, projection)).state;
