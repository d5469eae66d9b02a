import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { firesWhen } from '../../events/webhooks/payload.ts';
import { publishedSchema, schemaPath } from '../../events/webhooks/published-schema.ts';
import { choosableEvents } from '../../events/webhooks/webhook-events.ts';
import { baseOf, type ServerDependencies } from '../dependencies.ts';
import type { CachedResponse } from '../http/responses/cached-response.ts';
import { keptForm } from '../http/responses/compression.ts';
import { etagOf, matches } from '../http/responses/etag.ts';

export const schemasPath = '/schemas/webhooks/';

/** An hour: they change with a release at most, and then only gain fields. */
const cacheControl = 'public, max-age=3600';

/** The JSON Schema of each webhook, with an example, and a list of them. Everybody may read them, from any page. */
export function serveWebhookSchemas(
  server: FastifyInstance,
  dependencies: Pick<ServerDependencies, 'config'>,
): void {
  const base = baseOf(dependencies);
  const index = () =>
    choosableEvents.map((event) => ({
      event,
      fires_when: firesWhen[event],
      schema: `${base}${schemaPath(event)}`,
    }));
  serve(server, schemasPath, 'application/json; charset=utf-8', () => ({ data: index() }));
  for (const event of choosableEvents)
    serve(server, schemaPath(event), 'application/schema+json', () => publishedSchema(event, base));
}

/** Each is made when it is first asked for: together they took a fourteenth of the time in which a server is built. */
function serve(server: FastifyInstance, path: string, type: string, content: () => object): void {
  let made: CachedResponse | undefined;
  server.get(path, {
    schema: { hide: true },
    handler: (request: FastifyRequest, reply: FastifyReply) => {
      const answer = (made ??= answerOf(JSON.stringify(content(), null, 2)));
      reply.headers({
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'cache-control': cacheControl,
        etag: answer.etag,
        vary: 'accept-encoding',
      });
      if (matches(request.headers['if-none-match'], answer.etag)) return reply.code(304).send();
      return reply.type(type).send(keptForm(answer, request, reply) ?? answer.body);
    },
  });
}

const answerOf = (text: string): CachedResponse => ({
  body: Buffer.from(text),
  etag: etagOf('webhook-schema', text),
  link: undefined,
  forms: new Map(),
});
