import { z } from 'zod';
import { exampleData, firesWhen, payloadSchema } from './payload.ts';
import type { WebhookEvent } from './webhook-events.ts';

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
