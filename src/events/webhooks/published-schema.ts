import { z } from 'zod';
import { exampleData, payloadSchema } from './payload.ts';
import type { WebhookEvent } from './webhook.ts';

/** When each event is sent (interface section 6, and what is beyond it). */
export const firesWhen: Readonly<Record<WebhookEvent, string>> = {
  'member.joined': 'A person joined the organization, by an invitation or because somebody added them.',
  'form.submitted': 'Somebody filled in a public form of the organization.',
  'resource.approved': 'A submitted resource was approved into the directory.',
  'resource.rejected': 'A submitted resource was rejected.',
  'payment.received':
    'A payment was recorded against a member, at the time in `occurred_at`. It is not sent when the payment was reversed before; of a later reversal only `payment.reversed` tells.',
  'payment.reversed':
    'A payment was reversed, because it was recorded by mistake. Its `payment.received` may not have been sent.',
  'member.left': 'A person left the organization, was removed, or is erased.',
  'resource.changed':
    'A public record of the directory was revised, removed or put back: one event for each of these, so an import that changes a thousand records sends a thousand.',
};

/** A whole body as an example. */
export const exampleBody = (event: WebhookEvent) => ({
  event,
  delivery_id: '4f7c3a52-3b4e-5d0a-9c1e-0a4d6a1f0b11',
  occurred_at: '2026-03-01T12:00:00.000Z',
  data: exampleData[event],
});

/** Where the schema of an event is published. */
export const schemaPath = (event: WebhookEvent): string => `/schemas/webhooks/${event}.json`;

/** The JSON Schema (2020-12) of the bodies of an event, with an example. `base`: of its own address. */
export const publishedSchema = (event: WebhookEvent, base: string): object => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: `${base}${schemaPath(event)}`,
  title: event,
  description: `${firesWhen[event]} Further fields may be added.`,
  ...z.toJSONSchema(payloadSchema(event), { target: 'draft-2020-12' }),
  examples: [exampleBody(event)],
});
