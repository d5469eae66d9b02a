import type { FastifyInstance } from 'fastify';

/**
 * Lets pages of all sites read these answers, without cookies: callers present a token or a code, and the browser's
 * session does not count (interface 4.1; RFC 10017). Use it in the scope of these endpoints only. Pages must not read
 * the authorization endpoint.
 */
export function readableAnywhere(scope: FastifyInstance): void {
  scope.addHook('onRequest', (_request, reply, done) => {
    reply.headers(everywhere);
    done();
  });
}

const everywhere = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'WWW-Authenticate, Retry-After, ETag, X-Request-Id',
};

/** The answer to a preflight (Fetch section 3.2). */
export function answerPreflights(scope: FastifyInstance, url: string, methods: readonly string[]): void {
  const allow = [...methods, 'OPTIONS'].join(', ');
  const headers = {
    allow,
    'access-control-allow-methods': allow,
    'access-control-allow-headers': 'Authorization, Content-Type',
    'access-control-max-age': '86400',
  };
  scope.options(url, {
    schema: { hide: true },
    handler: (_request, reply) => reply.code(204).headers(headers).send(),
  });
}
