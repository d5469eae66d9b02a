import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { oneOf } from '../../actions/listing.ts';
import {
  deliveryList,
  replayedAtOnce,
  replayEvents,
  resend,
  searchDeliveries,
  sendWaiting,
} from '../../actions/webhooks-deliveries.ts';
import { createTestReceiver, rename, subscriptionList } from '../../actions/webhooks.ts';
import { subscriptionsOfTeam } from '../../projections/webhooks/delivery-list.ts';
import { scopeOfData } from '../../events/webhooks/payload.ts';
import { pauseOutlook } from '../../dispatch/operations/pause-outlook.ts';
import { healthReport } from '../../projections/webhooks/health-report.ts';
import type { SubscriptionDocument } from '../../projections/webhooks/subscriptions.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { callerOf } from '../http/key-guard.ts';
import { serveTeamDoor, teamOf, type TeamApiParts } from '../http/team-door.ts';
import { documentedOnly } from '../http/read-parameters.ts';
import { pageOf } from '../http/team-pages.ts';
import { problemResponses } from '../http/responses/problem-responses.ts';
import { DeliveryQueries, deliveryQuery } from './delivery-query.ts';
import { delivery, deliveryOf, deliveryWithAttempts, detailsOf } from './delivery-shape.ts';
import { health, subscription, subscriptionOf } from './subscription-shape.ts';
import { serveTestReceiver, testReceiverPath } from './test-receiver-v1.ts';

const subscriptionsPath = '/dash/api/v1/webhooks/subscriptions';
const deliveriesPath = '/dash/api/v1/webhooks/deliveries';

const scopeNeeded = 'webhooks:read';

const time = z.iso.datetime({ offset: true });

/** Which events are sent again, as a request says it and as the action takes it. */
const replayBody = z
  .strictObject({
    since: time.optional().describe('From this time on. Either this or `after`.'),
    after: z
      .string()
      .regex(/^\d{1,19}$/)
      .optional()
      .describe('Behind the `position` of an answer whose `more` is true.'),
    until: time.optional().describe('Up to this time. Default: now.'),
    limit: z
      .int()
      .min(1)
      .max(replayedAtOnce)
      .default(replayedAtOnce)
      .describe('The most deliveries that are sent.'),
  })
  .refine(({ since, after }) => (since === undefined) !== (after === undefined), {
    error: 'say from where on: either since or after',
  })
  .transform(({ since, after, until, limit }) => ({
    from: since === undefined ? { after } : { since },
    until,
    atMost: limit,
  }))
  .meta({ examples: [{ since: '2026-01-31T00:00:00Z', until: '2026-02-28T00:00:00Z' }] });

const replayed = z.object({
  subscription: z.uuid(),
  scheduled: z.int().describe('Events that are sent for the first time.'),
  reopened: z.int().describe('Events that are sent again.'),
  waiting: z.int().describe('Events that were waiting already.'),
  reversed: z.int().describe('Payments that were reversed, which are not sent.'),
  position: z.string().describe('Everything up to here was sent.'),
  more: z.boolean().describe('There are more: ask again with `position` as `after`.'),
});

/** How a receiver does, and when it is paused if it goes on failing. */
async function reportOf(documents: Documents, id: string, status: string, now: Date) {
  const report = await healthReport(documents, id, now);
  const outlook =
    status === 'active' ? pauseOutlook({ ...report, failing: report.failing_deliveries }) : undefined;
  return { ...report, pauses_at: outlook?.pauses_at ?? null };
}

/**
 * The webhooks of a team, to look at. With webhooks:write a key can use the test receiver, which leads nothing out of the
 * service, and send again to where the team sends. No key decides about an address: one that leaks must not lead
 * deliveries elsewhere.
 */
export function serveWebhooks(scope: FastifyInstance, parts: TeamApiParts): void {
  const { guard, documents, masterKey, now = () => new Date() } = parts;
  const queries = new DeliveryQueries(masterKey);
  const described = { tags: ['Webhooks'], security: [{ key: [] }] };

  serveTeamDoor(scope, parts, 'Webhooks', (door) => {
    const described = { answer: subscription, show: subscriptionOf };
    door.list(subscriptionsPath, subscriptionList, {
      ...described,
      summary: 'List webhook subscriptions',
      description:
        'The subscriptions of your team, deleted ones too: their status, and since when and why one is paused. Needs webhooks:read.',
    });
    door.one(`${subscriptionsPath}/:id`, subscriptionList, {
      ...described,
      summary: 'Read a webhook subscription',
      description: 'A subscription of your team. Needs webhooks:read.',
    });
    const reports = {
      ...subscriptionList,
      open: (_: object, docs: readonly SubscriptionDocument[]) =>
        Promise.all(
          docs.map(async ({ subscription: id, status }) => ({
            subscription: id,
            status,
            ...(await reportOf(documents, id, status, now())),
          })),
        ),
    };
    door.one(`${subscriptionsPath}/:id/health`, reports, {
      summary: 'Read how a receiver does',
      description:
        'Attempts, success rate and durations of the last hour, day and week, and what waits. Needs webhooks:read.',
      answer: health,
      show: (report) => report,
    });
    door.one(`${deliveriesPath}/:id`, deliveryList, {
      summary: 'Read a webhook delivery',
      description:
        'A delivery of your team with every attempt. The body of member.joined and member.left needs members:read too, of form.submitted forms:read, of payment.received and payment.reversed payments:write. Needs webhooks:read.',
      answer: deliveryWithAttempts,
      show: (details, { scopes }) => detailsOf(details, scopes),
    });
    const changed = { none: subscriptionList.none, answer: z.object({ subscription: z.uuid() }) };
    door.post(testReceiverPath, createTestReceiver, {
      summary: 'Add a webhook to the test receiver',
      description:
        'What it would send is handed to the test receiver of this service. The signing secret is in this answer alone. Needs webhooks:write.',
      body: createTestReceiver.input,
      answer: z.object({
        subscription: z.uuid(),
        secret: z
          .string()
          .nullable()
          .describe('Null when the request is a repeat: it was answered with before.'),
      }),
      show: ({ subscription: id, secret = null }) => ({ subscription: id, secret }),
      location: ({ subscription: id }) => `${subscriptionsPath}/${id}`,
      namesNothing: true,
    });
    door.post(`${subscriptionsPath}/:id`, rename, {
      ...changed,
      method: 'PATCH',
      summary: 'Name a webhook',
      description:
        'An empty name takes it away. Where it sends cannot be changed here. Needs webhooks:write.',
      body: rename.input.pick({ name: true }),
      show: ({ subscription: id }) => ({ subscription: id }),
    });
    door.post(`${subscriptionsPath}/:id/send-waiting`, sendWaiting, {
      ...changed,
      summary: 'Send now what waits for its next attempt',
      description: 'Such as when a receiver works again. Needs webhooks:write.',
      answer: z.object({
        subscription: z.uuid(),
        resent: z.int().nullable().describe('How many. Null: there is a lot, and it goes on by itself.'),
      }),
      show: ({ subscription: id, resent = null }) => ({ subscription: id, resent }),
    });
    door.post(`${subscriptionsPath}/:id/replay`, replayEvents, {
      ...changed,
      summary: 'Send events again',
      description:
        'The events of a time that the webhook would have got with its present choice, the oldest first, also those from before it existed. A delivery has the same id as at its first time. Needs webhooks:write.',
      body: replayBody,
      answer: replayed,
      show: ({ position, ...done }) => ({ ...done, position: position.toString() }),
    });
    door.post(`${deliveriesPath}/:delivery/resend`, resend, {
      summary: 'Send a delivery again',
      description:
        'With the same id and body, also one that waits for its next attempt. Needs webhooks:write.',
      none: deliveryList.none,
      answer: z.object({
        delivery: z.uuid(),
        resent: z.boolean().describe('False: it was due already.'),
      }),
      show: ({ delivery: id, resent }) => ({ delivery: id, resent }),
    });
  });
  serveTestReceiver(scope, parts);
  scope.get(deliveriesPath, {
    onRequest: guard(scopeNeeded),
    validatorCompiler: documentedOnly,
    schema: {
      ...described,
      summary: 'List webhook deliveries',
      description: 'The deliveries of your team, the newest first. Needs webhooks:read.',
      querystring: deliveryQuery,
      response: { 200: pageOf(delivery), ...problemResponses(400, 401, 403, 404, 429, 503) },
    },
    handler: async (request) => {
      const team = teamOf(callerOf(request));
      const list = queries.requestOf(request.raw.url ?? '', team, now());
      const chosen =
        list.subscription === undefined
          ? await subscriptionsOfTeam(documents, team)
          : [await oneOf(subscriptionList, parts, team, list.subscription)];
      const { scopes } = callerOf(request);
      const { found, next } = await searchDeliveries(parts, {
        ...list,
        subscriptions: chosen.map((each) => each.subscription),
        mayRead(event) {
          const scope = scopeOfData[event];
          return scope === undefined || scopes.has(scope);
        },
      });
      return {
        data: found.map(deliveryOf),
        has_more: next !== undefined,
        next_cursor: next ? queries.cursor(team, list, next) : null,
      };
    },
  });
}
