import type { FastifyInstance } from 'fastify';
import { servePage } from './serve-page.ts';
import type { Dash } from '../dashboard-dependencies.ts';
import { notThere } from './small-pages.ts';
import { paths } from './paths.ts';

/** The service API is under /dash as well, and answers for itself. */
const ofTheApi = /^\/dash\/api(\/|$|\?)/;

/** A page for people who followed an old or mistyped address of ours. */
export function serveNotFound(scope: FastifyInstance, dash: Dash): void {
  void scope.register((inner, _options, done) => {
    inner.addHook('onRequest', (request, reply, next) => {
      if (ofTheApi.test(request.url)) reply.callNotFound();
      else next();
    });
    servePage(inner, dash, {
      audience: 'everybody',
      path: '/dash/*',
      get: () => notThere('There is no page at this address.', { to: paths.me, label: 'Go to your account' }),
    });
    done();
  });
}
