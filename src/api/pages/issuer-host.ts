import type { FastifyInstance } from 'fastify';
import type { SignInDependencies } from '../sign-in-dependencies.ts';

/** The service API answers at every address. */
const ofTheApi = /^\/dash\/api(\/|$|\?)/;

/**
 * When AUTH_URL differs from BASE_URL, people sign in at AUTH_URL only: one session, one host for its cookie and for
 * passkeys, shared with nothing else that is served at BASE_URL. A page that is opened at BASE_URL redirects to
 * AUTH_URL. A form that is posted to BASE_URL is answered, and leads to such a page.
 */
export function redirectToIssuer(
  scope: FastifyInstance,
  { config: { authUrl, baseUrl } }: Pick<SignInDependencies, 'config'>,
): void {
  if (authUrl === undefined || baseUrl === undefined) return;
  const base = new URL(baseUrl).host;
  if (new URL(authUrl).host === base) return;
  scope.addHook('onRequest', async ({ host, method, originalUrl: url }, reply) => {
    if (host !== base || !['GET', 'HEAD'].includes(method)) return;
    // Only a path is appended to AUTH_URL, whatever the request target is.
    if (!url.startsWith('/') || ofTheApi.test(url)) return;
    return reply.redirect(authUrl + url, 303);
  });
}
