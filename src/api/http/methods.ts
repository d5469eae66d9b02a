import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { commonProblem } from './responses/errors.ts';

/** The methods that addresses may take. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Every other method is refused everywhere, so all of them are routed as this one. A route for each method that Node
 * parses, at each address, took two thirds of the time in which a server is built.
 */
const otherMethods = 'PROPFIND';
const routed = new Set([...methods, otherMethods]);
const sentAs = new WeakMap<IncomingMessage, string>();

/**
 * Makes every address answer a wrong method with 405 instead of 404. Call it before the first route, and call what it
 * returns after the last.
 */
export function acceptEveryMethod(server: FastifyInstance): () => void {
  server.addHttpMethod(otherMethods, { hasBody: true });
  const addresses = new Map<string, Address>();
  server.addHook('onRoute', function (this: FastifyInstance, { url, routePath, method }) {
    const address = addresses.get(url) ?? { scope: this, path: routePath, methods: new Set() };
    for (const each of [method].flat()) address.methods.add(each);
    addresses.set(url, address);
  });
  return () => {
    for (const { scope, path, methods: taken } of [...addresses.values()]) {
      const allowed = methods.filter((method) => taken.has(method));
      // For the second form of an address, with a slash at its end, Fastify reports HEAD only.
      if (allowed.join() !== 'HEAD') refuseOtherMethods(scope, path, allowed);
    }
  };
}

/** An address with a route, and the methods that it takes. */
interface Address {
  readonly scope: FastifyInstance;
  /** Within the scope. */
  readonly path: string;
  readonly methods: Set<string>;
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
function refuseOtherMethods(scope: FastifyInstance, url: string, allowed: readonly string[]): void {
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
