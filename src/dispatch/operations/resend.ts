import { load, loadNewest, type Outcome } from '../../commands/command-handler.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { commandDelivery, delivery, type DeliveryState } from '../../commands/webhooks/delivery.ts';
import { subscription } from '../../commands/webhooks/subscription.ts';
import { uuidOf } from '../../events/ids.ts';
import type { CommandContext } from '../../events/metadata.ts';
import type { DeliveryEvent } from '../../events/webhooks/webhook.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { DispatchContext } from '../context.ts';
import { batchesOf, type OnProgress, type DeliverySelection } from './each-delivery.ts';

/**
 * Sends a delivery again, with the same id and body. One that waits for its next attempt is sent now; nothing happens
 * to one that is due already.
 * @throws CommandRefused not_found, or conflict when its subscription is deleted
 */
export async function resendDelivery(
  store: EventStore,
  deliveryId: string,
  context: CommandContext,
): Promise<Outcome<DeliveryState | undefined, DeliveryEvent>> {
  const { state } = await load(store, delivery, deliveryId);
  if (state) await requireSubscription(store, state.scheduled.subscription);
  return commandDelivery(store, deliveryId, { kind: 'resend', requestedBy: 'resend' }, context);
}

/** What can be sent again: what failed, or waits for its next attempt. */
export type Resending = DeliverySelection & { readonly status: 'failed' | 'pending' };

/**
 * Sends deliveries of a subscription again, without test deliveries: those that failed, or those that wait for their
 * next attempt, which is due at or after a time. Returns how many.
 */
export async function resendEach(
  { store, documents }: Pick<DispatchContext, 'store' | 'documents'>,
  selection: Resending,
  context: CommandContext,
  onProgress: OnProgress = () => undefined,
): Promise<number> {
  await requireSubscription(store, selection.subscription);
  let resent = 0;
  let done = 0;
  for await (const batch of batchesOf(documents, selection)) {
    const outcomes = await Promise.all(
      batch
        .filter(({ test }) => test === undefined)
        .map(({ delivery: id }) =>
          commandDelivery(store, id, { kind: 'resend', requestedBy: 'resend' }, partOf(context, id)),
        ),
    );
    resent += outcomes.filter(({ events }) => events.length > 0).length;
    done += batch.length;
    onProgress(done);
  }
  return resent;
}

/** The context of one delivery's command, where one wish changes many. */
export const partOf = (context: CommandContext, deliveryId: string): CommandContext => ({
  ...context,
  commandId: uuidOf(context.commandId, deliveryId),
});

/** @throws CommandRefused when the subscription is deleted or does not exist */
export async function requireSubscription(store: EventStore, subscriptionId: string) {
  const current = await loadNewest(store, subscription, subscriptionId);
  if (!current) throw new CommandRefused('not_found', 'There is no such webhook.');
  if (current.status === 'deleted')
    throw new CommandRefused('conflict', 'The webhook is deleted, so nothing can be sent to it.');
  return current;
}
