import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  openRequest,
  receivedRequests,
  type ListedRequest,
} from '../../dispatch/operations/test-receiver.ts';
import type { KeyScope } from '../../events/teams.ts';
import { scopeOfData } from '../../events/webhooks/payload.ts';
import { webhookEvent } from '../../events/webhooks/webhook-events.ts';
import { commonProblem } from '../http/responses/errors.ts';
import { callerOf } from '../http/key-guard.ts';
import { problemResponses } from '../http/responses/problem-responses.ts';
import { teamOf, type TeamApiParts } from '../http/team-door.ts';

export const testReceiverPath = '/dash/api/v1/webhooks/test-receiver';

const received = z.object({
  id: z.string(),
  delivery: z.uuid(),
  attempt: z.int(),
  subscription: z.uuid(),
  event: webhookEvent,
  test: z.boolean(),
  received_at: z.iso.datetime(),
  bytes: z.int().describe('The length of the body.'),
  signed: z.boolean().describe('Whether the signatures were valid.'),
});

const withContent = received.extend({
  headers: z.record(z.string(), z.string()).nullable(),
  body: z
    .string()
    .nullable()
    .describe('Its first 64 KiB. Null when it is hidden from this key, or its person is erased.'),
  hidden_because: z
    .string()
    .nullable()
    .describe('Why headers and body are not shown to this key. Null when they are.'),
});

const receivedOf = ({ test, ...each }: ListedRequest): z.output<typeof received> => ({
  ...each,
  test: test === true,
});

/** Why what came with a request is not shown to a key. Undefined: it is. */
function hiddenBecause({ event, test }: ListedRequest, scopes: ReadonlySet<KeyScope>): string | undefined {
  const scope = scopeOfData[event];
  if (scope === undefined || test || scopes.has(scope)) return undefined;
  return `It holds personal data. A key that also has ${scope} sees it.`;
}

/** What the test receiver of a team has, to look at. */
export function serveTestReceiver(scope: FastifyInstance, parts: TeamApiParts): void {
  const { guard, side } = parts;
  const described = { tags: ['Webhooks'], security: [{ key: [] }] };
  scope.get(testReceiverPath, {
    onRequest: guard('webhooks:read'),
    schema: {
      ...described,
      summary: 'List what the test receiver has',
      description:
        'The newest 100 requests of your team, for a day. The newest is the first. Needs webhooks:read.',
      response: {
        200: z.object({ data: z.array(received) }),
        ...problemResponses(401, 403, 429, 503),
      },
    },
    handler: async (request) => {
      const requests = await receivedRequests(side, teamOf(callerOf(request)));
      return { data: requests.map(receivedOf) };
    },
  });
  scope.get<{ Params: { readonly request: string } }>(`${testReceiverPath}/:request`, {
    onRequest: guard('webhooks:read'),
    schema: {
      ...described,
      summary: 'Read a request at the test receiver',
      description:
        'With its headers and body. The body of member.joined and member.left needs members:read too, of form.submitted forms:read, of payment.received and payment.reversed payments:write. Needs webhooks:read.',
      params: z.object({ request: z.string() }),
      response: { 200: withContent, ...problemResponses(401, 403, 404, 429, 503) },
    },
    handler: async (request) => {
      const caller = callerOf(request);
      const found = await openRequest(parts, teamOf(caller), request.params.request);
      if (!found) throw commonProblem('not_found', 'The test receiver has no such request any more.');
      const { content, ...listed } = found;
      const hidden = hiddenBecause(listed, caller.scopes);
      const shown = hidden === undefined ? content : undefined;
      return {
        ...receivedOf(listed),
        headers: shown?.headers ?? null,
        body: shown?.body ?? null,
        hidden_because: hidden ?? null,
      };
    },
  });
}
