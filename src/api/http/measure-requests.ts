import type { FastifyInstance } from 'fastify';
import type { RequestDurations } from '../../metrics/request-durations.ts';

/** Measures every request by the pattern of its route. */
export function measureRequests(server: FastifyInstance, durations: RequestDurations): void {
  server.addHook('onResponse', (request, reply, done) => {
    durations.observe(request.routeOptions.url, request.method, reply.statusCode, reply.elapsedTime / 1_000);
    done();
  });
}
