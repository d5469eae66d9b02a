import { Command } from 'commander';
import { z } from 'zod';
import { CommandRefused } from '../ground/refusals.ts';
import { definitionOf, streams } from '../events/catalogue.ts';
import type { Metadata } from '../events/metadata.ts';
import {
  beginning,
  pagesOf,
  type EventFilter,
  type EventStore,
  type RecordedEvent,
} from '../stores/event-store/port.ts';
import { withStores, type CommandLine } from './command-line.ts';
import { suggestions } from '../ground/suggestions.ts';
import { option } from './options.ts';

interface EventsOptions {
  readonly stream?: string;
  readonly type?: string;
  readonly after?: string;
  readonly follow?: boolean;
  readonly json?: boolean;
}

export function eventsCommand(line: CommandLine): Command {
  return new Command('events')
    .description(
      'List the event log, oldest first. Events of other installations in the same store are not shown.',
    )
    .option('--stream <name>', 'only events of this stream')
    .option('--type <type>', 'only events of this type')
    .option('--after <position>', 'only events after this position')
    .option('--follow', 'keep running, and print new events')
    .action((options: EventsOptions) => {
      if (options.type !== undefined) requireType(options.type);
      return withStores(line, async ({ store }) => {
        const stop = new AbortController();
        process.once('SIGINT', () => stop.abort());
        process.once('SIGTERM', () => stop.abort());
        for await (const events of requestedEvents(store, options, stop.signal)) {
          for (const event of events)
            if (isWanted(options, event)) console.log(options.json ? asJson(event) : asLine(event));
        }
      });
    });
}

/** @throws CommandRefused not_found: for an unknown event type */
function requireType(type: string): void {
  if (definitionOf(type)) return;
  const near = suggestions(type, eventTypes);
  const hint = near.length > 0 ? `Did you mean ${near.join(', ')}?` : 'docs/events.md lists them all.';
  throw new CommandRefused('not_found', `There is no event type ${type}. ${hint}`);
}

const eventTypes = streams.flatMap(({ events }) => Object.keys(events));

async function* requestedEvents(
  store: EventStore,
  { stream, type, after: start, follow }: EventsOptions,
  signal: AbortSignal,
): AsyncGenerator<readonly RecordedEvent[]> {
  const after = option('--after', z.coerce.bigint({ message: 'must be a position' }), start ?? beginning);
  const filter: EventFilter | undefined = type
    ? { types: [type] }
    : stream
      ? { streamPrefixes: [stream] }
      : undefined;
  const narrowed = filter ? { filter } : {};
  if (stream !== undefined && !follow) {
    yield (await store.readStream(stream)).filter((event) => event.position > after);
    return;
  }
  if (follow) {
    for await (const batch of store.subscribe({ after, ...narrowed, signal })) yield batch.events;
    return;
  }
  for await (const { events } of pagesOf(store, { after, ...narrowed, limit: 1_000 })) {
    if (signal.aborted) return;
    yield events;
  }
}

const isWanted = ({ stream, type }: EventsOptions, event: RecordedEvent): boolean =>
  (stream === undefined || event.stream === stream) && (type === undefined || event.type === type);

const asJson = (event: RecordedEvent): string =>
  JSON.stringify(event, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));

function asLine(event: RecordedEvent): string {
  const place = `${event.position.toString().padStart(8)}  ${event.stream}@${event.revision}`;
  const { at, actor } = event.metadata as unknown as Metadata;
  return `${place}  ${at}  ${actor.kind}:${actor.id}  ${event.type}  ${JSON.stringify(event.data)}`;
}
