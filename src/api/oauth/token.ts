import type { FastifyPluginCallback, FastifyRequest } from 'fastify';
import { requireClient } from '../../commands/oauth/authorization.ts';
import { loadServedClient } from '../../commands/oauth/client.ts';
import { OAuthRefused } from '../../commands/oauth/errors.ts';
import type { Signer } from '../../commands/oauth/signing-keys.ts';
import { redeemCode, refreshTokens, type Tokens } from '../../commands/oauth/tokens.ts';
import { people } from '../../projections/accounts-people.ts';
import { untilShown } from '../../projections/until-shown.ts';
import { StoreError } from '../../stores/errors.ts';
import { claimsOf, type Claims } from './claims.ts';
import { answerPreflights } from './cors.ts';
import { clientActor, contextOf, tokenParts, type SignInDependencies } from '../sign-in-dependencies.ts';
import { tokenShape } from './descriptions.ts';
import { uncached } from './errors.ts';
import { formOf } from '../http/forms.ts';
import { signIdToken } from './id-token.ts';
import { readParameters, required, soundValues, type Parameters } from './parameters.ts';
import { publicClientOf, publicClientParameters } from './public-client.ts';

export const tokenPath = '/oauth/token';

/** RFC 6749 sections 4.1.3 and 6, RFC 7636 section 4.5. */
const names = [
  'grant_type',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'scope',
  ...publicClientParameters,
] as const;

type Answer = Tokens & { readonly claims: Claims; readonly signer: Signer };
type TokenValues = Parameters<(typeof names)[number]>['values'];

const parameterNames: ReadonlySet<(typeof names)[number]> = new Set(names);

export const grantTypes = ['authorization_code', 'refresh_token'] as const;

/** The token endpoint (interface 4.1; RFC 6749 section 3.2; OpenID Connect Core section 3.1.3). */
export const token: FastifyPluginCallback<SignInDependencies> = (scope, dependencies, done) => {
  const { store, documents, personal, signingKeys, issuer, gate, refusals, now } = dependencies;
  const parts = tokenParts(dependencies);
  const persons = documents.collection(people.collection);

  scope.post(tokenPath, {
    compress: false,
    schema: tokenShape,
    handler: async (request, reply) => {
      if (!gate.open) await gate.pass();
      const values = soundValues(readParameters(formOf(request), parameterNames));
      try {
        const clientId = publicClientOf(values, request.headers);
        const body = await answerOf(await redeem(values, clientId, request));
        reply.headers(uncached);
        return body;
      } catch (error) {
        await refusals.note(error, { client: values.client_id, redirectUri: values.redirect_uri });
        throw error;
      }
    },
  });
  answerPreflights(scope, tokenPath, ['POST']);
  done();

  async function redeem(values: TokenValues, clientId: string, request: FastifyRequest): Promise<Answer> {
    const context = contextOf(clientActor(clientId), request, now());
    try {
      switch (required(values, 'grant_type', 'RFC 6749 section 4.1.3')) {
        case 'authorization_code':
          return await redeemCode(parts, { ...codeOf(values), clientId }, context, readAlso);
        case 'refresh_token': {
          const refreshToken = required(values, 'refresh_token', 'RFC 6749 section 6');
          const { scope } = values;
          return await refreshTokens(
            parts,
            { refreshToken, clientId, ...(scope === undefined ? {} : { scope }) },
            context,
            readAlso,
          );
        }
        default:
          throw new OAuthRefused(
            'unsupported_grant_type',
            `The grant_type is ${grantTypes.join(' or ')} (RFC 6749 section 5.2).`,
          );
      }
    } catch (error) {
      if (!(error instanceof OAuthRefused)) throw error;
      // An unknown client must get invalid_client (RFC 6749 section 3.2.1). For others no look-up is needed.
      requireClient(await loadServedClient(store, clientId));
      if (error.after) await untilShown(documents, error.after);
      throw error;
    }
  }

  /** The claims about the person, and the key that signs the id_token. */
  async function readAlso({ user, scopes }: Tokens) {
    const [person, signer] = await Promise.all([persons.get(user), signingKeys.signer()]);
    // The read model keeps everybody who ever signed in, erased people too. So it is behind.
    if (!person) throw new StoreError('unavailable', `The read model people does not show ${user} yet.`);
    const claims = await claimsOf(personal, person, scopes);
    if (!claims) throw new OAuthRefused('invalid_grant', 'This account is erased.');
    return { claims, signer };
  }

  /** RFC 6749 section 5.1, OpenID Connect Core section 3.1.3.3. All values are our own and need no escaping. */
  async function answerOf(answer: Answer): Promise<string> {
    const { accessToken, expiresIn, refreshToken, scopes, claims, signer } = answer;
    const idToken = await signIdToken(signer, issuer(), answer, claims, now());
    return `{"access_token":"${accessToken}","token_type":"Bearer","expires_in":${expiresIn},"refresh_token":"${refreshToken}","id_token":"${idToken}","scope":"${scopes.join(' ')}"}`;
  }
};

function codeOf(values: TokenValues) {
  const code = required(values, 'code', 'RFC 6749 section 4.1.3');
  const redirectUri = required(values, 'redirect_uri', 'RFC 6749 section 4.1.3');
  const codeVerifier = required(values, 'code_verifier', 'RFC 7636 section 4.5');
  if (!/^[A-Za-z0-9\-._~]{43,128}$/.test(codeVerifier)) {
    throw new OAuthRefused(
      'invalid_grant',
      'A code_verifier has 43 to 128 characters (RFC 7636 section 4.1).',
    );
  }
  return { code, redirectUri, codeVerifier };
}
