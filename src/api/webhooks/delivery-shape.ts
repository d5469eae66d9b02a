import { z } from 'zod';
import { deliveryStatuses } from '../../events/webhooks/webhook.ts';
import { webhookEvent } from '../../events/webhooks/webhook-events.ts';
import type { DeliveryDetails } from '../../dispatch/operations/delivery-details.ts';
import type { KeyScope } from '../../events/teams.ts';
import { scopeOfData } from '../../events/webhooks/payload.ts';
import type { DeliveryDocument } from '../../projections/webhooks/deliveries.ts';

const time = z.iso.datetime();
const status = z.enum(deliveryStatuses);

/** A delivery in lists. */
export const delivery = z.object({
  id: z.uuid(),
  subscription: z.uuid(),
  event: webhookEvent,
  test: z.boolean().describe('Somebody sent it to test the receiver.'),
  status,
  scheduled_at: time,
  next_attempt_at: time
    .nullable()
    .describe('When the next attempt is due. Null when there is none, unless somebody asks for it.'),
  attempts: z.int(),
  last_status: z
    .int()
    .nullable()
    .describe('The HTTP status of the newest attempt. Null: there was no answer.'),
  last_error: z.string().nullable(),
});

export const deliveryOf = (doc: DeliveryDocument): z.output<typeof delivery> => ({
  id: doc.delivery,
  subscription: doc.subscription,
  event: doc.event,
  test: doc.test === true,
  status: doc.status,
  scheduled_at: doc.scheduled_at,
  next_attempt_at: doc.status === 'pending' ? doc.next_attempt_at : null,
  attempts: doc.attempts,
  last_status: doc.last_status ?? null,
  last_error: doc.last_error ?? null,
});

const headers = z.record(z.string(), z.unknown());

/** A delivery with its attempts. */
export const deliveryWithAttempts = z.object({
  id: z.uuid(),
  subscription: z.uuid(),
  event: webhookEvent,
  test: z.boolean(),
  status,
  occurred_at: time.describe('When the event happened.'),
  scheduled_at: time,
  body: z
    .string()
    .nullable()
    .describe('What each attempt sent. Null when it is hidden from this key, or cannot be rendered.'),
  hidden_because: z
    .string()
    .nullable()
    .describe('Why the body, and what the receiver answered, are not shown to this key. Null when they are.'),
  no_body_because: z.string().nullable().describe('Why the body cannot be rendered. Null when it can.'),
  attempts: z.array(
    z.object({
      attempt: z.int(),
      trigger: z.enum(['schedule', 'retry', 'resend', 'replay', 'test']).describe('What made it happen.'),
      started_at: time,
      duration_ms: z.int(),
      status: z.int().nullable(),
      error: z.string().nullable(),
      next_attempt_at: time.nullable(),
      under_way: z.boolean(),
      request_headers: headers.nullable().describe('Kept for 30 days.'),
      response: z
        .object({ status: z.int(), headers, text: z.string(), truncated: z.boolean() })
        .nullable()
        .describe('Up to 16 KiB of the text. Kept for 30 days.'),
    }),
  ),
});

/**
 * A delivery as a key of its team may see it. A body with personal data needs the scope that reads the same data
 * elsewhere. Without it, the response is hidden too: a receiver may repeat the body.
 */
export function detailsOf(
  details: DeliveryDetails,
  scopes: ReadonlySet<KeyScope>,
): z.output<typeof deliveryWithAttempts> {
  const scope = scopeOfData[details.event];
  const isHidden = scope !== undefined && !details.test && !scopes.has(scope);
  return {
    id: details.delivery,
    subscription: details.subscription,
    event: details.event,
    test: details.test === true,
    status: details.status,
    occurred_at: details.occurred_at,
    scheduled_at: details.scheduled_at,
    body: isHidden ? null : details.body,
    hidden_because: isHidden ? `It holds personal data. A key that also has ${scope} sees it.` : null,
    no_body_because: details.no_body_because ?? null,
    attempts: details.attempts.map((each) => ({
      attempt: each.attempt,
      trigger: each.trigger,
      started_at: each.started_at,
      duration_ms: each.duration_ms,
      status: each.status ?? null,
      error: each.error ?? null,
      next_attempt_at: each.next_attempt_at ?? null,
      under_way: each.under_way === true,
      request_headers: each.request?.headers ?? null,
      response: isHidden ? null : (each.response ?? null),
    })),
  };
}
