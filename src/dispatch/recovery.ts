import { upcast } from '../events/catalogue.ts';
import { streamId } from '../events/define.ts';
import { deliveryStream, type DeliveryEvent } from '../events/webhooks/webhook.ts';
import { deliveries } from '../projections/webhooks/deliveries.ts';
import { paginate } from '../projections/engine/paginate.ts';
import { beginning, type Position } from '../stores/event-store/port.ts';
import type { DispatchContext } from './context.ts';

export interface Pending {
  readonly subscription: string;
  readonly delivery: string;
  readonly dueAt: Date;
}

/**
 * Every delivery that was pending at position `upTo`, and perhaps some that no longer are: each attempt reads its
 * stream. Events that the read model does not show yet are read from the log, so that a slow or stalled projection
 * delays nothing.
 */
export async function* pendingDeliveries(
  { store, documents }: DispatchContext,
  upTo: Position,
): AsyncGenerator<Pending> {
  const name = deliveries.collection.name;
  const { generation, checkpoint } = (await documents.progress()).get(name) ?? {};
  const pending = { where: { status: 'pending' }, orderBy: ['next_attempt_at', 'delivery'] } as const;
  for await (const doc of paginate(documents.collection(deliveries.collection), pending)) {
    const { subscription, delivery: id, next_attempt_at } = doc;
    yield { subscription, delivery: id, dueAt: new Date(next_attempt_at) };
  }
  // When the generation was switched during the read, its checkpoint is unknown: reads the whole log instead.
  const same = (await documents.progress()).get(name)?.generation === generation;
  yield* pendingInLog(store, same ? (checkpoint ?? beginning) : beginning, upTo);
}

/** Deliveries that are pending after a range of events. */
async function* pendingInLog(
  store: DispatchContext['store'],
  after: Position,
  upTo: Position,
): AsyncGenerator<Pending> {
  const found = new Map<string, Pending>();
  const filter = { types: deliveries.events };
  for (let at = after; at < upTo;) {
    const { events, position } = await store.readAll({ after: at, filter, limit: 1_000 });
    for (const recorded of events) {
      const event = upcast(recorded) as DeliveryEvent;
      const id = streamId(recorded, deliveryStream);
      const pendingFrom = dueAfter(event);
      if (pendingFrom === undefined) found.delete(id);
      else found.set(id, { subscription: event.data.subscription, delivery: id, dueAt: pendingFrom });
    }
    if (position <= at) break;
    at = position;
  }
  yield* found.values();
}

/** When a delivery is due after this event. Undefined when nothing more is to be sent. */
export function dueAfter(event: DeliveryEvent): Date | undefined {
  switch (event.type) {
    case 'DeliveryScheduled':
    case 'DeliveryResent':
      return new Date(0);
    case 'DeliveryAttemptFailed':
      return new Date(event.data.next_attempt_at);
    case 'DeliverySucceeded':
    case 'DeliveryFailed':
    case 'DeliveryDiscarded':
    case 'DeliveryParked':
    case 'DeliveryExpired':
      return undefined;
  }
}
