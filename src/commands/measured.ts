import { channel } from 'node:diagnostics_channel';
import type { CommandContext } from '../events/metadata.ts';
import { CommandRefused, ConcurrencyConflict } from '../ground/refusals.ts';
import { inSpan } from '../traces/spans.ts';

/** A command, when it has ended. */
export interface MeasuredCommand {
  /** The kind of its stream. */
  readonly stream: string;
  /** `repeated`: an earlier call had handled it. `unchanged`: there was nothing to append. */
  readonly outcome: 'appended' | 'repeated' | 'unchanged' | 'refused' | 'conflict' | 'failed';
}

/** For metrics. While nobody listens, nothing is published. */
export const commands = channel('commonweal:command');

type Ended = { readonly events: readonly unknown[]; readonly repeated: boolean };

/** Runs a command as a span, and tells how it has ended. */
export function measured<Result extends Ended>(
  stream: string,
  command: unknown,
  context: CommandContext,
  run: () => Promise<Result>,
): Promise<Result> {
  const outcome = inSpan(() => spanOf(stream, command, context), run, endingOf);
  if (commands.hasSubscribers) {
    const ended = (as: MeasuredCommand['outcome']) =>
      commands.publish({ stream, outcome: as } satisfies MeasuredCommand);
    outcome.then(
      (result) => ended(outcomeOf(result)),
      (error: unknown) => ended(failureOf(error)),
    );
  }
  return outcome;
}

/** A command is an object with its kind, unless it is made from the state. */
function spanOf(stream: string, command: unknown, { commandId, correlationId, causationId }: CommandContext) {
  const kind =
    typeof command === 'object' && command !== null && 'kind' in command ? command.kind : undefined;
  return {
    name: `command ${stream}`,
    correlationId: correlationId ?? commandId,
    causedBy: causationId,
    attributes: {
      'commonweal.stream': stream,
      'commonweal.command': typeof kind === 'string' && /^[a-z-]{1,40}$/.test(kind) ? kind : undefined,
      'commonweal.correlation_id': correlationId ?? commandId,
    },
  };
}

function endingOf(settled: PromiseSettledResult<Ended>) {
  const outcome = settled.status === 'fulfilled' ? outcomeOf(settled.value) : failureOf(settled.reason);
  return {
    attributes: { 'commonweal.outcome': outcome },
    failure: outcome === 'failed' || outcome === 'conflict' ? outcome : undefined,
  };
}

const outcomeOf = ({ events, repeated }: Ended): MeasuredCommand['outcome'] => {
  if (repeated) return 'repeated';
  return events.length > 0 ? 'appended' : 'unchanged';
};

function failureOf(error: unknown): MeasuredCommand['outcome'] {
  if (error instanceof CommandRefused) return 'refused';
  return error instanceof ConcurrencyConflict ? 'conflict' : 'failed';
}
