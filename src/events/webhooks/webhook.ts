import { z } from 'zod';
import { event, line, slug, stream, text, type EventOf } from '../define.ts';
import { displayName } from '../display-name.ts';
import { sealed } from '../oauth/values.ts';
import { webhookEvent } from './webhook-events.ts';

const uuid = z.uuid();
const time = z.iso.datetime();

/** A whole address, before it is sealed. */
export const webhookAddress = text(2_000);

/** What a subscription to our own test receiver has in place of an origin. No address of anybody can be this one. */
export const testReceiverOrigin = 'commonweal:test-receiver';

/** The host, with the port unless it is the usual one: what is shown of an address to whoever need not know it. */
export const hostOf = ({ origin }: { readonly origin: string }): string =>
  origin === testReceiverOrigin ? 'the test receiver' : new URL(origin).host;

/** What its owner calls an endpoint. It stands in lists and mails, where no name must look like another. */
export const webhookName = displayName(60);

/** What a webhook is called where people read it. */
export const webhookTitle = (of: { readonly origin: string; readonly name?: string | undefined }): string =>
  of.name ?? hostOf(of);

/** Every subscription event repeats the whole state, so that the newest event alone decides an attempt. */
const subscriptionState = {
  subscription: uuid,
  team: slug,
  status: z.enum(['active', 'paused', 'deleted']),
  origin: text(300).describe('Scheme, host and port of where deliveries go.'),
  url_sealed: sealed
    .meta({ title: 'sealed under the subscription’s data key, base64url' })
    .optional()
    .describe('The whole address: path and query often hold a secret of the receiver.'),
  test_receiver: z
    .literal(true)
    .optional()
    .describe('Deliveries are handed to the test receiver of this installation. There is no address then.'),
  name: webhookName.optional().describe('What its owner calls it.'),
  events: z.array(webhookEvent).min(1),
  secret_version: z.int().positive(),
  /** Why the service paused it. Absent when the owner paused it, or when it is active. */
  paused_because: line(500).optional(),
  /** Names the secret in the vault. */
  secret_id: uuid,
  /** Names the next secret, which is prepared and signs beside the present one until it replaces it. */
  next_secret_id: uuid.optional(),
};

/** An event of a subscription. */
const ofSubscription = <Data extends z.ZodType>(means: string, data: Data) => event(means, data, 2);

export const subscriptionStream = stream('webhook-subscription', {
  SubscriptionCreated: ofSubscription(
    'A team subscribed a URL to events.',
    z.strictObject(subscriptionState),
  ),
  SubscriptionEventsChosen: ofSubscription(
    'The list of events was changed.',
    z.strictObject(subscriptionState),
  ),
  SubscriptionUrlChanged: ofSubscription(
    'The URL that deliveries go to was changed.',
    z.strictObject(subscriptionState),
  ),
  SubscriptionNamed: event(
    'The subscription got another name, or none any more.',
    z.strictObject(subscriptionState),
  ),
  SubscriptionPaused: ofSubscription(
    'The owner paused the subscription. Deliveries wait until it is resumed.',
    z.strictObject(subscriptionState),
  ),
  SubscriptionAutoPaused: ofSubscription(
    'The service paused the subscription, because the receiver is gone or keeps failing.',
    z.strictObject({ ...subscriptionState, paused_because: line(500) }),
  ),
  SubscriptionResumed: ofSubscription(
    'The subscription was resumed. Waiting deliveries are sent first.',
    z.strictObject(subscriptionState),
  ),
  SubscriptionHealthConfirmed: ofSubscription(
    'A test delivery succeeded, so the subscription that the service had paused is active again.',
    z.strictObject({ ...subscriptionState, delivery: uuid.describe('The test delivery that succeeded.') }),
  ),
  SubscriptionSecretRotated: ofSubscription(
    'A new signing secret replaced the old one at once.',
    z.strictObject(subscriptionState),
  ),
  SubscriptionSecretPrepared: event(
    'The next signing secret was prepared. Both sign `webhook-signature` until it is activated.',
    z.strictObject({ ...subscriptionState, next_secret_id: uuid }),
  ),
  SubscriptionSecretActivated: event(
    'The prepared signing secret replaced the one before, which is invalid from then on.',
    z.strictObject(subscriptionState),
  ),
  SubscriptionDeleted: ofSubscription(
    'The subscription was deleted, and with it the data key of its address.',
    z.strictObject(subscriptionState),
  ),
});
export type SubscriptionEvent = EventOf<typeof subscriptionStream>;

const digest = (title: string) =>
  z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({ title });

/** The result of one attempt. The text of the response is stored apart, for 30 days. */
const attempt = {
  subscription: uuid,
  /** 1 for the first attempt of the delivery. */
  attempt: z.int().positive(),
  started_at: time,
  duration_ms: z.int().nonnegative(),
  /** The HTTP status, when there was an answer. */
  status: z.int().optional(),
};
const failure = {
  ...attempt,
  error: line(500),
  /** The dispatcher stopped before the outcome was known. */
  interrupted: z.literal(true).optional(),
};

/** What can have become of a delivery. */
export const deliveryStatuses = [
  'pending',
  'delivered',
  'failed',
  'discarded',
  'parked',
  'expired',
  'reversed',
] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const deliveryStream = stream('webhook-delivery', {
  DeliveryScheduled: event(
    'A delivery of an event to a subscription was scheduled.',
    z.strictObject({
      delivery: uuid,
      subscription: uuid,
      team: slug,
      event: webhookEvent,
      /** The event that the webhook reports. Absent in a test delivery, which reports an example. */
      source: z
        .strictObject({ stream: text(500), revision: z.int().nonnegative(), event_id: uuid })
        .optional(),
      /** Somebody asked for it, to test the receiver. It is attempted once, also while the subscription is paused. */
      test: z.literal(true).optional(),
      /** A replay scheduled it. Absent: the event did, when it happened. */
      asked_by: z.literal('replay').optional(),
      occurred_at: time,
      payload_version: z.int().positive(),
      /** The digest of a body without personal data. */
      body_sha256: digest('SHA-256 in hex').optional(),
      /**
       * The digest of a body with personal data: keyed with the data key of the person, because a plain hash of a body
       * that can be guessed would tell the data after its erasure. Neither digest: the person was erased before.
       */
      body_hmac: digest('HMAC-SHA256 in hex').optional(),
    }),
    2,
  ),
  DeliverySucceeded: event('An attempt succeeded: the receiver answered 2xx.', z.strictObject(attempt)),
  DeliveryAttemptFailed: event(
    'An attempt failed. The next one is due at `next_attempt_at`.',
    z.strictObject({ ...failure, next_attempt_at: time }),
  ),
  DeliveryFailed: event(
    'The last attempt failed, or the person whom the event is about was erased. Nothing more is sent unless somebody asks for it.',
    z.strictObject({
      ...failure,
      /** The attempts made so far, when none was made now. */
      attempt: z.int().nonnegative(),
      reason: z.enum(['erased']).optional(),
    }),
  ),
  DeliveryResent: event(
    'Somebody asked to send the delivery again.',
    z.strictObject({
      subscription: uuid,
      /** Whether this delivery was asked for, or a replay of events. */
      asked_by: z.enum(['resend', 'replay']).optional(),
    }),
  ),
  DeliveryDiscarded: event(
    'Somebody discarded the delivery. It is not sent.',
    z.strictObject({ subscription: uuid }),
  ),
  DeliveryParked: event(
    'The delivery could not be attempted for reasons of our own, several times in a row. It is not attempted until somebody asks for it.',
    z.strictObject({
      subscription: uuid,
      /** How often an attempt could not be made. */
      tries: z.int().positive(),
      reason: line(500),
    }),
  ),
  DeliveryReversed: event(
    'The payment that the delivery reports was reversed before it was sent. It is not sent unless somebody asks for it.',
    z.strictObject({ subscription: uuid }),
  ),
  DeliveryExpired: event(
    'The delivery was held for too long while its subscription was paused. It is not sent.',
    z.strictObject({ subscription: uuid }),
  ),
});
export type DeliveryEvent = EventOf<typeof deliveryStream>;
