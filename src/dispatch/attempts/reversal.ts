import { load } from '../../commands/command-handler.ts';
import {
  commandDelivery,
  delivery,
  deliveryIdOf,
  type ScheduledDelivery,
} from '../../commands/webhooks/delivery.ts';
import { uuidOf } from '../../events/ids.ts';
import type { EventStore, RecordedEvent } from '../../stores/event-store/port.ts';
import { becauseOf, dispatcherContext, type Because, type DispatchContext } from '../context.ts';

type Part = Pick<DispatchContext, 'store' | 'now'>;

/** Whether a delivery says that a payment was received that is reversed by now. */
export async function wasReversed(
  store: EventStore,
  { event, source }: Pick<ScheduledDelivery, 'event' | 'source'>,
): Promise<boolean> {
  if (event !== 'payment.received' || !source) return false;
  const [newest] = await store.readStream(source.stream, { direction: 'backwards', limit: 1 });
  return newest?.type === 'PaymentReversed';
}

/** Ends a pending delivery of a payment that was reversed: it is not sent, unless somebody asks for it by itself. */
export async function endReversed({ store, now }: Part, deliveryId: string, because: Because): Promise<void> {
  const context = dispatcherContext(uuidOf('reversed', deliveryId), now(), because);
  await commandDelivery(store, deliveryId, { kind: 'reverse' }, context);
}

/** Ends what waits for a subscription of a payment that was reversed, also while the subscription is paused. */
export async function endReversedBy(
  { store, now }: Part,
  subscription: string,
  reversal: RecordedEvent,
): Promise<void> {
  const [recorded] = await store.readStream(reversal.stream, { limit: 1 });
  if (recorded?.type !== 'PaymentRecorded') return;
  const id = deliveryIdOf(recorded.id, subscription);
  const { state } = await load(store, delivery, id);
  if (state?.status === 'pending') await endReversed({ store, now }, id, becauseOf(reversal));
}
