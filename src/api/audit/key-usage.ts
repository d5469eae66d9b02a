import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { readKeyUse } from '../../actions/audit-log.ts';
import { perform, valueOf } from '../../actions/perform.ts';
import { outcomes, requestKinds, type Outcome, type RequestKind } from '../../audit/request-kinds.ts';
import { keptDays } from '../../audit/stored-key-usage.ts';
import { keptRequests } from '../../audit/key-requests.ts';
import { flushSeconds, type KeyUsageCounts } from '../../audit/key-usage-counts.ts';
import type { TeamApiParts } from '../http/team-door.ts';
import { documentedOnly, readParameters } from '../http/read-parameters.ts';
import { problemResponses } from '../http/responses/problem-responses.ts';
import { readerOf } from './reading.ts';

const path = '/audit/v1/keys/:key_id/usage';
const defaultDays = 30;

const day = z.iso.date().describe('A day in UTC.');
const time = z.iso.datetime();

const counted = z.object({
  kind: z
    .enum(Object.keys(requestKinds) as [RequestKind])
    .describe('What was asked for. widget: the legacy endpoint, asked by a script of a web page.'),
  outcome: z
    .enum(Object.keys(outcomes) as [Outcome])
    .describe('accepted: the key was good for the request; else why it was refused.'),
  requests: z.int(),
  first_at: time,
  last_at: time,
});

const usage = z.object({
  key_id: z.string(),
  from: day,
  until: day,
  counted_since: time.nullable().describe('Earlier requests were not counted, or are no longer kept.'),
  last_used: time.nullable().describe('When it was last accepted, in the 90 days that are kept.'),
  totals: z.array(counted),
  days: z
    .array(z.object({ day, requests: z.array(counted) }))
    .describe('The days on which it was used, the newest first.'),
  last_requests: z
    .array(
      z.object({
        at: time,
        method: z.string(),
        route: z.string().describe('The pattern of the route: nothing that the request named is in it.'),
        status: z.int(),
        reason: z.string().nullable().describe('Why it was refused, or null.'),
      }),
    )
    .describe(`The last requests of the last seven days, the newest first, ${keptRequests} at most.`),
  of_unnamed_keys: z
    .int()
    .describe('Requests of keys that could not be counted one by one, because the store was away for long.'),
});

const wrongDays = { error: `must be a whole number from 1 to ${keptDays}` };

const querystring = z.object({
  days: z
    .int(wrongDays)
    .min(1, wrongDays)
    .max(keptDays, wrongDays)
    .default(defaultDays)
    .describe('How many days, of which today is the last.'),
});

/** What a key was used for: how often, for which kind of request, and when. */
export function serveKeyUsage(
  scope: FastifyInstance,
  parts: TeamApiParts & { readonly keyUsage: KeyUsageCounts },
): void {
  const { guard, contexts } = parts;

  scope.get<{ Params: { key_id: string } }>(path, {
    onRequest: guard('audit:read'),
    validatorCompiler: documentedOnly,
    schema: {
      tags: ['Audit'],
      security: [{ key: [] }],
      summary: 'What a key was used for',
      description: `How many requests of each kind a key made on each day (UTC), those that were refused too, also after its revocation. Nothing is known of what a request named or where it came from. Other servers write their counts every ${flushSeconds} seconds. A key of a team sees the keys of its team. The question is recorded. Needs audit:read.`,
      params: z.object({ key_id: z.string() }),
      querystring,
      response: { 200: usage, ...problemResponses(400, 401, 403, 404, 429, 503) },
    },
    handler: async (request) => {
      const { days } = readParameters(request.raw.url ?? '', querystring);
      const input = { key: request.params.key_id, days };
      return valueOf(await perform(readKeyUse, parts, { ...readerOf(contexts, request), input })).usage;
    },
  });
}
