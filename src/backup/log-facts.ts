import { eventVersions } from '../events/catalogue.ts';
import { pagesOf, type EventStore, type RecordedEvent } from '../stores/event-store/port.ts';
import { LogDigest } from './log-digest.ts';
import type { Manifest } from './manifest.ts';

export interface LogFacts {
  readonly events: number;
  readonly digest: string;
  readonly head: Manifest['log']['head'] | undefined;
  /** An event type or version that this release does not know. */
  readonly unknown: string | undefined;
}

const pageSize = 2_000;

/** Reads a log from its first event to its end. */
export async function readLogFacts(
  store: Pick<EventStore, 'readAll'>,
  { signal, onEvents }: { readonly signal: AbortSignal; readonly onEvents?: (events: number) => void },
): Promise<LogFacts> {
  const digest = new LogDigest();
  const supported = eventVersions();
  let newest: RecordedEvent | undefined;
  let unknown: string | undefined;
  for await (const { events } of pagesOf(store, { limit: pageSize })) {
    signal.throwIfAborted();
    for (const event of events) {
      digest.add(event);
      const version = Number(event.metadata['commonweal_schema'] ?? 1);
      if ((supported[event.type] ?? 0) < version) unknown ??= `${event.type} (schema ${version})`;
    }
    newest = events.at(-1) ?? newest;
    onEvents?.(digest.events);
  }
  const head = newest && { id: newest.id, stream: newest.stream, revision: newest.revision };
  return { events: digest.events, digest: digest.value(), head, unknown };
}
