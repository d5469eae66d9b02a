import type { FastifyInstance } from 'fastify';
import type { SignInDependencies } from '../sign-in-dependencies.ts';

/** The service API answers for itself, wherever it is asked. */
const ofTheApi = /^\/dash\/api(\/|$|\?)/;

/**
 * Where AUTH_URL is another address than BASE_URL, people are signed in at AUTH_URL alone: one session, one host
 * for its cookie and for passkeys, shared with nothing else that is served at BASE_URL. A page that is opened at BASE_URL
 * redirects to AUTH_URL; a form that is posted there is answered, and leads to such a page.
 */
export function redirectToIssuer(
  scope: FastifyInstance,
  { config: { authUrl, baseUrl } }: Pick<SignInDependencies, 'config'>,
): void {
  if (authUrl === undefined || baseUrl === undefined) return;
  const base = new URL(baseUrl).host;
  if (new URL(authUrl).host === base) return;
  scope.addHook('onRequest', async ({ host, method, raw: { url = '' } }, reply) => {
    if (host !== base || !['GET', 'HEAD'].includes(method)) return;
    // Whatever the address, it is a path on AUTH_URL.
    if (!url.startsWith('/') || ofTheApi.test(url)) return;
    return reply.header('cache-control', 'no-store').redirect(authUrl + url, 303);
  });
}
