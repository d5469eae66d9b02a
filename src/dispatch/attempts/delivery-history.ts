import { currentOf } from '../../commands/command-handler.ts';
import { delivery } from '../../commands/webhooks/delivery.ts';
import { streamName } from '../../events/define.ts';
import type { EventStore } from '../../stores/event-store/port.ts';

/** The state of a delivery, with the position and revision of its newest event, and the events that were read. */
export async function loadWithHistory(store: EventStore, deliveryId: string) {
  const history = await store.readStream(streamName(delivery.stream, deliveryId));
  return { ...currentOf(delivery, history), history };
}
