import type { FastifyInstance, FastifyPluginCallback, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Action } from '../../actions/action.ts';
import { followRequest, readEvent, searchLog } from '../../actions/audit-log.ts';
import { perform, valueOf } from '../../actions/perform.ts';
import { BadQuestion, conditionParameters } from '../../audit/search-filter.ts';
import { shownEvent } from '../../audit/shown-event.ts';
import { auditEvents } from '../../projections/audit.ts';
import type { ServerDependencies } from '../dependencies.ts';
import { resourceProblem } from '../http/responses/api-errors.ts';
import type { Guard } from '../http/key-guard.ts';
import { documentedOnly, readParameters } from '../http/read-parameters.ts';
import { commonProblem } from '../http/responses/errors.ts';
import { commandContexts } from '../http/idempotency.ts';
import { ListCursors } from '../http/list-cursors.ts';
import { pageQuery } from '../http/team-pages.ts';
import { problemResponses } from '../http/responses/problem-responses.ts';
import { readerOf } from './reading.ts';

const eventsPath = '/audit/v1/events';
const correlationsPath = '/audit/v1/correlations';
const scopeNeeded = 'audit:read';

const eventsQuery = z.strictObject({
  ...conditionParameters.shape,
  order: z.enum(['newest', 'oldest'], { error: 'must be newest or oldest' }).default('newest'),
  parts: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default('true')
    .describe(
      'False leaves out what is part of an operation: the records of an import or of its undoing, and webhooks that an event caused.',
    ),
  ...pageQuery.shape,
});
const page = z.object({
  data: z.array(shownEvent),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
  complete_through: z
    .string()
    .describe('The answer has every event up to this position of the log. Newer ones follow within moments.'),
});

const cause = z
  .object({
    kind: z.enum(['request', 'event', 'unknown', 'cycle']),
    id: z.string().optional(),
    sentence: z.string().optional(),
  })
  .describe(
    'Why it happened: the request itself, an event of another request, an event that is not there or that you may not see, or an effect of its own.',
  );
const node = z.object({
  ...shownEvent.shape,
  cause: cause.optional(),
  effects: z.array(z.unknown()).describe('What it caused: events in the same form, with their effects.'),
});
const walked = z.object({
  correlation_id: z.string(),
  events: z.number(),
  truncated: z.boolean().describe('Whether there are more than 1,000 events. The first are shown.'),
  roots: z.array(node),
});

/** The search of the audit log, for keys with `audit:read`: of a team, or of the whole installation. */
export const auditSearch: FastifyPluginCallback<ServerDependencies & { readonly guard: Guard }> = (
  scope: FastifyInstance,
  dependencies,
  done,
) => {
  const { guard, documents, masterKey, now = () => new Date() } = dependencies;
  const contexts = commandContexts(masterKey, now);
  const cursors = new ListCursors<number>(masterKey, 'audit-events');
  const described = { tags: ['Audit'], security: [{ key: [] }] };
  const ofOne = z.object({ id: z.string() });

  const position = async (): Promise<string> => {
    const { serving } = await documents.generations(auditEvents.collection.name);
    if (serving) return String(serving.checkpoint);
    throw commonProblem('not_ready', 'The index of the audit log is being built. Try again in a while.', {
      headers: { 'retry-after': '30' },
    });
  };

  /** Reads what the address names. */
  const about = async <Input extends z.ZodObject, Value>(
    action: Action<Input, Value>,
    request: FastifyRequest<{ Params: { id: string } }>,
  ) => {
    const reader = readerOf(contexts, request);
    const input = { id: uuidIn(request.params.id) };
    await position();
    return perform(action, dependencies, { ...reader, input });
  };

  scope.decorateRequest('caller', undefined);
  scope.get(eventsPath, {
    onRequest: guard(scopeNeeded),
    validatorCompiler: documentedOnly,
    schema: {
      ...described,
      summary: 'Search the audit log',
      description:
        'Events that meet all conditions, the newest first. A key of a team sees the events of its team, a key of the installation all. The question itself becomes an event. Needs audit:read.',
      querystring: eventsQuery,
      response: { 200: page, ...problemResponses(400, 401, 403, 429, 503) },
    },
    handler: async (request) => {
      const reader = readerOf(contexts, request);
      const { limit, cursor, order, parts, ...conditions } = readParameters(
        request.raw.url ?? '',
        eventsQuery,
      );
      const query = JSON.stringify([
        reader.who.team ?? '',
        order,
        Object.entries(conditions).sort(),
        ...(parts === 'false' ? ['without parts'] : []),
      ]);
      const input = {
        conditions,
        newestFirst: order === 'newest',
        withParts: parts === 'true',
        place: cursors.open(cursor, query),
        limit,
      };
      const complete_through = await position();
      const performed = await perform(searchLog, dependencies, { ...reader, input });
      if (performed.kind === 'refused' && performed.refusal instanceof BadQuestion)
        throw badParameter(performed.refusal.message);
      const { events, next } = valueOf(performed);
      return {
        data: events,
        has_more: next !== undefined,
        next_cursor: next === undefined ? null : cursors.seal(query, next),
        complete_through,
      };
    },
  });
  scope.get<{ Params: { id: string } }>(`${eventsPath}/:id`, {
    onRequest: guard(scopeNeeded),
    schema: {
      ...described,
      summary: 'Read an event',
      description: 'One event of the audit log by its id. Needs audit:read.',
      params: ofOne,
      response: { 200: shownEvent, ...problemResponses(400, 401, 403, 404, 429, 503) },
    },
    handler: async (request) => valueOf(await about(readEvent, request)).event,
  });
  scope.get<{ Params: { id: string } }>(`${correlationsPath}/:id`, {
    onRequest: guard(scopeNeeded),
    schema: {
      ...described,
      summary: 'Follow a request',
      description:
        'All events of one request as a tree of causes and effects. The id is the correlation id, or that of one of its events. Needs audit:read.',
      params: ofOne,
      response: { 200: walked, ...problemResponses(400, 401, 403, 404, 429, 503) },
    },
    handler: async (request) => {
      const { correlation, ...tree } = valueOf(await about(followRequest, request));
      return { correlation_id: correlation, ...tree };
    },
  });
  done();
};

const badParameter = (sentence: string) => resourceProblem('invalid_parameter', sentence);

function uuidIn(id: string): string {
  if (z.uuid().safeParse(id).success) return id;
  throw badParameter('id must be the id of an event or a request, a UUID.');
}
