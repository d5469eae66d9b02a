import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isTracing, RequestSpan } from '../../../traces/spans.ts';
import { readTraceparent } from '../../../traces/trace-context.ts';

/** Questions of probes, every few seconds, are no traces. */
const probes: readonly (string | undefined)[] = ['/healthz', '/readyz'];

/**
 * Records a span for each request, named by the pattern of its route. No address, no query, nobody's id: what a pattern does not
 * say, a trace does not. Without a collector there is no hook.
 */
export function traceRequests(server: FastifyInstance): void {
  if (!isTracing()) return;
  const open = new WeakMap<FastifyRequest, RequestSpan>();
  server.addHook('onRequest', (request, _reply, done) => {
    if (probes.includes(request.routeOptions.url)) {
      done();
      return;
    }
    const span = new RequestSpan(request.id, readTraceparent(request.headers['traceparent']));
    open.set(request, span);
    span.run(done);
  });
  // What reads the body goes on in the context of the connection.
  server.addHook('preValidation', (request, _reply, done) => {
    const span = open.get(request);
    if (span) span.run(done);
    else done();
  });
  server.addHook('onResponse', (request, { statusCode: status }, done) => {
    const { url: route } = request.routeOptions;
    open.get(request)?.end(route === undefined ? request.method : `${request.method} ${route}`, {
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'http.response.status_code': status,
        'commonweal.correlation_id': request.id,
      },
      failure: status >= 500 ? String(status) : undefined,
    });
    done();
  });
}
