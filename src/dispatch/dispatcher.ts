import { isOurs, upcast } from '../events/catalogue.ts';
import { streamId } from '../events/define.ts';
import {
  deliveryStream,
  subscriptionStream,
  type DeliveryEvent,
  type SubscriptionEvent,
} from '../events/webhook.ts';
import { deliveries } from '../projections/deliveries.ts';
import { each } from '../projections/every.ts';
import { beginning, type Position, type RecordedEvent } from '../stores/event-store/port.ts';
import { attempt, recordInterrupted } from './attempt.ts';
import type { Dispatching } from './context.ts';
import { fanOut } from './fan-out.ts';
import { Lanes } from './lanes.ts';
import { notes } from './notes.ts';

export const dispatcherLease = 'dispatcher';

/**
 * Sends webhooks while it holds the dispatcher lease: settles what a predecessor left half done, takes up every
 * pending delivery, and then follows the log. Resolves when the signal aborts and the attempts under way have
 * ended.
 */
export async function dispatch(dispatching: Dispatching, signal: AbortSignal): Promise<void> {
  const lease = await dispatching.leases.acquire(dispatcherLease, signal);
  if (!lease) return;
  const failed = new AbortController();
  const ends = AbortSignal.any([signal, lease.lost, failed.signal]);
  const lanes = new Lanes({
    attempt: (deliveryId) => attempt(dispatching, deliveryId),
    onFault: (deliveryId, error) => dispatching.onFault(`delivery ${deliveryId}`)(error),
    now: dispatching.now,
  });
  try {
    for (const { id, value } of await notes(dispatching.side).list())
      await recordInterrupted(dispatching, id, value);
    const from = await takeUpPending(dispatching, lanes);
    await Promise.all([fanOut(dispatching, ends), follow(dispatching, lanes, from, ends)]);
  } finally {
    // When one part has failed, the other must not go on after the lease is given back.
    failed.abort();
    await lanes.close();
    await dispatching.sender.close();
    await lease.release();
  }
}

/** Takes up what the read model shows as pending; answers the position from which the log must be followed. */
async function takeUpPending({ documents }: Dispatching, lanes: Lanes): Promise<Position> {
  // The place is taken first: what changes while the pages are read is met again in the log, and does no harm.
  const { checkpoint } = (await documents.progress()).get(deliveries.collection.name) ?? {
    checkpoint: beginning,
  };
  const pending = { where: { status: 'pending' }, orderBy: ['next_attempt_at', 'delivery'] } as const;
  for await (const doc of each(documents.collection(deliveries.collection), pending)) {
    lanes.add(doc.subscription, doc.delivery, new Date(doc.next_attempt_at));
  }
  return checkpoint;
}

async function follow(
  { store }: Dispatching,
  lanes: Lanes,
  after: Position,
  signal: AbortSignal,
): Promise<void> {
  const types = [
    ...(deliveries.events ?? []),
    'SubscriptionResumed',
    'SubscriptionUrlChanged',
    'SubscriptionDeleted',
  ];
  for await (const { events } of store.subscribe({ after, filter: { types }, signal })) {
    for (const event of events) if (isOurs(event)) take(lanes, event);
  }
}

function take(lanes: Lanes, recorded: RecordedEvent): void {
  const event = upcast(recorded) as DeliveryEvent | SubscriptionEvent;
  const { subscription } = event.data;
  const delivery = streamId(recorded, deliveryStream);
  switch (event.type) {
    case 'DeliveryScheduled':
    case 'DeliveryResent':
      lanes.add(subscription, delivery, new Date(0));
      break;
    case 'DeliveryAttemptFailed':
      lanes.add(subscription, delivery, new Date(event.data.next_attempt_at));
      break;
    case 'DeliverySucceeded':
    case 'DeliveryFailed':
    case 'DeliveryDiscarded':
      lanes.remove(subscription, delivery);
      break;
    case 'SubscriptionResumed':
    case 'SubscriptionUrlChanged':
    case 'SubscriptionDeleted':
      lanes.release(streamId(recorded, subscriptionStream));
      break;
    // What `follow` does not ask for: nothing that is held would be sent now.
    case 'SubscriptionCreated':
    case 'SubscriptionEventsChosen':
    case 'SubscriptionPaused':
    case 'SubscriptionAutoPaused':
    case 'SubscriptionSecretRotated':
      break;
  }
}
