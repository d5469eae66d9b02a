import { createHash } from 'node:crypto';
import { ConcurrencyConflict } from '../commands/errors.ts';
import { commandDelivery } from '../commands/webhooks/delivery.ts';
import { upcast } from '../events/catalogue.ts';
import { uuidOf } from '../events/ids.ts';
import type { Metadata } from '../events/metadata.ts';
import { paginateAll } from '../projections/engine/paginate.ts';
import {
  hadChosen,
  subscriptions,
  type SubscriptionDocument,
} from '../projections/webhooks/subscriptions.ts';
import { NotYetVisible, visible } from '../projections/engine/read-your-writes.ts';
import { StoreError } from '../stores/errors.ts';
import {
  beginning,
  type ConsumedEvent,
  type RecordedEvent,
  type HandlerResult,
} from '../stores/event-store/port.ts';
import { dispatcherContext, type DispatchContext } from './context.ts';
import type { JobProgress } from '../runtime/job.ts';
import { isReplaced } from '../runtime/retry.ts';
import {
  announcedTypes,
  currentPayloadVersion,
  renderPayload,
  webhookEventOf,
  type PayloadSource,
} from './payload.ts';

/** The consumer group that every dispatcher competes in. */
export const fanOutGroup = 'webhook-fan-out';

/** What subscribers were told of before the group noted since when each type is announced. */
const firstAnnounced = ['ResourceApproved', 'ResourceRejected'];

/** After so many failures of an event's own, seen by one process, it is set aside for a person to look at. */
const ownFailuresUntilParked = 10;

/**
 * What a store counts as attempts are hand-outs. A process that was stopped, a projector that stood still and a
 * store that was away use them up as well, so it is for us to say when an event is parked.
 */
const neverParkedByStore = 1_000_000_000;

/** Below the time after which a store takes a consumer for dead and hands its events to another. */
const longestWaitMs = 10_000;
const laterMs = 1_000;

/**
 * Turns every announced event into one delivery for each subscription of its team that had chosen it when it
 * happened and is not deleted now. The delivery's id follows from event and subscription, and its stream may
 * not exist yet: whoever crashes here and runs again schedules none twice and leaves none out, and any number
 * of dispatchers may do so at once.
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

/** What becomes of each event. One that cannot be fanned out does not take those beside it along. */
class HandlerResults {
  /** Failures of an event's own, seen by this process. */
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
    if (failures < ownFailuresUntilParked) return again;
    this.#failures.delete(event.id);
    return { kind: 'park', reason };
  }
}

/** Whoever ends gives back at once what somebody else may get further with. */
const later = (signal: AbortSignal): HandlerResult => ({
  kind: 'retry',
  afterMs: signal.aborted ? 0 : laterMs,
  reason: 'The subscriptions read model does not show the event yet.',
});

/** Passes by itself, and says nothing about the event. */
const isTransient = (error: unknown): boolean =>
  error instanceof ConcurrencyConflict ||
  (error instanceof StoreError && ['unavailable', 'full', 'replaced'].includes(error.code));

/** The events of one batch are often of one team. */
function rememberedByTeam<Found>(find: (team: string) => Promise<Found>): (team: string) => Promise<Found> {
  const found = new Map<string, Promise<Found>>();
  return (team) => {
    const known = found.get(team) ?? find(team);
    found.set(team, known);
    return known;
  };
}

/** Answers how many deliveries had not been scheduled before. */
async function scheduleAll(
  dispatching: DispatchContext,
  event: RecordedEvent,
  subscribersOf: (team: string) => Promise<readonly SubscriptionDocument[]>,
): Promise<number> {
  const source = upcast(event) as PayloadSource;
  let scheduled = 0;
  for (const each of await subscribersOf(source.data.team)) {
    if (await schedule(dispatching, each, event, source)) scheduled += 1;
  }
  return scheduled;
}

/**
 * Waits until the subscriptions read model shows everything up to these events, whoever projects; whether it
 * does. A slow projection is no fault of the event's, and one that stands still must not keep us from ending.
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

/** Whether there is a delivery now that was not there before. */
async function schedule(
  { store, now }: DispatchContext,
  subscription: SubscriptionDocument,
  event: RecordedEvent,
  source: PayloadSource,
): Promise<boolean> {
  const name = webhookEventOf(event.type);
  if (!name || subscription.status === 'deleted' || !hadChosen(subscription, name, event.position))
    return false;
  const metadata = event.metadata as unknown as Metadata;
  const delivery = uuidOf('delivery', event.id, subscription.subscription);
  const body = renderPayload(currentPayloadVersion, {
    event: name,
    deliveryId: delivery,
    occurredAt: metadata.at,
    source,
  });
  const data = {
    delivery,
    subscription: subscription.subscription,
    team: subscription.team,
    event: name,
    source: { stream: event.stream, revision: event.revision, event_id: event.id },
    occurred_at: metadata.at,
    payload_version: currentPayloadVersion,
    body_sha256: createHash('sha256').update(body).digest('hex'),
  };
  const context = dispatcherContext(uuidOf('schedule', delivery), now(), {
    correlationId: metadata.correlation_id,
    causationId: event.id,
  });
  const { events, repeated } = await commandDelivery(store, delivery, { kind: 'schedule', data }, context);
  return events.length > 0 && !repeated;
}
