import { z } from 'zod';
import { firesWhen, payloadSchema } from '../events/webhooks/payload.ts';
import { exampleBody } from '../events/webhooks/published-schema.ts';
import { choosableEvents } from '../events/webhooks/webhook-events.ts';

const header = (name: string, description: string, schema: object = { type: 'string' }, required = true) => ({
  ...{ in: 'header', name, required, description, schema },
});

/** What every delivery carries (interface section 6, and Standard Webhooks). See dispatch/signature.ts. */
const headers = [
  header('X-Service-Event', 'The name of the event.'),
  header('X-Service-Delivery', 'The id of the delivery, the same in every attempt. Take each id once.', {
    type: 'string',
    format: 'uuid',
  }),
  header('X-Service-Timestamp', 'When this attempt was begun. Refuse what is old.', {
    type: 'string',
    format: 'date-time',
  }),
  header(
    'X-Service-Signature',
    'sha256= and the HMAC-SHA256 of the raw body in hex, keyed with the signing secret as it is shown. Compare in constant time.',
    { type: 'string', pattern: '^sha256=[0-9a-f]{64}$' },
  ),
  header('webhook-id', 'The same as X-Service-Delivery (Standard Webhooks).', {
    type: 'string',
    format: 'uuid',
  }),
  header('webhook-timestamp', 'When this attempt was begun, in seconds since 1970 (Standard Webhooks).', {
    type: 'string',
    pattern: '^[0-9]+$',
  }),
  header(
    'webhook-signature',
    'v1, and the HMAC-SHA256 of id.timestamp.body in base64, keyed with the bytes of the signing secret (Standard Webhooks). While a next secret is prepared there are two, separated by a space.',
  ),
  header('X-Service-Test', 'Only in a test delivery: nothing has happened.', { const: 'true' }, false),
];

/** What we send, for the OpenAPI document. */
export const describedWebhooks = (): Readonly<Record<string, object>> =>
  Object.fromEntries(
    choosableEvents.map((event) => {
      const { $schema: _, ...schema } = z.toJSONSchema(payloadSchema(event), { target: 'draft-2020-12' });
      const post = {
        summary: event,
        description: firesWhen[event],
        tags: ['Webhooks'],
        parameters: headers,
        requestBody: {
          required: true,
          content: { 'application/json': { schema, example: exampleBody(event) } },
        },
        responses: {
          '2XX': { description: 'The delivery is taken. Answer within a few seconds.' },
          default: { description: 'It is sent again later, with longer and longer pauses.' },
        },
      };
      return [event, { post }];
    }),
  );
