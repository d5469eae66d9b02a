import type { FastifyInstance, FastifyPluginCallback, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  BadQuestion,
  conditionParameters,
  readConditions,
  type GivenConditions,
} from '../../audit/search-filter.ts';
import { knownNames } from '../../audit/known-names.ts';
import { onceIndexed } from '../../audit/once-indexed.ts';
import { eventOf, searchEvents, type FoundEvent } from '../../audit/search.ts';
import { shown, shownEvent } from '../../audit/shown-event.ts';
import { walk, type Cause, type WalkNode } from '../../audit/walk.ts';
import { recordAccess } from '../../commands/audit.ts';
import type { AuditQuestion } from '../../events/audit.ts';
import { auditEvents } from '../../projections/audit.ts';
import type { ServerDependencies } from '../dependencies.ts';
import { resourceProblem } from '../http/responses/api-errors.ts';
import { callerOf, type Guard } from '../http/bearer/guard.ts';
import { documentedOnly } from '../http/documented-only.ts';
import { commonProblem } from '../http/responses/errors.ts';
import { commandContexts } from '../http/idempotency.ts';
import { ListCursors } from '../http/list-cursors.ts';
import { readParameters } from '../http/read-parameters.ts';
import { pageQuery } from '../http/team-pages.ts';
import { problemResponses } from '../http/responses/problem-responses.ts';
import { readingOf } from './reading.ts';

const eventsPath = '/audit/v1/events';
const correlationsPath = '/audit/v1/correlations';
const scopeNeeded = 'audit:read';

const eventsQuery = z.strictObject({
  ...conditionParameters.shape,
  order: z.enum(['newest', 'oldest'], { error: 'must be newest or oldest' }).default('newest'),
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
type ShownNode = z.output<typeof node>;
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
  const { guard, documents, store, masterKey, now = () => new Date() } = dependencies;
  const contexts = commandContexts(masterKey, now);
  const cursors = new ListCursors<number>(masterKey, 'audit-events');
  const described = { tags: ['Audit'], security: [{ key: [] }] };
  const ofOne = z.object({ id: z.string() });

  /** Nothing is answered that is not recorded. */
  const record = async (
    request: FastifyRequest,
    question: AuditQuestion,
    given: Readonly<Record<string, string>>,
    events: number,
  ) => {
    const { team } = callerOf(request);
    const filter = { ...given, ...(team === undefined ? {} : { team }) };
    const event = { type: 'AuditQueried', data: { question, filter, events } } as const;
    await recordAccess(store, event, readingOf(contexts, request));
  };
  const showing = async (found: readonly FoundEvent[], team: string | undefined) => {
    const names = await knownNames(dependencies, found, team);
    return (each: FoundEvent) => shown(each, names);
  };
  /** A team key sees its team, and a key of the installation everything. @throws Problem */
  const readerOf = (request: FastifyRequest): string | undefined => {
    const { kind, team } = callerOf(request);
    if (kind !== 'installation' && team === undefined)
      throw resourceProblem('forbidden', 'This key belongs to no team.');
    return kind === 'installation' ? undefined : team;
  };
  const position = async (): Promise<string> => {
    const { serving } = await documents.generations(auditEvents.collection.name);
    if (serving) return String(serving.checkpoint);
    throw commonProblem('not_ready', 'The index of the audit log is being built. Try again in a while.', {
      headers: { 'retry-after': '30' },
    });
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
      const team = readerOf(request);
      const { limit, cursor, order, ...conditions } = readParameters(request.raw.url ?? '', eventsQuery);
      const read = conditionsIn(conditions, now());
      const query = JSON.stringify([team ?? '', order, Object.entries(conditions).sort()]);
      const place = cursors.open(cursor, query);
      const complete_through = await position();
      const newestFirst = order === 'newest';
      const { found, next } = await searchEvents(dependencies, {
        conditions: read,
        team,
        newestFirst,
        place,
        limit,
      });
      const show = await showing(found, team);
      await record(request, 'events', conditions, found.length);
      return {
        data: found.map(show),
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
    handler: async (request) => {
      const team = readerOf(request);
      const id = uuidIn(request.params.id);
      await position();
      const found = await onceIndexed(dependencies, () => eventOf(dependencies, id, team));
      await record(request, 'events', { event: id }, found ? 1 : 0);
      if (!found) throw commonProblem('not_found', 'There is no such event that you may see.');
      return (await showing([found], team))(found);
    },
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
      const team = readerOf(request);
      const id = uuidIn(request.params.id);
      await position();
      const tree = await onceIndexed(dependencies, () => walk(dependencies, id, team));
      await record(
        request,
        'correlation',
        { correlation: tree?.correlation ?? id },
        tree?.events.length ?? 0,
      );
      if (!tree) throw commonProblem('not_found', 'There is no such request that you may see.');
      const show = await showing(tree.events, team);
      const causeOf = (given: Cause) => ({
        kind: given.kind,
        ...('id' in given ? { id: given.id } : {}),
        ...(given.kind === 'event' ? { sentence: show(given.event).sentence } : {}),
      });
      const nodeOf = ({ found, cause: given, effects }: WalkNode): ShownNode => ({
        ...show(found),
        ...(given ? { cause: causeOf(given) } : {}),
        effects: effects.map(nodeOf),
      });
      return {
        correlation_id: tree.correlation,
        events: tree.events.length,
        truncated: tree.truncated,
        roots: tree.roots.map(nodeOf),
      };
    },
  });
  done();
};

const badParameter = (sentence: string) => resourceProblem('invalid_parameter', sentence);

function conditionsIn(given: GivenConditions, now: Date) {
  try {
    return readConditions(given, now);
  } catch (error) {
    if (error instanceof BadQuestion) throw badParameter(error.message);
    throw error;
  }
}

function uuidIn(id: string): string {
  if (z.uuid().safeParse(id).success) return id;
  throw badParameter('id must be the id of an event or a request, a UUID.');
}
