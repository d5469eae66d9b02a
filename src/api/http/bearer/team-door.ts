import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify';
import { z } from 'zod';
import type { Action, Allowed } from '../../../actions/action.ts';
import { oneOf, queryOf, type Listing } from '../../../actions/listing.ts';
import { perform, valueOf } from '../../../actions/perform.ts';
import { documentedOnly } from '../documented-only.ts';
import { refuseUnreadable } from '../idempotency.ts';
import { pageOf, pageQuery, TeamPages } from '../team-pages.ts';
import { problemResponses } from '../responses/problem-responses.ts';
import { callerOf } from './guard.ts';
import { teamOf, type TeamApiParts } from './team-api.ts';

/** What the reference says of an endpoint. */
interface Words {
  readonly summary: string;
  readonly description: string;
}

/** How its answer looks. */
interface Described<Row, Answer extends z.ZodObject> extends Words {
  readonly answer: Answer;
  readonly show: (row: Row) => z.output<Answer>;
}

interface Posted<Value, Answer extends z.ZodObject> extends Described<Value, Answer> {
  /** The fields of the input that the body has. Default: there is no body. */
  readonly body?: z.ZodObject;
  /** The address of what was made. Default: nothing was made. */
  readonly location?: (value: Value) => string;
}

/** The endpoints of an area for the keys of teams. An `:id` of an address is the field `id` of the input. */
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
    action: Action<Input, Value>,
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
    const params = path.includes(':id') ? { params: z.object({ id: z.string() }) } : {};
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
          const pageQuery = pages.asked(request.raw.url ?? '', teamOf(callerOf(request)));
          const query = queryOf(listing, { team: pageQuery.team });
          const { docs, rest } = pages.page(
            pageQuery,
            await collection.page({ ...query, ...pageQuery.reading }),
          );
          return { data: (await listing.open(parts, docs)).map(described.show), ...rest };
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
          return described.show(await oneOf(listing, parts, teamOf(callerOf(request)), idIn(request) ?? ''));
        },
      });
    },
    post(path, action, described) {
      const { body, answer, location, show } = described;
      const status = location ? 201 : 200;
      const { onRequest, ...route } = common(path, action, described, {
        ...(body && { body }),
        response: {
          [status]: answer,
          ...problemResponses(400, 401, 403, 404, 409, 413, 415, 422, 429, 503),
        },
      });
      scope.route({
        method: 'POST',
        ...route,
        onRequest: [onRequest, refuseUnreadable],
        handler: async (request, reply) => {
          const caller = callerOf(request);
          const id = idIn(request);
          const performed = await perform(action, parts, {
            who: { kind: 'key', scopes: caller.scopes, team: teamOf(caller) },
            input: { ...(body && (request.body as object)), ...(id !== undefined && { id }) },
            context: () => contexts(request, caller),
          });
          const value = valueOf(performed);
          void reply.code(status);
          if (location) void reply.header('location', `${base}${location(value)}`);
          return show(value);
        },
      });
    },
  });
}

const idIn = ({ params }: FastifyRequest): string | undefined => (params as { readonly id?: string }).id;
