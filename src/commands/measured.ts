import { channel } from 'node:diagnostics_channel';
import { CommandRefused, ConcurrencyConflict } from '../ground/refusals.ts';

/** A command, when it has ended. */
export interface MeasuredCommand {
  /** The kind of its stream. */
  readonly stream: string;
  /** `repeated`: an earlier call had handled it. `unchanged`: there was nothing to append. */
  readonly outcome: 'appended' | 'repeated' | 'unchanged' | 'refused' | 'conflict' | 'failed';
}

/** For metrics. While nobody listens, nothing is published. */
export const commands = channel('commonweal:command');

export function measured<Ended extends { readonly events: readonly unknown[]; readonly repeated: boolean }>(
  stream: string,
  outcome: Promise<Ended>,
): Promise<Ended> {
  if (commands.hasSubscribers) {
    const ended = (as: MeasuredCommand['outcome']) =>
      commands.publish({ stream, outcome: as } satisfies MeasuredCommand);
    outcome.then(
      ({ events, repeated }) => ended(repeated ? 'repeated' : events.length > 0 ? 'appended' : 'unchanged'),
      (error: unknown) => ended(failureOf(error)),
    );
  }
  return outcome;
}

function failureOf(error: unknown): MeasuredCommand['outcome'] {
  if (error instanceof CommandRefused) return 'refused';
  return error instanceof ConcurrencyConflict ? 'conflict' : 'failed';
}
