import type { FastifyPluginCallback, FastifyRequest } from 'fastify';
import { formType, takeForms } from '../http/forms.ts';
import { useCookies } from '../http/host-cookie.ts';
import { keepOpener } from '../http/security-headers.ts';
import { queryOf } from '../http/query-string.ts';
import { isClientId, readAuthorization } from './authorization-request.ts';
import { authorize } from './authorize.ts';
import { documentedOnly } from '../http/read-parameters.ts';
import { readableAnywhere } from './cors.ts';
import type { SignInDependencies } from '../sign-in-dependencies.ts';
import { siteOfWhoMayChangeIt } from './dash/site-of-team.ts';
import { discovery } from './discovery.ts';
import { sendErrorPage, type OwnSite } from './error-page.ts';
import { OAuthProblem, oauthProblemOf, sendOAuthProblem } from './errors.ts';
import { redirectToIssuer } from '../pages/issuer-host.ts';
import { jwks } from './jwks.ts';
import { logout } from './logout.ts';
import { revoke } from './revoke.ts';
import { token } from './token.ts';
import { userinfo } from './userinfo.ts';

/** The sign-in provider (interface 4.1): endpoints for programs, and endpoints for browsers. */
export const signInProvider: FastifyPluginCallback<SignInDependencies> = (scope, dependencies, done) => {
  scope.register(forPrograms, dependencies);
  scope.register(forBrowsers, dependencies);
  done();
};

/** Pages of all sites may read them. Errors are JSON. */
const forPrograms: FastifyPluginCallback<SignInDependencies> = (scope, dependencies, done) => {
  readableAnywhere(scope);
  takeForms(scope, forms);
  checkNothing(scope);
  scope.setErrorHandler((error, request, reply) => sendOAuthProblem(oauthProblemOf(error, request), reply));
  for (const endpoint of [discovery, jwks, token, userinfo, revoke]) scope.register(endpoint, dependencies);
  done();
};

/** Pages of other sites may not read them. Errors are pages. */
const forBrowsers: FastifyPluginCallback<SignInDependencies> = (scope, dependencies, done) => {
  scope.addHook('onRequest', (_request, reply, done) => {
    keepOpener(reply);
    done();
  });
  redirectToIssuer(scope, dependencies);
  useCookies(scope);
  takeForms(scope, forms);
  checkNothing(scope);
  scope.setErrorHandler(async (error, request, reply) => {
    const site = await ownSite(dependencies, request);
    return sendErrorPage(oauthProblemOf(error, request), request, reply, undefined, site);
  });
  for (const endpoint of [authorize, logout]) scope.register(endpoint, dependencies);
  done();
};

/** The site that a request names, where the person at the browser may change it. Nobody else learns what is registered. */
async function ownSite(
  { store, interaction }: SignInDependencies,
  request: FastifyRequest,
): Promise<OwnSite | undefined> {
  try {
    const { client_id: client = '' } = readAuthorization(queryOf(request.raw.url ?? '')).values;
    const session = isClientId(client) ? await interaction.session(request) : undefined;
    return session && (await siteOfWhoMayChangeIt(store, { user: session.user, client }));
  } catch {
    // The page shows the original error, which this one would hide.
    return undefined;
  }
}

/** Tokens, codes and addresses are short. */
const forms = {
  limit: 16 * 1024,
  otherType: () => new OAuthProblem('invalid_request', `The body is ${formType} (RFC 6749 appendix B).`),
};

/** The schemas are for the reference; see descriptions.ts. */
const checkNothing = (scope: Parameters<typeof forPrograms>[0]): void => {
  scope.setValidatorCompiler(documentedOnly);
};
