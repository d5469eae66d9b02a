import type { FastifyPluginCallback } from 'fastify';
import { sendCacheable } from '../http/responses/cacheable.ts';
import { answerPreflights } from './cors.ts';
import type { SignInDependencies } from '../sign-in-dependencies.ts';
import { jwksShape } from './descriptions.ts';
import { OAuthProblem } from './errors.ts';

export const jwksPath = '/oauth/jwks.json';

/** How long a client may cache the keys, in seconds. A key is published for longer than this before it signs. */
export const jwksSeconds = 3_600;

const headers = {
  'content-type': 'application/jwk-set+json; charset=utf-8',
  'cache-control': `public, max-age=${jwksSeconds}`,
};

/** The keys to verify id_tokens with (interface 4.1; RFC 7517 section 5). */
export const jwks: FastifyPluginCallback<SignInDependencies> = (scope, { signingKeys }, done) => {
  scope.get(jwksPath, {
    schema: jwksShape,
    handler: async (request, reply) => {
      const { keys } = await signingKeys.jwks();
      // A client that caches an empty set would refuse everybody for as long.
      if (keys.length === 0) {
        throw new OAuthProblem('temporarily_unavailable', 'The first signing key is being made.', {
          headers: { 'retry-after': '1' },
        });
      }
      return sendCacheable(JSON.stringify({ keys }), headers, request, reply);
    },
  });
  answerPreflights(scope, jwksPath, ['GET', 'HEAD']);
  done();
};
