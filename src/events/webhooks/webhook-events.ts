import { z } from 'zod';

/*
 * To add a webhook event: its name here, its data and its scope in payload.ts beside this file, and from which recorded event
 * it is made in src/dispatch/payload-of-event.ts. The type check asks for all three.
 */

/** The events of interface section 6. */
export const webhookEvents = [
  'member.joined',
  'form.submitted',
  'resource.approved',
  'resource.rejected',
  'payment.received',
] as const;
/** Events beyond the interface. A subscriber gets one only by choosing it by its name. */
export const furtherWebhookEvents = [
  'payment.reversed',
  'member.left',
  'resource.changed',
  'record.confirmed',
  'record.stale',
] as const;

/** The events that a subscriber can choose. */
export const choosableEvents = [...webhookEvents, ...furtherWebhookEvents] as const;
export const webhookEvent = z.enum(choosableEvents, {
  message: `must be one of ${choosableEvents.join(', ')}`,
});
export type WebhookEvent = z.output<typeof webhookEvent>;
