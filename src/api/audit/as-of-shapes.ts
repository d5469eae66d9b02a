import { z } from 'zod';
import { keyKind } from '../../events/keys.ts';
import { signInScope } from '../../events/oauth/values.ts';
import { keyScope, memberRole } from '../../events/teams.ts';
import { choosableEvents } from '../../events/webhooks/webhook-events.ts';

const time = z.iso.datetime();
const position = z.string().describe('A position of the log, decimal.');

/** Where in the log the question was answered. */
const asOf = z.object({
  at: time.describe('The time that expiry was computed against.'),
  position: position.describe('Everything in the log up to this position is included, and nothing after it.'),
  event: z
    .object({ id: z.uuid(), stream: z.string(), revision: z.int(), type: z.string(), at: time })
    .describe('The event at the position: the last one of the log that is not after the time.'),
  later_events_included: z
    .int()
    .describe('Events before it in the log with a later time. They are included: clocks of nodes disagreed.'),
  counted_all: z.boolean().describe('False when there may be more of those than were counted.'),
});

/** An answer: a page of a list, and what is said beside it. */
const answer = <Entry extends z.ZodType, Beside extends z.ZodRawShape>(entry: Entry, beside: Beside) =>
  z.object({
    as_of: asOf,
    ...beside,
    total: z.int().describe('Entries of the whole list.'),
    data: z.array(entry),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  });

const event = z.object({
  id: z.uuid(),
  stream: z.string(),
  revision: z.int(),
  position,
  type: z.string(),
  data: z.unknown().describe('As it is stored. What is personal is sealed.'),
  metadata: z.record(z.string(), z.unknown()),
});

const personalData = z
  .enum(['open', 'sealed', 'erased'])
  .describe('sealed: this key may not see it. erased: nobody can see it any more.');

export const answers = {
  streams: answer(event, {
    stream: z.string(),
    documents: z
      .array(
        z.object({
          read_model: z.string().describe('Which read model; state: what commands decided on.'),
          id: z.string(),
          document: z.record(z.string(), z.unknown()),
          personal: z
            .record(z.string(), z.unknown())
            .describe('What is sealed, by name: {value} where this key may see it, else sealed or erased.'),
          standing: z
            .object({ valid: z.boolean(), because: z.string().optional() })
            .optional()
            .describe('Of a session, a grant, an invitation or a key: whether it was good at the time.'),
        }),
      )
      .describe('What was folded from the stream, at most 1,000 documents.'),
  }),
  consents: answer(
    z.object({
      person: z.uuid(),
      client: z.string(),
      scopes: z.array(signInScope),
      epoch: z.int(),
      granted_at: time,
      changed_at: time,
    }),
    {},
  ),
  tokens: answer(
    z.object({
      grant: z.uuid(),
      person: z.uuid(),
      client: z.string(),
      issued_at: time,
      session: z.string().optional(),
      code_until: time.optional(),
      refresh_token_until: time.optional(),
      access_tokens: z.array(z.object({ generation: z.int(), scopes: z.array(signInScope), until: time })),
    }),
    {},
  ),
  keys: answer(
    z.object({
      key_id: z.string(),
      kind: keyKind,
      team: z.string().optional(),
      label: z.string().optional(),
      scopes: z.array(keyScope),
      usable_scopes: z.array(keyScope).describe('Team scopes only while the team had them enabled.'),
      domains: z.array(z.string()),
      created_at: time,
      created_by: z.string().optional(),
      expires_at: time.optional().describe('When it was to expire.'),
    }),
    {},
  ),
  directory: answer(
    z.object({
      svc_id: z.string(),
      id: z.int(),
      status: z.enum(['submitted', 'approved', 'rejected', 'inactive']),
      submitted_at: time,
      updated_at: time,
      submitted_by: z.string().optional(),
      review_note: z.string().optional(),
      fields: z.record(z.string(), z.unknown()),
      personal_data: z.enum(['open', 'sealed', 'erased', 'partly erased']).optional(),
    }),
    {
      counts: z
        .object({
          submitted: z.int(),
          approved: z.int(),
          rejected: z.int(),
          inactive: z.int(),
        })
        .describe('Records of each status.'),
    },
  ),
  members: answer(
    z.object({
      person: z.uuid(),
      role: memberRole,
      joined_at: time,
      name: z.string().nullable().describe('As the account said then.'),
      email: z.string().nullable(),
      personal_data: personalData,
    }),
    {
      team: z.object({
        team: z.string(),
        name: z.string(),
        scopes: z.array(z.string()),
        created_at: time,
        invitations: z.array(
          z.object({ invitation: z.uuid(), role: memberRole, invited_at: time, expires_at: time }),
        ),
      }),
    },
  ),
  subscriptions: answer(
    z.object({
      subscription: z.uuid(),
      team: z.string(),
      status: z.enum(['active', 'paused']),
      host: z.string().describe('Of the address. The rest may hold a secret, so it is not shown.'),
      test_receiver: z.literal(true).optional(),
      name: z.string().optional(),
      events: z.array(z.enum(choosableEvents)),
      secret_version: z.int(),
      created_at: time,
      paused_at: time.optional(),
      paused_because: z.string().optional(),
    }),
    {},
  ),
} as const;
