import { load, loadNewest, type Outcome } from '../../commands/command-handler.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { confirmHealth } from '../../commands/webhooks/confirmation.ts';
import { commandDelivery, delivery, type DeliveryState } from '../../commands/webhooks/delivery.ts';
import { subscription, type SubscriptionState } from '../../commands/webhooks/subscription.ts';
import { streamName } from '../../events/define.ts';
import { uuidOf } from '../../events/ids.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { eventIdOf } from '../../events/new-event.ts';
import { deliveryStream, type DeliveryEvent, type SubscriptionEvent } from '../../events/webhooks/webhook.ts';
import { type WebhookEvent } from '../../events/webhooks/webhook-events.ts';
import type { Position } from '../../stores/event-store/port.ts';
import { renderBody } from '../body.ts';
import type { DispatchContext } from '../context.ts';
import { waitingTests } from '../lanes/waiting-tests.ts';
import { testPayloadVersion } from '../payload-of-event.ts';
import { confirmationWaitMs, heldMs } from '../delivery-policy.ts';

type Part = Pick<DispatchContext, 'store' | 'personal' | 'side'>;

/** A test delivery that was scheduled. */
export interface TestDelivery {
  readonly delivery: string;
  readonly event: WebhookEvent;
  readonly outcome: Outcome<DeliveryState | undefined, DeliveryEvent>;
}

/**
 * Schedules a test delivery: the published example of an event, sent once, also while the subscription is paused.
 * Without `event`, the first one that the subscription has chosen. @throws CommandRefused not_found
 */
export async function scheduleTest(
  dispatching: Part,
  {
    subscriptionId,
    event: chosen,
  }: { readonly subscriptionId: string; readonly event?: WebhookEvent | undefined },
  context: CommandContext,
): Promise<TestDelivery> {
  const { store, side } = dispatching;
  const current = await loadNewest(store, subscription, subscriptionId);
  const event = chosen ?? current?.events[0];
  if (!current || current.status === 'deleted' || event === undefined)
    throw new CommandRefused('not_found', 'There is no such webhook.');
  const deliveryId = uuidOf('test-delivery', context.commandId);
  const occurredAt = context.at.toISOString();
  const body = await renderBody(dispatching, {
    event,
    deliveryId,
    occurredAt,
    payloadVersion: testPayloadVersion,
    test: true,
  });
  const data = {
    delivery: deliveryId,
    subscription: subscriptionId,
    team: current.team,
    event,
    test: true as const,
    occurred_at: occurredAt,
    payload_version: testPayloadVersion,
    ...(body.kind === 'rendered' ? body.digest : {}),
  };
  const waiting = { subscription: subscriptionId, team: current.team };
  await waitingTests(side).put(deliveryId, waiting, new Date(context.at.getTime() + heldMs));
  const outcome = await commandDelivery(store, deliveryId, { kind: 'schedule', data }, context);
  return { delivery: deliveryId, event, outcome };
}

/** The state of a delivery as soon as it is no longer pending, or after `withinMs` as it is then. */
export async function settledDelivery(
  { store }: Pick<DispatchContext, 'store'>,
  deliveryId: string,
  scheduledAt: Position,
  withinMs: number = confirmationWaitMs,
): Promise<DeliveryState | undefined> {
  const streamPrefixes = [streamName(deliveryStream, deliveryId)];
  const signal = AbortSignal.timeout(withinMs);
  for await (const { events } of store.subscribe({
    after: scheduledAt,
    filter: { streamPrefixes },
    signal,
  })) {
    if (events.length === 0) continue;
    const { state } = await load(store, delivery, deliveryId);
    if (state?.status !== 'pending') return state;
  }
  return (await load(store, delivery, deliveryId)).state;
}

/**
 * Confirms that the receiver of a subscription works that the service had paused: sends a test delivery, waits for its
 * outcome, and makes the subscription active when it was accepted.
 *
 * @throws CommandRefused when it was not accepted, or not sent in time
 */
export async function confirmWithTest(
  dispatching: Part,
  subscriptionId: string,
  contexts: { readonly test: CommandContext; readonly confirm: CommandContext },
  withinMs?: number,
): Promise<{
  readonly delivery: string;
  readonly outcome: Outcome<SubscriptionState, SubscriptionEvent>;
}> {
  const { store } = dispatching;
  const current = await loadNewest(store, subscription, subscriptionId);
  if (current?.status === 'paused' && current.paused_because === undefined)
    throw new CommandRefused(
      'conflict',
      'Your team paused this webhook. Resume it instead of confirming it.',
    );
  if (current?.status === 'active')
    throw new CommandRefused('conflict', 'The webhook is active, so there is nothing to confirm.');
  const test = await scheduleTest(dispatching, { subscriptionId }, contexts.test);
  await settledDelivery(dispatching, test.delivery, test.outcome.position, withinMs);
  // It belongs to the request of the test, and the test caused it.
  const confirm: CommandContext = {
    ...contexts.confirm,
    correlationId: contexts.test.correlationId ?? contexts.test.commandId,
    causationId: eventIdOf(streamName(deliveryStream, test.delivery), 0, contexts.test),
  };
  return {
    delivery: test.delivery,
    outcome: await confirmHealth(store, subscriptionId, test.delivery, confirm),
  };
}
