import type { FastifyInstance, FastifyReply } from 'fastify';

/** What every answer carries, whoever gives it. */
const secured = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' } as const;

/** For answers that are given outside of the router. */
export const securityHeaders: Readonly<Record<string, string>> = secured;

/** A page that runs nothing and loads our own style sheet alone, with nothing inline. */
export const pagePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A page with a form that is posted to us. */
export const formPolicy = pagePolicy.replace("form-action 'none'", "form-action 'self'");

export const requestIdHeader = 'x-request-id';

/** Sets the headers of every answer before anything else can answer. */
export function secureEveryAnswer(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    secure(reply, request.id);
    done();
  });
}

export function secure(reply: FastifyReply, requestId: string): void {
  reply.headers({ ...secured, [requestIdHeader]: requestId });
}
