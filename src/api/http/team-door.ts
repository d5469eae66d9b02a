import type { FastifyInstance, FastifyRequest, FastifySchema, onRequestHookHandler } from 'fastify';
import { z } from 'zod';
import type { Action, Allowed } from '../../actions/action.ts';
import { oneOf, queryOf, type Listing } from '../../actions/listing.ts';
import { perform, valueOf } from '../../actions/perform.ts';
import type { CommandRefused } from '../../ground/refusals.ts';
import { publicScopes } from '../../events/teams.ts';
import { defined } from '../../ground/defined.ts';
import { documentedOnly } from './read-parameters.ts';
import { refuseUnreadable, type CommandContexts } from './idempotency.ts';
import { pageOf, pageQuery, TeamPages } from './team-pages.ts';
import { problemResponses } from './responses/problem-responses.ts';
import { withinReason } from './responses/within-reason.ts';
import type { Caller } from './key-lookup.ts';
import { callerOf, type Guard } from './key-guard.ts';
import type { ServerDependencies } from '../dependencies.ts';

/** What the endpoints of an area for team keys are made with. */
export interface TeamApiParts extends ServerDependencies {
  readonly guard: Guard;
  readonly contexts: CommandContexts;
  readonly base: string;
}

/** The team of a caller that the guard has admitted with a team scope: only team keys can hold one. */
export function teamOf({ team }: Caller): string {
  if (team === undefined) throw new Error('This route is for team keys.');
  return team;
}

/** What the reference says of an endpoint. */
interface Words {
  readonly summary: string;
  readonly description: string;
}

/** How its answer looks. */
interface Described<Row, Answer extends z.ZodObject> extends Words {
  readonly answer: Answer;
  readonly show: (row: Row, caller: Caller) => z.output<Answer>;
}

interface Posted<Value, Answer extends z.ZodObject> extends Omit<Described<Value, Answer>, 'show'> {
  readonly show: (value: Value, caller: Caller) => z.output<Answer> | Promise<z.output<Answer>>;
  /** Default: POST. */
  readonly method?: 'PATCH' | 'DELETE';
  /** The fields of the input that the body has. Default: there is no body. */
  readonly body?: z.ZodType;
  /** Fields of the input that the address says. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** What an address that can name nothing is answered with, before its body is read. */
  readonly none?: () => CommandRefused;
  /** It names nothing that could be missing: it never answers 404. */
  readonly namesNothing?: true;
  /** The address of what was made. Default: nothing was made. */
  readonly location?: (value: Value) => string;
}

/** The endpoints of an area for the keys of teams. An `:id` of an address is the field `id` of the input, and so on. */
export interface TeamDoor {
  list<Doc extends { readonly team?: string | undefined }, Row, Answer extends z.ZodObject>(
    path: string,
    listing: Listing<Doc, Row>,
    described: Described<Row, Answer>,
  ): void;
  one<Doc extends { readonly team?: string | undefined }, Row, Answer extends z.ZodObject>(
    path: string,
    listing: Listing<Doc, Row>,
    described: Described<Row, Answer>,
  ): void;
  post<Input extends z.ZodObject, Value, Answer extends z.ZodObject>(
    path: string,
    action: Action<Input, Value, TeamApiParts>,
    described: Posted<Value, Answer>,
  ): void;
}

/** Serves endpoints. `tag`: their heading in the reference. */
export function serveTeamDoor(
  scope: FastifyInstance,
  parts: TeamApiParts,
  tag: string,
  define: (door: TeamDoor) => void,
): void {
  const { guard, contexts, documents, masterKey, base } = parts;
  const common = (path: string, allowed: Allowed, { summary, description }: Words, more: FastifySchema) => {
    if (allowed.scope === undefined) throw new Error(`${path} is not for keys.`);
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, z.string()]);
    const params = names.length > 0 ? { params: z.object(Object.fromEntries(names)) } : {};
    const schema: FastifySchema = {
      tags: [tag],
      security: [{ key: [] }],
      summary,
      description,
      ...params,
      ...more,
    };
    return { url: path, onRequest: guard(allowed.scope), schema };
  };

  define({
    list(path, listing, described) {
      const pages = new TeamPages(masterKey, listing.name, listing.orderBy);
      const collection = documents.collection(listing.readModel.collection);
      scope.route({
        method: 'GET',
        ...common(path, listing, described, {
          querystring: pageQuery,
          response: { 200: pageOf(described.answer), ...problemResponses(400, 401, 403, 429, 503) },
        }),
        validatorCompiler: documentedOnly,
        handler: async (request) => {
          const caller = callerOf(request);
          const pageQuery = pages.requestOf(request.raw.url ?? '', teamOf(caller));
          const query = queryOf(listing, { team: pageQuery.team });
          const { docs, rest } = pages.page(
            pageQuery,
            await collection.page({ ...query, ...pageQuery.reading }),
          );
          const rows = await listing.open(parts, docs);
          return { data: rows.map((row) => described.show(row, caller)), ...rest };
        },
      });
    },
    one(path, listing, described) {
      scope.route({
        method: 'GET',
        ...common(path, listing, described, {
          response: { 200: described.answer, ...problemResponses(401, 403, 404, 429, 503) },
        }),
        handler: async (request) => {
          const caller = callerOf(request);
          return described.show(await oneOf(listing, parts, teamOf(caller), idIn(request) ?? ''), caller);
        },
      });
    },
    post(path, action, described) {
      const { method = 'POST', body, fixed, none, namesNothing, answer, location, show } = described;
      const status = location ? 201 : 200;
      const bodyErrors = method === 'DELETE' ? [] : [400, 413, 415];
      const errors = [...bodyErrors, 401, 403, ...(namesNothing ? [] : [404]), 409, 422, 429, 503];
      const { onRequest, ...route } = common(path, action, described, {
        ...(body && { body }),
        response: { [status]: answer, ...problemResponses(...errors) },
      });
      scope.route({
        method,
        ...route,
        onRequest: [onRequest, ...(none ? [refuseUnnamed(action.input.shape, none)] : []), refuseUnreadable],
        handler: async (request, reply) => {
          const caller = callerOf(request);
          // Keys of no team hold scopes that are for everybody alone.
          const team = isPublic(action.scope) ? caller.team : teamOf(caller);
          const performed = await perform(action, parts, {
            who: { kind: 'key', scopes: caller.scopes, ...defined({ team }) },
            input: { ...(body && (request.body as object | null)), ...fixed, ...(request.params as object) },
            context: () => contexts(request, caller),
            inTime: (working) => withinReason(request, working),
          });
          const value = valueOf(performed);
          void reply.code(status);
          if (location) void reply.header('location', `${base}${location(value)}`);
          return show(value, caller);
        },
      });
    },
  });
}

const isPublic = (scope: string | undefined): boolean => publicScopes.some((each) => each === scope);

/** Refuses an address whose names can be none, before the body is read. `shape`: of what has these names. */
export const refuseUnnamed =
  (shape: Readonly<Record<string, z.ZodType>>, none: () => CommandRefused): onRequestHookHandler =>
  ({ params }, _reply, done) => {
    for (const [name, text] of Object.entries(params as object))
      if (shape[name]?.safeParse(text).success !== true) throw none();
    done();
  };

const idIn = ({ params }: FastifyRequest): string | undefined => (params as { readonly id?: string }).id;
