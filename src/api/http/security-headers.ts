import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';

/** What every answer carries, whoever gives it; `Strict-Transport-Security` comes along over https. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // As frame-ancestors says it; for answers that have no policy of their own.
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy':
    'camera=(), display-capture=(), geolocation=(), microphone=(), midi=(), payment=(), usb=()',
};

/** A year. Other hosts of the domain are not ours to decide about, so without includeSubDomains. */
const strictTransport = 'max-age=31536000';

/** A page that runs nothing and loads our own style sheet alone, with nothing inline. */
export const pagePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A page with a form that is posted to us. */
export const formPolicy = pagePolicy.replace("form-action 'none'", "form-action 'self'");

export const requestIdHeader = 'x-request-id';

type Transport = Pick<Config, 'authUrl' | 'baseUrl' | 'trustProxy'>;

/** Sets the headers of every answer before anything else can answer. */
export function secureEveryAnswer(server: FastifyInstance, config: Transport): void {
  server.addHook('onRequest', (request, reply, done) => {
    secure(request, reply, config);
    done();
  });
}

export function secure(request: FastifyRequest, reply: FastifyReply, config: Transport): void {
  reply.headers({ ...securityHeaders, [requestIdHeader]: request.id });
  if (isHttps(request, config)) reply.header('strict-transport-security', strictTransport);
}

/**
 * A window that a site opened for its sign-in stays the site's: under `Cross-Origin-Opener-Policy` on any page or
 * redirect on the way, the site would lose it, and the answer with it.
 */
export const keepOpener = (reply: FastifyReply): FastifyReply =>
  reply.removeHeader('cross-origin-opener-policy');

/** Told by the proxy in front, or by our own address; HSTS is not to be said over http (RFC 6797 section 7.2). */
function isHttps({ protocol }: FastifyRequest, { authUrl, baseUrl, trustProxy }: Transport): boolean {
  if (trustProxy.length > 0) return protocol === 'https';
  return (authUrl ?? baseUrl)?.startsWith('https:') === true;
}
