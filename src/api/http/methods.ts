import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { commonProblem } from './errors/errors.ts';

/** The methods that addresses may take. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Every other method is refused everywhere, so all of them are routed as this one. A route for each method that Node
 * parses, at each address, took two thirds of the time in which a server is built.
 */
const otherMethods = 'PROPFIND';
const routed = new Set([...methods, otherMethods]);
const sentAs = new WeakMap<IncomingMessage, string>();

/** Registers a route for every method that Node parses, so that a wrong one is 405 and not 404. */
export function acceptEveryMethod(server: FastifyInstance): void {
  server.addHttpMethod(otherMethods, { hasBody: true });
}

/** Before a request is routed (`rewriteUrl` of Fastify): finds the route for its method, and returns its address as it is. */
export function routeEveryMethod(request: IncomingMessage): string {
  const { method = '', url = '' } = request;
  if (!routed.has(method)) {
    sentAs.set(request, method);
    request.method = otherMethods;
  }
  return url;
}

/** Answers every method that an address does not support with 405 and Allow (RFC 9110 section 15.5.6). */
export function refuseOtherMethods(scope: FastifyInstance, url: string, allowed: readonly string[]): void {
  scope.route({
    method: [...routed].filter((method) => !allowed.includes(method)),
    url,
    schema: { hide: true },
    // Before the body, which need not be read.
    onRequest: (request) => {
      throw commonProblem(
        'method_not_allowed',
        `${sentAs.get(request.raw) ?? request.method} is not for this address; it takes ${allowed.join(', ')}.`,
        {
          headers: { allow: allowed.join(', ') },
        },
      );
    },
    handler: () => undefined,
  });
}
