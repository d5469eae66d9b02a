import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { counted } from '../../ground/counted.ts';
import { AccessTokenValidity } from '../../projections/oauth-access-token-validity.ts';
import { networkOf } from '../../ground/network.ts';
import { InvalidTokenPauses } from '../http/invalid-token-pauses.ts';
import { claimsOf, reservedClaims } from './claims.ts';
import { answerPreflights } from './cors.ts';
import type { SignInDependencies } from '../sign-in-dependencies.ts';
import { userinfoShape } from './descriptions.ts';
import { OAuthProblem, uncached } from './errors.ts';
import { formOf } from '../http/forms.ts';
import { readParameters, soundValues } from './parameters.ts';
import { bearerToken } from '../http/key-guard.ts';

export const userinfoPath = '/oauth/userinfo';

/** The userinfo endpoint (interface 4.1; OpenID Connect Core section 5.3; RFC 6750). */
export const userinfo: FastifyPluginCallback<SignInDependencies> = (scope, dependencies, done) => {
  const { tokenKeys, personal, gate, now } = dependencies;
  const validity = new AccessTokenValidity(dependencies);
  const reserved = reservedClaims(dependencies);
  const pauses = new InvalidTokenPauses();

  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<string> => {
    if (!gate.open) await gate.pass();
    const token = await tokenKeys.read(tokenOf(request));
    // A token that was once valid is not a guess, and does not count towards a pause.
    if (token?.kind !== 'access') {
      throw invalidToken(pauses.invalid(networkOf(request.ip), now().getTime()));
    }
    const found = await validity.of(token, now());
    if (found.status === 'invalid') {
      await gate.passUnlessLost();
      throw invalidToken(0);
    }
    const { scopes, person } = found;
    if (!scopes.includes('openid')) throw insufficientScope();
    const claims = await claimsOf(personal, person, scopes);
    if (!claims) throw invalidToken(0);
    const body = JSON.stringify({ sub: person.user, ...claims, ...(await reserved(person.user, scopes)) });
    reply.headers(uncached);
    return body;
  };
  scope.get(userinfoPath, { compress: false, schema: userinfoShape, handler });
  scope.post(userinfoPath, { compress: false, schema: userinfoShape, handler });
  answerPreflights(scope, userinfoPath, ['GET', 'HEAD', 'POST']);
  done();
};

const inBody: ReadonlySet<'access_token'> = new Set(['access_token']);

/** In the header or in the form, not in both, and never in the address (RFC 6750 section 2, RFC 9700 section 4.3.2). */
function tokenOf(request: FastifyRequest): string {
  const inHeader = bearerToken(request.headers.authorization);
  const { access_token: inForm } = soundValues(readParameters(formOf(request), inBody));
  if (inHeader !== undefined && inForm !== undefined) {
    throw new OAuthProblem('invalid_request', 'The token came twice (RFC 6750 section 2).', {
      headers: { 'www-authenticate': 'Bearer error="invalid_request"' },
    });
  }
  const token = inHeader ?? inForm;
  if (token !== undefined) return token;
  // RFC 6750 section 3.1: without a token, the answer has no error code.
  throw new OAuthProblem('invalid_token', 'Send the access token: Authorization: Bearer <ACCESS_TOKEN>.', {
    headers: { 'www-authenticate': 'Bearer' },
  });
}

/** RFC 6750 section 3.1. For repeated guesses: interface 5.5. */
function invalidToken(pausedForMs: number): OAuthProblem {
  if (pausedForMs === 0) {
    return new OAuthProblem(
      'invalid_token',
      'The access token is not valid; it may have expired or been revoked.',
      {
        headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
      },
    );
  }
  const seconds = String(Math.ceil(pausedForMs / 1_000));
  return new OAuthProblem(
    'invalid_token',
    `Too many invalid tokens from this network; wait ${counted(Number(seconds), 'second')}.`,
    {
      status: 429,
      headers: { 'retry-after': seconds },
    },
  );
}

const insufficientScope = () =>
  new OAuthProblem('insufficient_scope', 'The access token lacks the scope openid.', {
    headers: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="openid"' },
  });
