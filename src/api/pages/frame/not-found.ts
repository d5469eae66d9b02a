import type { FastifyInstance } from 'fastify';
import { servePage } from '../serve-page.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { notFoundView } from './common-views.ts';
import { paths } from '../paths.ts';

/** The service API is under /dash too, and has its own errors. */
const ofTheApi = /^\/dash\/api(\/|$|\?)/;

/** The page for old and mistyped addresses. */
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
