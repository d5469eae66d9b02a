import { z } from 'zod';
import { hostOf } from '../../events/webhooks/webhook.ts';
import { webhookEvent } from '../../events/webhooks/webhook-events.ts';
import type { SubscriptionDocument } from '../../projections/webhooks/subscriptions.ts';

const time = z.iso.datetime();

/** A subscription in answers. Of its URL the host only: path and query often hold a secret of the receiver. */
export const subscription = z.object({
  id: z.uuid(),
  status: z.enum(['active', 'paused', 'deleted']),
  host: z
    .string()
    .describe('Where deliveries go. The rest of the URL may hold a secret, so it is not shown.'),
  test_receiver: z.boolean().describe('It goes to the test receiver of this service.'),
  name: z.string().nullable().describe('What its owner calls it.'),
  events: z.array(webhookEvent),
  secret_version: z.int().describe('Grows with each rotation of the signing secret.'),
  next_secret_prepared_at: time
    .nullable()
    .describe('Since when a next signing secret is prepared. Null: none is.'),
  created_at: time,
  paused_at: time.nullable(),
  paused_because: z
    .string()
    .nullable()
    .describe('Why the service paused it. Null when it is not paused, or its owner paused it.'),
});

export const subscriptionOf = (doc: SubscriptionDocument): z.output<typeof subscription> => ({
  id: doc.subscription,
  status: doc.status,
  host: hostOf(doc),
  test_receiver: doc.test_receiver === true,
  name: doc.name ?? null,
  events: [...doc.events],
  secret_version: doc.secret_version,
  next_secret_prepared_at: doc.next_secret_prepared_at ?? null,
  created_at: doc.created_at,
  paused_at: doc.paused_at ?? null,
  paused_because: doc.paused_because ?? null,
});

const period = z.object({
  attempts: z.int(),
  succeeded: z.int(),
  given_up: z.int().describe('Deliveries whose last attempt failed.'),
  success_rate: z.number().nullable().describe('Of the attempts, from 0 to 1. Null when there was none.'),
  p50_ms: z.int().nullable().describe('Half of the attempts took no longer. An estimate.'),
  p95_ms: z.int().nullable(),
});

/** How a receiver does. */
export const health = z.object({
  subscription: z.uuid(),
  status: z.enum(['active', 'paused', 'deleted']),
  backlog: z.int().describe('Deliveries that wait for an attempt.'),
  oldest_pending_at: time.nullable().describe('When the oldest of them was scheduled.'),
  failing_since: time.nullable().describe('Since when every attempt has failed.'),
  failing_deliveries: z.int().describe('How many deliveries have failed since then, counted up to 100.'),
  pauses_at: time
    .nullable()
    .describe('When it is paused at the earliest, if it goes on failing. Null when it does not fail.'),
  last_hour: period,
  last_24_hours: period,
  last_7_days: period,
});
