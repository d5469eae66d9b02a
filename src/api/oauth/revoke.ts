import type { FastifyPluginCallback } from 'fastify';
import { requireClient } from '../../commands/oauth/authorization.ts';
import { loadServedClient } from '../../commands/oauth/client.ts';
import { revokeToken } from '../../commands/oauth/token-revocation.ts';
import { untilShown } from '../../projections/until-shown.ts';
import { answerPreflights } from './cors.ts';
import { clientActor, contextOf, tokenParts, type SignInDependencies } from '../sign-in-dependencies.ts';
import { revokeShape } from './descriptions.ts';
import { uncached } from './errors.ts';
import { formOf } from '../http/forms.ts';
import { publicClientOf, publicClientParameters } from './public-client.ts';
import { readParameters, required, soundValues } from './parameters.ts';

export const revokePath = '/oauth/revoke';

/** token_type_hint is not needed: the prefix of a token tells its type (RFC 7009 section 2.1). */
const parameterNames = new Set(['token', ...publicClientParameters] as const);

/** Token revocation (RFC 7009). After the answer no node accepts the token. */
export const revoke: FastifyPluginCallback<SignInDependencies> = (scope, dependencies, done) => {
  const { store, documents, gate, now } = dependencies;
  const parts = tokenParts(dependencies);

  scope.post(revokePath, {
    compress: false,
    schema: revokeShape,
    handler: async (request, reply) => {
      if (!gate.open) await gate.pass();
      const values = soundValues(readParameters(formOf(request), parameterNames));
      const clientId = publicClientOf(values, request.headers);
      const token = required(values, 'token', 'RFC 7009 section 2.1');
      requireClient(await loadServedClient(store, clientId));
      const context = contextOf(clientActor(clientId), request, now());
      const revoked = await revokeToken(parts, { token, clientId }, context);
      if (revoked) await untilShown(documents, revoked);
      // RFC 7009 section 2.2: 200 also for a text that is no valid token, and clients ignore the body. Some read every
      // answer of a provider as JSON, and fail on an empty one.
      return reply.code(200).headers(uncached).send('{}');
    },
  });
  answerPreflights(scope, revokePath, ['POST']);
  done();
};
