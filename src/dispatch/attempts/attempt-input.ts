import { isDeepStrictEqual } from 'node:util';
import type { ScheduledDelivery } from '../../commands/webhooks/delivery.ts';
import type { RecordedEvent } from '../../stores/event-store/port.ts';
import { renderBody, type Body } from '../body.ts';
import type { DispatchContext } from '../context.ts';

/**
 * The body of a delivery, byte for byte as it was scheduled. Erased when the person whom it is about was, then or
 * since. @throws Error when its digest or event does not match
 */
export async function bodyOf(
  dispatching: Pick<DispatchContext, 'store' | 'personal' | 'caches'>,
  scheduled: ScheduledDelivery,
): Promise<Body> {
  const { delivery, event, occurred_at, payload_version, test, body_sha256, body_hmac } = scheduled;
  if (body_sha256 === undefined && body_hmac === undefined) return { kind: 'erased' };
  const source = await sourceOf(dispatching, scheduled);
  const body = await renderBody(dispatching, {
    event,
    deliveryId: delivery,
    occurredAt: occurred_at,
    payloadVersion: payload_version,
    ...(source ? { source } : {}),
    ...(test ? { test } : {}),
  });
  if (body.kind === 'rendered' && !isDeepStrictEqual(body.digest, digestOf(scheduled))) {
    throw new Error(`The body of delivery ${delivery} is not the one that was scheduled.`);
  }
  return body;
}

const digestOf = ({ body_sha256, body_hmac }: ScheduledDelivery) =>
  body_hmac === undefined ? { body_sha256 } : { body_hmac };

/** The event that a delivery reports. Undefined for a test delivery. @throws Error when it is not at its place */
async function sourceOf(
  { store, caches }: Pick<DispatchContext, 'store' | 'caches'>,
  { delivery, source, test }: ScheduledDelivery,
): Promise<RecordedEvent | undefined> {
  if (test) return undefined;
  if (!source) throw new Error(`Delivery ${delivery} has no source event.`);
  const { stream, revision, event_id } = source;
  const event = await caches.events.of(`${revision}@${stream}`, async () => {
    const [there] = await store.readStream(stream, { from: revision, limit: 1 });
    return there;
  });
  if (event?.id !== event_id)
    throw new Error(`The event ${event_id} is not at the place that its delivery names (${stream}).`);
  return event;
}
