import { createHash } from 'node:crypto';
import { commandDelivery } from '../commands/delivery.ts';
import { isOurs, upcast } from '../events/catalogue.ts';
import { uuidOf } from '../events/ids.ts';
import type { Metadata } from '../events/metadata.ts';
import { every } from '../projections/every.ts';
import { hadChosen, subscriptions, type SubscriptionDocument } from '../projections/subscriptions.ts';
import { NotYetVisible, visible } from '../projections/views.ts';
import type { ConsumedEvent, RecordedEvent } from '../stores/event-store/port.ts';
import { asDispatcher, type Dispatching } from './context.ts';
import {
  announcedTypes,
  currentPayloadVersion,
  renderPayload,
  webhookEventOf,
  type PayloadSource,
} from './payload.ts';

/** The consumer group that every dispatcher competes in. */
export const fanOutGroup = 'webhook-fan-out';

/**
 * Turns every announced event into one delivery for each subscription of its team that had chosen it when it
 * happened and is not deleted now. The delivery's id follows from event and subscription, and its stream may
 * not exist yet: whoever crashes here and runs again schedules none twice and leaves none out.
 */
export function fanOut(dispatching: Dispatching, signal: AbortSignal): Promise<void> {
  return dispatching.store.consume(fanOutGroup, {
    filter: { types: announcedTypes },
    signal,
    handle: async (consumed) => {
      await untilSubscriptionsShow(dispatching, consumed, signal);
      const byTeam = new Map<string, Promise<SubscriptionDocument[]>>();
      await Promise.all(
        consumed.map(async ({ event }) => {
          // Another product's event may bear the same name in a shared store.
          if (!isOurs(event)) return;
          const source = upcast(event) as PayloadSource;
          const { team } = source.data;
          const subscribers = byTeam.get(team) ?? subscriptionsOf(dispatching, team);
          byTeam.set(team, subscribers);
          for (const each of await subscribers) await schedule(dispatching, each, event, source);
        }),
      );
      return consumed.map(() => ({ kind: 'ack' }));
    },
  });
}

/** A slow projection is no fault of the event's: it costs no attempt. */
async function untilSubscriptionsShow(
  { documents }: Dispatching,
  consumed: readonly ConsumedEvent[],
  signal: AbortSignal,
): Promise<void> {
  const position = consumed.reduce(
    (newest, { event }) => (event.position > newest ? event.position : newest),
    -1n,
  );
  for (;;) {
    try {
      await visible(documents, [subscriptions.collection.name], position, 500);
      return;
    } catch (error) {
      if (!(error instanceof NotYetVisible) || signal.aborted) throw error;
    }
  }
}

function subscriptionsOf({ documents }: Dispatching, team: string): Promise<SubscriptionDocument[]> {
  const query = { where: { team }, orderBy: ['subscription'] } as const;
  return every(documents.collection(subscriptions.collection), query);
}

async function schedule(
  { store, now }: Dispatching,
  subscription: SubscriptionDocument,
  event: RecordedEvent,
  source: PayloadSource,
): Promise<void> {
  const name = webhookEventOf(event.type);
  if (!name || subscription.status === 'deleted' || !hadChosen(subscription, name, event.position)) return;
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
  const context = asDispatcher(uuidOf('schedule', delivery), now(), {
    correlationId: metadata.correlation_id,
    causationId: event.id,
  });
  await commandDelivery(store, delivery, { kind: 'schedule', data }, context);
}
