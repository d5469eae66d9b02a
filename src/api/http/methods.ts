import { METHODS } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { commonProblem } from './errors.ts';

/** Registers every method that Node parses, so that a wrong one is 405 and not 404. */
export function acceptEveryMethod(server: FastifyInstance): void {
  // CONNECT never reaches a router: Node treats it as a tunnel.
  const unknown = METHODS.filter(
    (method) => method !== 'CONNECT' && !server.supportedMethods.includes(method),
  );
  for (const method of unknown) server.addHttpMethod(method, { hasBody: true });
}

/** Answers every method that an address does not support with 405 and Allow (RFC 9110 section 15.5.6). */
export function refuseOtherMethods(scope: FastifyInstance, url: string, allowed: readonly string[]): void {
  scope.route({
    method: scope.supportedMethods.filter((method) => !allowed.includes(method)),
    url,
    schema: { hide: true },
    // Before the body, which need not be read.
    onRequest: (request) => {
      throw commonProblem(
        'method_not_allowed',
        `${request.method} is not for this address; it takes ${allowed.join(', ')}.`,
        {
          headers: { allow: allowed.join(', ') },
        },
      );
    },
    handler: () => undefined,
  });
}
