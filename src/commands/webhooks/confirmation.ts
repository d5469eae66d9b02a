import { streamName } from '../../events/define.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { deliveryStream } from '../../events/webhooks/webhook.ts';
import type { SubscriptionEvent } from '../../events/webhooks/webhook.ts';
import type { EventStore, Position } from '../../stores/event-store/port.ts';
import { execute, load, type Outcome } from '../command-handler.ts';
import { delivery } from './delivery.ts';
import { subscription, type SubscriptionState, type TestedBy } from './subscription.ts';

/**
 * Makes a subscription that the service had paused active again, on the word of a test delivery. The delivery is read
 * from its stream: it must have been accepted, and scheduled after the newest change of the subscription.
 *
 * @throws CommandRefused saying what is missing
 */
export function confirmHealth(
  store: EventStore,
  subscriptionId: string,
  deliveryId: string,
  context: CommandContext,
): Promise<Outcome<SubscriptionState, SubscriptionEvent>> {
  return execute(
    store,
    subscription,
    subscriptionId,
    async (_, changedAt) =>
      ({ kind: 'confirm', test: await testedBy(store, deliveryId, changedAt) }) as const,
    context,
  );
}

async function testedBy(store: EventStore, deliveryId: string, changedAt: Position): Promise<TestedBy> {
  const [scheduled] = await store.readStream(streamName(deliveryStream, deliveryId), { limit: 1 });
  const { state } = await load(store, delivery, deliveryId);
  return {
    delivery: deliveryId,
    isTest: state?.scheduled.test === true,
    isCurrent: scheduled !== undefined && scheduled.position > changedAt,
    ...(state && { subscription: state.scheduled.subscription, status: state.status }),
  };
}
