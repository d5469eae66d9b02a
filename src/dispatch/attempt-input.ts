import { createHash } from 'node:crypto';
import { loadNewest } from '../commands/command-handler.ts';
import type { ScheduledDelivery } from '../commands/webhooks/delivery.ts';
import { secretName, subscription, type SubscriptionState } from '../commands/webhooks/subscription.ts';
import { upcast } from '../events/catalogue.ts';
import type { DispatchContext } from './context.ts';
import { renderPayload, type PayloadSource } from './payload.ts';

/**
 * The body of a delivery, byte for byte as it was scheduled. @throws Error when its digest or event does not match
 */
export async function bodyOf(
  { store, caches }: DispatchContext,
  scheduled: ScheduledDelivery,
): Promise<string> {
  if (!scheduled.source) throw new Error(`Delivery ${scheduled.delivery} has no source event.`);
  const { stream, revision, event_id } = scheduled.source;
  const event = await caches.events.of(`${revision}@${stream}`, async () => {
    const [there] = await store.readStream(stream, { from: revision, limit: 1 });
    return there;
  });
  if (event?.id !== event_id)
    throw new Error(`The event ${event_id} is not at the place that its delivery names (${stream}).`);
  const body = renderPayload(scheduled.payload_version, {
    event: scheduled.event,
    deliveryId: scheduled.delivery,
    occurredAt: scheduled.occurred_at,
    source: upcast(event) as PayloadSource,
  });
  if (createHash('sha256').update(body).digest('hex') !== scheduled.body_sha256) {
    throw new Error(`The body of delivery ${scheduled.delivery} is not the one that was scheduled.`);
  }
  return body;
}

export type Recipient =
  | { readonly standing: NonNullable<SubscriptionState>; readonly secret: string }
  /** Nothing is sent: the subscription is paused or deleted. */
  | { readonly standing: SubscriptionState; readonly secret?: undefined };

/** The newest state of the subscription, and its secret. Reads both again when the secret is rotated in between. */
export async function recipientOf(
  { store, vault, caches }: DispatchContext,
  subscriptionId: string,
): Promise<Recipient> {
  for (let missing: string | undefined; ;) {
    const standing = await loadNewest(store, subscription, subscriptionId);
    if (standing?.status !== 'active') return { standing };
    const name = secretName(subscriptionId, standing.secret_id);
    const secret = await caches.secrets.of(name, async () => {
      const bytes = await vault.get(name);
      return bytes && Buffer.from(bytes).toString();
    });
    if (secret !== undefined) return { standing, secret };
    if (missing === standing.secret_id) {
      throw new Error(`The signing secret of subscription ${subscriptionId} is not in the vault.`);
    }
    missing = standing.secret_id;
  }
}
