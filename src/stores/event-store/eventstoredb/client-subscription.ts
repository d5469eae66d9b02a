import {
  eventTypeFilter,
  streamNameFilter,
  type EventStoreDBClient,
  type Filter,
  type ResolvedEvent,
} from '@eventstore/db-client';
import type { Position } from '../port.ts';
import { ignored } from './client-errors.ts';
import { buffering, entryOf, type Entry } from './entry.ts';
import type { ServerFilter } from './namespace.ts';

/** Callbacks of a subscription, in the order of the log. */
export interface FeedListener {
  entry(entry: Entry): void;
  /** The server has scanned everything before this position and sent all matches. */
  scannedTo(place: Position): void;
  caughtUp(): void;
  /** The subscription has ended. */
  failed(error: unknown): void;
}

export interface Feed {
  pause(): void;
  resume(): void;
  close(): void;
}

/** Entries that the server scans between two progress reports. */
const scanWindow = 256;

/** Matching entries after a position, and then new ones. */
export function subscribeToAll(
  client: EventStoreDBClient,
  after: Position | 'start',
  filter: ServerFilter,
  listener: FeedListener,
): Feed {
  // The callback may run before earlier entries are emitted, so it waits for them.
  let scanned: Position | undefined;
  const tellScanned = () => {
    if (scanned === undefined || subscription.readableLength > 0) return;
    listener.scannedTo(scanned);
    scanned = undefined;
  };
  const subscription = client.subscribeToAll(
    {
      fromPosition: after === 'start' ? 'start' : { commit: after, prepare: after },
      filter: filterOf(filter, (place) => {
        scanned = place;
        tellScanned();
      }),
      requiresLeader: true,
    },
    buffering,
  );
  let over = false;
  const end = (error: unknown) => {
    if (over) return;
    over = true;
    listener.failed(error);
  };
  subscription.on('data', ({ event }: ResolvedEvent) => {
    if (over) return;
    try {
      if (event) listener.entry(entryOf(event));
    } catch (error) {
      subscription.unsubscribe().catch(ignored);
      end(error);
      return;
    }
    tellScanned();
  });
  subscription.on('caughtUp', () => {
    if (!over) listener.caughtUp();
  });
  subscription.on('error', end);
  subscription.on('end', () => end(new Error('the server ended the subscription')));
  return {
    pause: () => subscription.pause(),
    resume: () => subscription.resume(),
    close: () => {
      over = true;
      subscription.unsubscribe().catch(ignored);
      subscription.resume();
    },
  };
}

/** The filter of a request, with a callback for the progress of the server's scan. */
export function filterOf(filter: ServerFilter, scannedTo?: (place: Position) => void): Filter {
  const how = {
    maxSearchWindow: scanWindow,
    checkpointInterval: 1,
    ...(scannedTo && {
      checkpointReached: (_: unknown, { commit }: { commit: Position }) => scannedTo(commit),
    }),
  };
  if (filter.on === 'type') return eventTypeFilter({ ...how, regex: filter.regex });
  if ('regex' in filter) return streamNameFilter({ ...how, regex: filter.regex });
  return streamNameFilter({ ...how, prefixes: [...filter.prefixes] });
}
