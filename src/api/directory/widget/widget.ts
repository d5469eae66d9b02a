import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { keptForm } from '../../http/responses/compression.ts';
import { etagOf, matches } from '../../http/responses/etag.ts';
import { widgetPath, widgetScriptAt, widgetScripts, type WidgetScript } from './widget-script.ts';

/** Short: after an upgrade, pages have the new script within an hour. Until then it speaks to the same endpoint. */
const current = 'public, max-age=3600';
const forever = 'public, max-age=31536000, immutable';

const versions = '/resources-widget-:version(^[\\w-]+).js';

const sent = new Map(
  widgetScripts.map((script) => [
    script,
    {
      body: Buffer.from(script.body),
      etag: etagOf('widget', script.body),
      link: undefined,
      forms: new Map(),
    },
  ]),
);

/** Pages of other sites load the script, also those that ask for CORS by `crossorigin` or `Cross-Origin-Embedder-Policy`. */
const everywhere = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};

/** The embeddable widget (interface 4.4). */
export function serveWidget(server: FastifyInstance): void {
  const schema = { hide: true };
  server.get(widgetPath, {
    schema,
    handler: (request, reply) => {
      const script = widgetScriptAt(request.url);
      return send(script, request, reply.header('content-location', script.versionedPath), current);
    },
  });
  server.get(versions, {
    schema,
    handler: (request, reply) => {
      const path = request.url.split('?')[0];
      const script = widgetScripts.find(({ versionedPath }) => versionedPath === path);
      return script
        ? send(script, request, reply, forever)
        : // Of another release. A page without `integrity` goes on working.
          reply.headers({ ...everywhere, 'cache-control': 'no-store' }).redirect(widgetPath, 307);
    },
  });
}

function send(
  of: WidgetScript,
  request: FastifyRequest,
  reply: FastifyReply,
  cacheControl: string,
): FastifyReply {
  const script = sent.get(of);
  if (!script) throw new Error(`There is no widget in ${of.language}.`);
  reply.headers({
    ...everywhere,
    'cache-control': cacheControl,
    etag: script.etag,
    vary: 'accept-encoding',
  });
  if (matches(request.headers['if-none-match'], script.etag)) return reply.code(304).send();
  reply.type('text/javascript; charset=utf-8');
  return reply.send(keptForm(script, request, reply) ?? script.body);
}
