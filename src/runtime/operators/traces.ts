import { subscribe } from 'node:diagnostics_channel';
import type { Config } from '../../config.ts';
import type { Metadata } from '../../events/metadata.ts';
import { pause } from '../../ground/back-off.ts';
import { release } from '../../release.ts';
import { StoreError, WrongExpectedRevision } from '../../stores/errors.ts';
import { appends, type MeasuredAppend } from '../../stores/measured.ts';
import { recordSpan, recordSpans } from '../../traces/spans.ts';
import { spanIdOf } from '../../traces/trace-context.ts';

/** The traces of one thread. */
export interface Traces {
  /** A UUID of the process. */
  readonly instance: string;
  /** Sends what waits, for two seconds at most. */
  stop(): Promise<void>;
  /** To be called when everything is closed: ends the thread where the collector still keeps it. */
  leave(): void;
}

/** A stop waits so long for the collector. */
const flushWithinMs = 2_000;
/** What was written to stderr gets out in this time, in milliseconds. */
const leaveAfterMs = 100;
/** Of one append. Many are an import, whose trace is complete with fewer. */
const tracedEvents = 20;

/** Records the spans of this thread where settings name a collector. Nothing of OpenTelemetry is loaded otherwise. */
export async function startTraces(
  { traces: settings }: Pick<Config, 'traces'>,
  of: { readonly thread: string; readonly instance: string; readonly tell: (sentence: string) => void },
): Promise<Traces> {
  const { instance } = of;
  if (!settings) return { instance, stop: async () => undefined, leave: () => undefined };
  const { startExporting } = await import('../../traces/sdk.ts');
  const exporting = startExporting({ ...of, settings, release });
  recordSpans(exporting);
  subscribe(appends.name, (append) => recordAppend(append as MeasuredAppend));
  let isCutOff = false;
  return {
    instance,
    async stop() {
      recordSpans(undefined);
      const late = new AbortController();
      const closed = exporting.close().then(
        () => 'closed' as const,
        () => 'closed' as const,
      );
      const ended = await Promise.race([closed, pause(flushWithinMs, late.signal)]);
      late.abort();
      isCutOff = ended !== 'closed';
    },
    leave() {
      // The exporter of the SDK cannot be told to give up.
      if (isCutOff) setTimeout(() => process.exit(), leaveAfterMs).unref();
    },
  };
}

/** A span for each event, whose id follows from the event's: what the event causes elsewhere finds its parent so. */
function recordAppend({ events, seconds, error }: MeasuredAppend): void {
  for (const { id, type, metadata } of events.slice(0, tracedEvents)) {
    const { correlation_id, causation_id, command_id } = metadata as Metadata;
    recordSpan({
      name: `append ${type}`,
      correlationId: correlation_id,
      // The command itself is no event.
      ...(causation_id === command_id ? {} : { causedBy: causation_id }),
      ...(error === undefined ? { spanId: spanIdOf(id) } : {}),
      tookMs: seconds * 1_000,
      attributes: {
        'commonweal.event.id': id,
        'commonweal.append.events': events.length,
        'commonweal.append.outcome': outcomeOf(error),
      },
      failure: isUsual(error) ? undefined : outcomeOf(error),
    });
  }
}

/** Two changed the same thing at once: the command is decided again. */
const isUsual = (error: unknown): boolean => error === undefined || error instanceof WrongExpectedRevision;

function outcomeOf(error: unknown): string {
  if (error === undefined) return 'appended';
  if (error instanceof WrongExpectedRevision) return 'conflict';
  return error instanceof StoreError ? error.code : 'failed';
}
