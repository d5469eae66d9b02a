import { z } from 'zod';
import { agingParts, confirmers } from '../directory/upkeep/confirmation.ts';
import { memberRole, type KeyScope } from '../teams.ts';
import type { WebhookEvent } from './webhook-events.ts';

/**
 * What receivers get: the schema of `data` of each webhook event, with an example. Published at /schemas/webhooks/, and
 * docs/webhooks.md lists them. Further fields may be added, so receivers must ignore those that they do not know.
 */

const id = z.uuid();
const time = z.iso.datetime();

const resource = {
  id: z.int().positive().describe('The number of the record.'),
  name: z.string().min(1).describe('The name of the record.'),
  category: z.string().min(1).describe('The slug of its category.'),
  svc_id: z
    .string()
    .regex(/^r_[0-9a-f]{16}$/)
    .describe('The id of the record. It never changes.'),
};

const paid = {
  member_id: id.describe('The person it was recorded against.'),
  amount_minor: z
    .int()
    .positive()
    .describe('The amount in the smallest unit of the currency: 1250 USD is $12.50, 1250 JPY is ¥1250.'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .describe('The code of the currency (ISO 4217).'),
};

/** A text, a number, whether a box is ticked, or the keys of the chosen options. */
const answer = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

const answeredWords = z.looseObject({
  label: z.string(),
  help: z.string().optional(),
  options: z.record(z.string(), z.string()).optional(),
});

const dataSchemas = {
  'member.joined': z.looseObject({
    id: id.describe('The person. The same value as `sub` at sign-in and `member_id` of payments.'),
    name: z.string().min(1).describe('The name at the time of joining.'),
    email: z.email().describe('The email address at the time of joining.'),
    role: memberRole.describe('The role in the organization.'),
  }),
  'form.submitted': z.looseObject({
    id: id.describe('The submission.'),
    form: id.describe('The form.'),
    submitted_at: time.describe('When it was submitted, in UTC.'),
    answers: z
      .record(z.string(), answer)
      .describe('The answers by the key of their field. Fields that were left empty are absent.'),
    form_version: z.int().positive().optional().describe('The version of the form that was filled in.'),
    words: z
      .record(z.string(), answeredWords)
      .optional()
      .describe(
        'What that version said beside each answer, in its first language, by the key of the field: the question as `label`, its explanation as `help`, and the chosen options by their keys as `options`. Absent in deliveries of earlier releases.',
      ),
  }),
  'resource.approved': z.looseObject(resource),
  'resource.rejected': z.looseObject({
    ...resource,
    reason: z.string().min(1).describe('Why it was rejected.'),
  }),
  'payment.received': z.looseObject({
    id: id.describe('The payment.'),
    ...paid,
    memo: z.string().min(1).nullable().describe('A note about the payment, or null.'),
  }),
  'payment.reversed': z.looseObject({
    id: id.describe('The payment. The same value as `id` of `payment.received`.'),
    ...paid,
    reason: z.string().min(1).nullable().describe('Why it was reversed, or null.'),
  }),
  'member.left': z.looseObject({ id: id.describe('The person. The same value as in `member.joined`.') }),
  'resource.changed': z.looseObject({
    ...resource,
    change: z
      .enum(['revised', 'deactivated', 'reactivated'])
      .describe(
        'Whether its fields were replaced, it was taken out or merged into another one, or it is public again.',
      ),
  }),
  'record.confirmed': z.looseObject({
    ...resource,
    by: z.enum(['team', 'agency']).describe('Who said that it is right.'),
    parts: z
      .array(z.enum(agingParts))
      .nullable()
      .describe('What of it was confirmed: its hours, phones or places. Null: the whole record.'),
  }),
  'record.stale': z.looseObject({
    ...resource,
    confirmed: z
      .looseObject({
        on: z
          .string()
          .min(4)
          .describe('Its date: a year, a month, a day or a time, as precisely as it is known.'),
        by: z.enum(confirmers).describe('Who said so.'),
      })
      .describe('When it was last confirmed as a whole.'),
  }),
} satisfies Record<WebhookEvent, z.ZodType>;

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
  'record.confirmed':
    'The team of the directory, or the agency itself, said that a public record, or part of it, is still right. What an import brings confirms nothing here: it is a revision.',
  'record.stale':
    'Nobody has confirmed a public record, as a whole, for longer than the directory trusts a confirmation. It is sent once for each confirmation, at most 600 an hour in an installation: of a directory that was old before, one after the other, the oldest first. A record that nobody ever confirmed is none of them.',
};

/** The scope by which a key may read the personal data in a body. Undefined where there is none. */
export const scopeOfData: Readonly<Record<WebhookEvent, KeyScope | undefined>> = {
  'member.joined': 'members:read',
  'form.submitted': 'forms:read',
  'payment.received': 'payments:write',
  'payment.reversed': 'payments:write',
  'member.left': 'members:read',
  'resource.changed': undefined,
  'record.confirmed': undefined,
  'record.stale': undefined,
  'resource.approved': undefined,
  'resource.rejected': undefined,
};

export type PayloadData = { readonly [Event in WebhookEvent]: z.output<(typeof dataSchemas)[Event]> };

/** The whole body of a delivery of an event (interface section 2.8). */
export const payloadSchema = (event: WebhookEvent) =>
  z.looseObject({
    event: z.literal(event).describe('The name of the event.'),
    delivery_id: id.describe(
      'The id of the delivery, the same in every attempt. Equals the header `X-Service-Delivery`.',
    ),
    occurred_at: time.describe('When the event happened, in UTC.'),
    test: z
      .literal(true)
      .optional()
      .describe(
        'Only in a test delivery: nothing has happened, and `data` is made up. Then there is the header `X-Service-Test: true`.',
      ),
    data: dataSchemas[event],
  });

/**
 * Example data of each event. A test delivery contains them, so they belong to a payload version: changed examples are
 * a new version (src/dispatch/payload-of-event.ts).
 */
export const exampleDataOf1 = {
  'member.joined': {
    id: '7c1d1b52-64c8-4e6a-9a39-0d0f4c8d2f11',
    name: 'Ana Ruiz',
    email: 'ana.ruiz@example.org',
    role: 'member',
  },
  'form.submitted': {
    id: '1f4a9f0e-8f0e-5d25-b0f1-6c0a55d0a7a2',
    form: '9a0f6a0e-6c6e-5b8e-8d0b-4d1f0d5a7c33',
    submitted_at: '2026-03-01T12:00:00.000Z',
    answers: { name: 'Ana Ruiz', hours: 4, days: ['sat', 'sun'], agrees: true },
  },
  'resource.approved': {
    id: 1234567890123456,
    name: 'Harbour Food Pantry',
    category: 'food',
    svc_id: 'r_b6c462d53c8abac0',
  },
  'resource.rejected': {
    id: 1234567890123456,
    name: 'Harbour Food Pantry',
    category: 'food',
    svc_id: 'r_b6c462d53c8abac0',
    reason: 'It closed in 2024.',
  },
  'payment.received': {
    id: '5b7e0c4f-3f64-5a8d-8a44-7f3c1e6b9d20',
    member_id: '7c1d1b52-64c8-4e6a-9a39-0d0f4c8d2f11',
    amount_minor: 1250,
    currency: 'USD',
    memo: 'Spring dues',
  },
  'payment.reversed': {
    id: '5b7e0c4f-3f64-5a8d-8a44-7f3c1e6b9d20',
    member_id: '7c1d1b52-64c8-4e6a-9a39-0d0f4c8d2f11',
    amount_minor: 1250,
    currency: 'USD',
    reason: 'It was recorded twice.',
  },
  'member.left': { id: '7c1d1b52-64c8-4e6a-9a39-0d0f4c8d2f11' },
  'resource.changed': {
    id: 1234567890123456,
    name: 'Harbour Food Pantry',
    category: 'food',
    svc_id: 'r_b6c462d53c8abac0',
    change: 'revised',
  },
  'record.confirmed': {
    id: 1234567890123456,
    name: 'Harbour Food Pantry',
    category: 'food',
    svc_id: 'r_b6c462d53c8abac0',
    by: 'agency',
    parts: null,
  },
  'record.stale': {
    id: 1234567890123456,
    name: 'Harbour Food Pantry',
    category: 'food',
    svc_id: 'r_b6c462d53c8abac0',
    confirmed: { on: '2024-03-01', by: 'team' },
  },
} as const satisfies Readonly<Record<WebhookEvent, object>>;

/** The examples of payload version 2. */
export const exampleData: PayloadData = {
  ...exampleDataOf1,
  'form.submitted': {
    ...exampleDataOf1['form.submitted'],
    answers: { ...exampleDataOf1['form.submitted'].answers, days: ['sat', 'sun'] },
    form_version: 3,
    words: {
      name: { label: 'Your name' },
      hours: { label: 'How many hours a week can you help?' },
      days: { label: 'Which days?', options: { sat: 'Saturday', sun: 'Sunday' } },
      agrees: { label: 'You may keep these answers for a year.' },
    },
  },
};
