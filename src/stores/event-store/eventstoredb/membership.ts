import {
  persistentSubscriptionToAllSettingsFromDefaults,
  type EventStoreDBClient,
  type ResolvedEvent,
} from '@eventstore/db-client';
import type { Position } from '../port.ts';
import { buffering, entryOf, type Entry } from './entry.ts';
import { failureOf, answered, ignored, silenceMs } from './client-errors.ts';
import type { ServerFilter } from './namespace.ts';
import { filterOf } from './client-subscription.ts';

export interface GroupListener {
  delivered(entry: Entry, retryCount: number): void;
  /** The membership is lost: unacknowledged events go to other consumers. */
  failed(error: unknown): void;
}

/** One consumer's membership in a group. */
export interface Membership {
  /** The server's count of events in flight with this consumer. Undefined when the server does not know it. */
  out(): Promise<number | undefined>;
  acknowledge(eventIds: readonly string[]): void;
  giveBack(eventId: string, reason: string): void;
  /** Leaves the group. Unacknowledged events go to other consumers. */
  leave(): void;
}

/** Creates a group that begins after a position. */
export async function createGroup(
  client: EventStoreDBClient,
  name: string,
  filter: ServerFilter,
  after: Position | 'start',
): Promise<void> {
  await answered(
    silenceMs,
    client.createPersistentSubscriptionToAll(
      name,
      persistentSubscriptionToAllSettingsFromDefaults({
        // The default would be the end of the log.
        startFrom: after === 'start' ? after : { commit: after, prepare: after },
        resolveLinkTos: false,
        consumerStrategyName: 'RoundRobin',
        // We count attempts and park events ourselves: the server also counts deliveries to consumers that died.
        maxRetryCount: 1_000_000,
        // Longer than any handler takes. Dead consumers are noticed by their connection.
        messageTimeout: 300_000,
        // A checkpoint is itself an entry of the log, which every group counts: with a low bound a few idle
        // groups would trigger each other for ever. Events after the last checkpoint are delivered again when the
        // server restarts.
        checkPointAfter: 2_000,
        checkPointLowerBound: 50,
        checkPointUpperBound: 500,
        readBatchSize: 200,
        historyBufferSize: 1_000,
        liveBufferSize: 1_000,
      }),
      { filter: filterOf(filter), requiresLeader: true },
    ),
  );
}

/** Joins a group, with at most `held` events in flight. */
export function joinGroup(
  client: EventStoreDBClient,
  name: string,
  held: number,
  listener: GroupListener,
): Membership {
  const subscription = client.subscribeToPersistentSubscriptionToAll(
    name,
    { bufferSize: held, requiresLeader: true },
    buffering,
  );
  let over = false;
  const end = (error: unknown) => {
    if (over) return;
    over = true;
    listener.failed(error);
  };
  subscription.on('data', ({ event, retryCount }) => {
    if (over || !event) return;
    try {
      listener.delivered(entryOf(event), retryCount);
    } catch (error) {
      subscription.unsubscribe().catch(ignored);
      end(error);
    }
  });
  subscription.on('error', end);
  subscription.on('end', () => end(new Error('the server ended the subscription')));
  return {
    out: async () => {
      const info = await answered(silenceMs, client.getPersistentSubscriptionToAllInfo(name));
      const ours = info.connections.filter((each) => each.connectionName === client.connectionName);
      return ours.length === 0
        ? undefined
        : ours.reduce((sum, { inFlightMessages }) => sum + inFlightMessages, 0);
    },
    // A lost acknowledgement causes another delivery.
    acknowledge: (eventIds) => {
      if (!over) subscription.ack(...eventIds.map(withId)).catch(ignored);
    },
    giveBack: (eventId, reason) => {
      if (!over) subscription.nack('retry', reason, withId(eventId)).catch(ignored);
    },
    leave: () => {
      over = true;
      subscription.unsubscribe().catch(ignored);
    },
  };
}

/** A group, as the server lists it. */
export interface Group {
  readonly name: string;
  /** Events that are with a consumer. */
  readonly inFlight: number;
}

/** All groups over the whole log. */
export async function listGroups(client: EventStoreDBClient): Promise<Group[]> {
  try {
    const groups = await answered(silenceMs, client.listPersistentSubscriptionsToAll());
    return groups.map(({ groupName, stats }) => ({
      name: groupName,
      inFlight: stats.totalInFlightMessages,
    }));
  } catch (error) {
    if (failureOf(error).kind === 'no_group') return [];
    throw error;
  }
}

/** The only part of an event that the client library needs for an acknowledgement. */
const withId = (id: string): ResolvedEvent => ({ event: { id } }) as unknown as ResolvedEvent;
