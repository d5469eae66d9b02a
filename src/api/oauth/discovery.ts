import type { FastifyPluginCallback } from 'fastify';
import { siteScopes } from '../../events/oauth/values.ts';
import { baseOf } from '../dependencies.ts';
import { prompts, responseModes } from './authorization-request.ts';
import { authorizePath } from './authorize.ts';
import { claimsSupported } from './claims.ts';
import { sendCacheable } from '../http/responses/cacheable.ts';
import { answerPreflights } from './cors.ts';
import type { SignInDependencies } from '../sign-in-dependencies.ts';
import { discoveryShape } from './descriptions.ts';
import { acrValues } from './id-token.ts';
import { jwksPath } from './jwks.ts';
import { logoutPath } from './logout.ts';
import { revokePath } from './revoke.ts';
import { grantTypes, tokenPath } from './token.ts';
import { userinfoPath } from './userinfo.ts';

/** OpenID Connect Discovery section 4 and RFC 8414 section 3. Both have the same content here. */
const paths = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'] as const;

const headers = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'public, max-age=3600',
};

/** The metadata of the provider (interface 4.1), with default values spelled out. */
export const discovery: FastifyPluginCallback<SignInDependencies> = (scope, dependencies, done) => {
  for (const path of paths) {
    scope.get(path, {
      schema: discoveryShape,
      handler: (request, reply) => {
        const body = JSON.stringify(metadataOf(dependencies.issuer(), baseOf(dependencies)));
        return sendCacheable(body, headers, request, reply);
      },
    });
    answerPreflights(scope, path, ['GET', 'HEAD']);
  }
  done();
};

/** OpenID Connect Discovery section 3; RFC 8414 section 2; RFC 9207 section 3; RP-Initiated Logout section 2.1. */
const metadataOf = (issuer: string, base: string) => ({
  issuer,
  authorization_endpoint: issuer + authorizePath,
  token_endpoint: issuer + tokenPath,
  userinfo_endpoint: issuer + userinfoPath,
  jwks_uri: issuer + jwksPath,
  revocation_endpoint: issuer + revokePath,
  end_session_endpoint: issuer + logoutPath,
  service_documentation: `${base || issuer}/docs`,
  scopes_supported: siteScopes,
  response_types_supported: ['code'],
  response_modes_supported: responseModes,
  grant_types_supported: grantTypes,
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  claim_types_supported: ['normal'],
  claims_supported: claimsSupported,
  acr_values_supported: acrValues,
  prompt_values_supported: prompts,
  display_values_supported: ['page'],
  ui_locales_supported: ['en'],
  claims_parameter_supported: false,
  request_parameter_supported: false,
  request_uri_parameter_supported: false,
  require_request_uri_registration: false,
  authorization_response_iss_parameter_supported: true,
});
