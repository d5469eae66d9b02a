import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';

/** What a browser could offer to a page. None of it is used, except where a page says so. */
const features = ['camera', 'display-capture', 'geolocation', 'microphone', 'midi', 'payment', 'usb'];

/** Lets a page use none of the features, or only these. */
export const permissionsPolicy = (used: readonly string[] = []): string =>
  features.map((each) => `${each}=(${used.includes(each) ? 'self' : ''})`).join(', ');

/** The headers of every answer. `Strict-Transport-Security` is added over https. */
export const securityHeaders: Readonly<Record<string, string>> = {
  // An answer that may be kept says so itself.
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // The same as frame-ancestors, for answers without a policy of their own.
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': permissionsPolicy(),
};

/** A year. Without includeSubDomains: we cannot decide about other hosts of the domain. */
const strictTransport = 'max-age=31536000';

/** A page without scripts that loads only our own style sheet, and nothing inline. */
export const pagePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A page with a form that is posted to us. */
export const formPolicy = pagePolicy.replace("form-action 'none'", "form-action 'self'");

export const requestIdHeader = 'x-request-id';

type Transport = Pick<Config, 'authUrl' | 'baseUrl' | 'trustProxy'>;

/** Sets the headers of every answer before any other hook can answer. */
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
 * A window that a site opened for its sign-in must keep its opener. `Cross-Origin-Opener-Policy` on any page or
 * redirect on the way would cut the connection, and the site would not get the answer.
 */
export const keepOpener = (reply: FastifyReply): FastifyReply =>
  reply.removeHeader('cross-origin-opener-policy');

/** Told by the proxy, or by our own address. HSTS must not be sent over http (RFC 6797 section 7.2). */
function isHttps({ protocol }: FastifyRequest, { authUrl, baseUrl, trustProxy }: Transport): boolean {
  if (trustProxy.length > 0) return protocol === 'https';
  return (authUrl ?? baseUrl)?.startsWith('https:') === true;
}
