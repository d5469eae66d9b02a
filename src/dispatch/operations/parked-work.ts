import type { CommandContext } from '../../events/metadata.ts';
import type { Documents } from '../../stores/documents/port.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { fanOutGroup } from '../fan-out.ts';
import { webhookEventOf } from '../payload-of-event.ts';
import { discardParkedDelivery, parkedDeliveries, replayParkedDelivery } from './parked-deliveries.ts';

/**
 * Work that was set aside for reasons of our own: an event before its deliveries were scheduled, or a single delivery. It
 * waits until somebody decides.
 */
export interface Parked {
  readonly kind: 'event' | 'delivery';
  readonly id: string;
  readonly team: string;
  /** As webhooks call it. */
  readonly event: string;
  readonly reason: string;
  /** ISO 8601 UTC. */
  readonly parked_at: string;
  /** Of a delivery. */
  readonly subscription?: string;
}

interface Parts {
  readonly store: EventStore;
  readonly documents: Documents;
}

/** What is parked in the whole installation, events first. `atMost`: how many deliveries are listed. */
export async function listParked({ store, documents }: Parts, atMost = Infinity): Promise<Parked[]> {
  const found: Parked[] = (await store.parked(fanOutGroup)).map(({ event, reason, parkedAt }) => ({
    kind: 'event',
    id: event.id,
    team: (event.data as { readonly team?: string }).team ?? '',
    event: webhookEventOf(event.type) ?? event.type,
    reason,
    parked_at: parkedAt,
  }));
  const all = found.length + atMost;
  for await (const each of parkedDeliveries(documents)) {
    if (found.length >= all) break;
    found.push({
      kind: 'delivery',
      id: each.delivery,
      team: each.team,
      event: each.event,
      reason: each.parked_because ?? '',
      parked_at: each.parked_at ?? each.scheduled_at,
      subscription: each.subscription,
    });
  }
  return found;
}

/**
 * `replay`: tries parked work again, as if it had not failed before; a running dispatcher takes it up within seconds.
 * `discard`: gives it up for good. Returns how much of it was still parked. `contextOf`: of the command of one delivery;
 * decisions on parked events are no events.
 */
export async function decideParked(
  store: EventStore,
  decision: 'replay' | 'discard',
  parked: readonly Pick<Parked, 'kind' | 'id'>[],
  contextOf: (delivery: string) => CommandContext,
): Promise<{ readonly events: number; readonly deliveries: number }> {
  const ids = parked.filter(({ kind }) => kind === 'event').map(({ id }) => id);
  const decideEvents = () =>
    decision === 'replay' ? store.replayParked(fanOutGroup, ids) : store.discardParked(fanOutGroup, ids);
  const events = ids.length === 0 ? 0 : await decideEvents();
  const decideDelivery = decision === 'replay' ? replayParkedDelivery : discardParkedDelivery;
  let deliveries = 0;
  for (const { kind, id } of parked)
    if (kind === 'delivery' && (await decideDelivery(store, id, contextOf(id)))) deliveries += 1;
  return { events, deliveries };
}
