import { ConcurrencyConflict } from '../../commands/errors.ts';
import { commandDelivery } from '../../commands/webhooks/delivery.ts';
import { upcast } from '../../events/catalogue.ts';
import { uuidOf } from '../../events/ids.ts';
import type { Metadata } from '../../events/metadata.ts';
import { paginateAll } from '../../projections/engine/paginate.ts';
import {
  hadChosen,
  subscriptions,
  type SubscriptionDocument,
} from '../../projections/webhooks/subscriptions.ts';
import { NotYetVisible, visible } from '../../projections/engine/read-your-writes.ts';
import { StoreError } from '../../stores/errors.ts';
import {
  beginning,
  type ConsumedEvent,
  type RecordedEvent,
  type HandlerResult,
} from '../../stores/event-store/port.ts';
import { renderBody } from '../body.ts';
import { dispatcherContext, type DispatchContext } from '../context.ts';
import { recordErased } from '../attempt-outcome.ts';
import type { JobProgress } from '../../runtime/job.ts';
import { isReplaced } from '../../runtime/retry.ts';
import { announcedTypes, currentPayloadVersion, webhookEventOf, type PayloadSource } from '../payload.ts';
import { triesUntilParked } from '../policy.ts';

/** The consumer group that every dispatcher competes in. */
export const fanOutGroup = 'webhook-fan-out';

/** The event types of the group before it recorded since when each type counts. */
const firstAnnounced = ['ResourceApproved', 'ResourceRejected'];

/**
 * A store counts deliveries as attempts. Stopped processes, a stalled projector and outages use them up too, so the
 * fan-out decides itself when an event is parked.
 */
const neverParkedByStore = 1_000_000_000;

/** Shorter than the time after which a store delivers a consumer's events to another. */
const longestWaitMs = 10_000;
const laterMs = 1_000;

/**
 * Schedules one delivery of each announced event for each subscription of its team that had selected it when it
 * happened and is not deleted now. Idempotent: the delivery's id is derived from event and subscription, and its
 * stream must not exist. So a crash or several dispatchers at once neither duplicate nor lose a delivery.
 */
export async function fanOut(
  dispatching: DispatchContext,
  signal: AbortSignal,
  progress: JobProgress,
): Promise<void> {
  const results = new HandlerResults();
  const replaced = new AbortController();
  const told = (what: string, error: unknown) => {
    dispatching.onFault(what)(error);
    if (isReplaced(error)) replaced.abort(error);
  };
  await dispatching.store.consume(fanOutGroup, {
    filter: { types: announcedTypes },
    formerParts: firstAnnounced,
    onRepaired: dispatching.onRepaired,
    signal: AbortSignal.any([signal, replaced.signal]),
    maximumAttempts: neverParkedByStore,
    handle: async (consumed) => {
      try {
        if (!(await subscriptionsShow(dispatching, consumed, signal)))
          return consumed.map(() => later(signal));
      } catch (error) {
        told('webhook-fan-out', error);
        progress.failed(error);
        return consumed.map(() => later(signal));
      }
      progress.succeeded();
      const subscribersOf = rememberedByTeam((team) => subscriptionsOf(dispatching, team));
      return Promise.all(
        consumed.map(async (each): Promise<HandlerResult> => {
          try {
            return results.succeeded(each, await scheduleAll(dispatching, each.event, subscribersOf));
          } catch (error) {
            told(`fan-out of event ${each.event.id}`, error);
            return results.failed(each, error);
          }
        }),
      );
    },
  });
  if (replaced.signal.aborted) throw replaced.signal.reason;
}

/** Decides the result of each event, so that one that fails does not affect others in its batch. */
class HandlerResults {
  /** Failures of each event in this process, without transient ones. */
  readonly #failures = new Map<string, number>();

  succeeded({ event }: ConsumedEvent, scheduled: number): HandlerResult {
    this.#failures.delete(event.id);
    return { kind: 'ack', changed: scheduled > 0 };
  }

  failed({ event, attempt }: ConsumedEvent, error: unknown): HandlerResult {
    const reason = error instanceof Error ? error.message : String(error);
    const again: HandlerResult = { kind: 'retry', afterMs: Math.min(250 * 2 ** attempt, 30_000), reason };
    if (isTransient(error)) return again;
    const failures = (this.#failures.get(event.id) ?? 0) + 1;
    this.#failures.set(event.id, failures);
    if (failures < triesUntilParked) return again;
    this.#failures.delete(event.id);
    return { kind: 'park', reason };
  }
}

/** A stopping process gives unfinished events back at once, for other processes. */
const later = (signal: AbortSignal): HandlerResult => ({
  kind: 'retry',
  afterMs: signal.aborted ? 0 : laterMs,
  reason: 'The subscriptions read model does not show the event yet.',
});

/** Errors that pass by themselves and are not caused by the event. */
const isTransient = (error: unknown): boolean =>
  error instanceof ConcurrencyConflict ||
  (error instanceof StoreError && ['unavailable', 'full', 'replaced'].includes(error.code));

/** Caches by team: the events of one batch often belong to one team. */
function rememberedByTeam<Found>(find: (team: string) => Promise<Found>): (team: string) => Promise<Found> {
  const found = new Map<string, Promise<Found>>();
  return (team) => {
    const known = found.get(team) ?? find(team);
    found.set(team, known);
    return known;
  };
}

/** Returns how many deliveries were scheduled now. */
async function scheduleAll(
  dispatching: DispatchContext,
  event: RecordedEvent,
  subscribersOf: (team: string) => Promise<readonly SubscriptionDocument[]>,
): Promise<number> {
  const source = upcast(event) as PayloadSource;
  let scheduled = 0;
  for (const each of await subscribersOf(source.data.team)) {
    if (await schedule(dispatching, each, event)) scheduled += 1;
  }
  return scheduled;
}

/**
 * Waits until the subscriptions read model has reached these events. Returns false after a limit: a slow projection
 * must not count as a failure of the event, and a stalled one must not block stopping.
 */
async function subscriptionsShow(
  { documents }: DispatchContext,
  consumed: readonly ConsumedEvent[],
  signal: AbortSignal,
): Promise<boolean> {
  const position = consumed.reduce(
    (newest, { event }) => (event.position > newest ? event.position : newest),
    beginning,
  );
  const deadline = performance.now() + longestWaitMs;
  while (!signal.aborted && performance.now() < deadline) {
    try {
      await visible(documents, [subscriptions.collection.name], position, 250);
      return true;
    } catch (error) {
      if (!(error instanceof NotYetVisible)) throw error;
    }
  }
  return false;
}

function subscriptionsOf({ documents }: DispatchContext, team: string): Promise<SubscriptionDocument[]> {
  const query = { where: { team }, orderBy: ['subscription'] } as const;
  return paginateAll(documents.collection(subscriptions.collection), query);
}

/** Schedules one delivery. Returns whether it is new. */
async function schedule(
  dispatching: DispatchContext,
  subscription: SubscriptionDocument,
  event: RecordedEvent,
): Promise<boolean> {
  const { store, now } = dispatching;
  const name = webhookEventOf(event.type);
  if (!name || subscription.status === 'deleted' || !hadChosen(subscription, name, event.position))
    return false;
  const metadata = event.metadata as unknown as Metadata;
  const delivery = uuidOf('delivery', event.id, subscription.subscription);
  const body = await renderBody(dispatching, {
    event: name,
    deliveryId: delivery,
    occurredAt: metadata.at,
    payloadVersion: currentPayloadVersion,
    source: event,
  });
  const data = {
    delivery,
    subscription: subscription.subscription,
    team: subscription.team,
    event: name,
    source: { stream: event.stream, revision: event.revision, event_id: event.id },
    occurred_at: metadata.at,
    payload_version: currentPayloadVersion,
    ...(body.kind === 'rendered' ? body.digest : {}),
  };
  const context = dispatcherContext(uuidOf('schedule', delivery), now(), {
    correlationId: metadata.correlation_id,
    causationId: event.id,
  });
  const { events, repeated } = await commandDelivery(store, delivery, { kind: 'schedule', data }, context);
  if (body.kind === 'erased') await recordErased(dispatching, delivery, 0);
  return events.length > 0 && !repeated;
}
