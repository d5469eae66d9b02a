import { execute } from '../../commands/command-handler.ts';
import { delivery, type DeliveryCommand } from '../../commands/webhooks/delivery.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { paginate } from '../../projections/engine/paginate.ts';
import { visible } from '../../projections/engine/read-your-writes.ts';
import { deliveries, type DeliveryDocument } from '../../projections/webhooks/deliveries.ts';
import type { Documents } from '../../stores/documents/port.ts';
import type { EventStore } from '../../stores/event-store/port.ts';

/** The deliveries that could not be attempted for reasons of our own, as far as the read model shows them. */
export const parkedDeliveries = (documents: Documents): AsyncGenerator<DeliveryDocument> =>
  paginate(documents.collection(deliveries.collection), {
    where: { status: 'parked' },
    orderBy: ['next_attempt_at', 'delivery'],
  });

export const countParkedDeliveries = (documents: Documents, atMost: number): Promise<number> =>
  documents.collection(deliveries.collection).count({ where: { status: 'parked' }, atMost });

/** Resolves when the list shows all decisions so far. Commands do not wait for it. @throws NotYetVisible */
export const untilDecisionsShown = async ({
  store,
  documents,
}: {
  readonly store: EventStore;
  readonly documents: Documents;
}): Promise<void> => visible(documents, [deliveries.collection.name], await store.head());

/** Has a parked delivery attempted again, on the whole schedule. Returns whether it was parked. */
export const replayParkedDelivery = (
  store: EventStore,
  deliveryId: string,
  context: CommandContext,
): Promise<boolean> => whileParked(store, deliveryId, { kind: 'resend', requestedBy: 'resend' }, context);

/** Gives up a parked delivery for good. Returns whether it was parked. */
export const discardParkedDelivery = (
  store: EventStore,
  deliveryId: string,
  context: CommandContext,
): Promise<boolean> => whileParked(store, deliveryId, { kind: 'discard' }, context);

/** The delivery is not parked, whatever the read model said. */
class NotParked extends Error {}

async function whileParked(
  store: EventStore,
  deliveryId: string,
  command: DeliveryCommand,
  context: CommandContext,
): Promise<boolean> {
  try {
    await execute(
      store,
      delivery,
      deliveryId,
      (state) => {
        if (state?.status !== 'parked') throw new NotParked();
        return command;
      },
      context,
    );
    return true;
  } catch (error) {
    if (error instanceof NotParked) return false;
    throw error;
  }
}
