import { randomUUID } from 'node:crypto';
import { deliveryIdOf, scheduleDelivery } from '../commands/webhooks/delivery.ts';
import { streamName } from '../events/define.ts';
import type { Metadata } from '../events/metadata.ts';
import { eventIdOf } from '../events/new-event.ts';
import { deliveryStream } from '../events/webhooks/webhook.ts';
import { type WebhookEvent } from '../events/webhooks/webhook-events.ts';
import { hadChosen, type SubscriptionDocument } from '../projections/webhooks/subscriptions.ts';
import type { RecordedEvent } from '../stores/event-store/port.ts';
import { recordErased } from './attempts/attempt-outcome.ts';
import { endReversedBy } from './attempts/reversal.ts';
import { renderBody } from './body.ts';
import { becauseOf, dispatcherContext, type DispatchContext } from './context.ts';
import { currentPayloadVersion, webhookEventOf } from './payload-of-event.ts';

/**
 * Schedules the delivery of an event to a subscription, if it had chosen the event when it happened and is not deleted
 * now. Returns whether the delivery is new. The reversal of a payment also ends what still waits to report the payment.
 */
export async function schedule(
  dispatching: Scheduling,
  subscription: SubscriptionDocument,
  event: RecordedEvent,
): Promise<boolean> {
  if (event.type === 'PaymentReversed') await endReversedBy(dispatching, subscription.subscription, event);
  const name = webhookEventOf(event.type);
  if (!name || subscription.status === 'deleted' || !hadChosen(subscription, name, event.position))
    return false;
  return scheduleChosen(dispatching, subscription, event, name);
}

type Scheduling = Pick<DispatchContext, 'store' | 'personal' | 'now' | 'onScheduled'>;

/** The same, whatever the subscription had chosen then. `requestedBy`: when not the event itself is the reason. */
export async function scheduleChosen(
  dispatching: Scheduling,
  { subscription, team }: Pick<SubscriptionDocument, 'subscription' | 'team'>,
  event: RecordedEvent,
  name: WebhookEvent,
  requestedBy?: 'replay',
): Promise<boolean> {
  const { store, now } = dispatching;
  const metadata = event.metadata as unknown as Metadata;
  const delivery = deliveryIdOf(event.id, subscription);
  const body = await renderBody(dispatching, {
    event: name,
    deliveryId: delivery,
    occurredAt: metadata.at,
    payloadVersion: currentPayloadVersion,
    source: event,
  });
  const data = {
    delivery,
    subscription,
    team,
    event: name,
    source: { stream: event.stream, revision: event.revision, event_id: event.id },
    ...(requestedBy && { asked_by: requestedBy }),
    occurred_at: metadata.at,
    payload_version: currentPayloadVersion,
    ...(body.kind === 'rendered' ? body.digest : {}),
  };
  // A new id each time: the store would take a repeat of the same one for a success, and we could not tell that it is none.
  const context = dispatcherContext(randomUUID(), now(), becauseOf(event));
  const position = await scheduleDelivery(store, data, context);
  const causationId = eventIdOf(streamName(deliveryStream, delivery), 0, context);
  const because = { ...becauseOf(event), ...(position === undefined ? {} : { causationId }) };
  if (body.kind === 'erased') await recordErased(dispatching, delivery, { revision: 0, because });
  else if (position !== undefined)
    dispatching.onScheduled?.({ ...data, because, ...(body.holder ? {} : { body: body.body }) }, position);
  return position !== undefined;
}
