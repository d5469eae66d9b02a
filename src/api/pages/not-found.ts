import type { FastifyInstance } from 'fastify';
import { servePage } from './serve-page.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { notFoundView } from './common-views.ts';
import { paths } from './paths.ts';

/** The service API is under /dash as well, and answers for itself. */
const ofTheApi = /^\/dash\/api(\/|$|\?)/;

/** A page for people who followed an old or mistyped address of ours. */
export function serveNotFound(scope: FastifyInstance, dependencies: PageDependencies): void {
  void scope.register((inner, _options, done) => {
    inner.addHook('onRequest', (request, reply, next) => {
      if (ofTheApi.test(request.url)) reply.callNotFound();
      else next();
    });
    servePage(inner, dependencies, {
      audience: 'everybody',
      path: '/dash/*',
      get: () =>
        notFoundView('There is no page at this address.', { to: paths.me, label: 'Go to your account' }),
    });
    done();
  });
}
