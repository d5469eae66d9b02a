import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { loadServedClient } from '../../commands/oauth/client.ts';
import { grantConsent, loadConsent } from '../../commands/oauth/consent.ts';
import { OAuthRefused } from '../../commands/oauth/errors.ts';
import { issueCode } from '../../commands/oauth/tokens.ts';
import { defined } from '../../ground/defined.ts';
import { queryOf } from '../http/query-string.ts';
import { codeAnswer, errorAnswer, sendAnswer } from './authorization-response.ts';
import {
  authorizationRequestOf,
  readAuthorization,
  returnAddressOf,
  type AuthorizationParameters,
  type AuthorizationRequest,
  type ReturnAddress,
} from './authorization-request.ts';
import { contextOf, tokenParts, type SignInDependencies } from '../sign-in-dependencies.ts';
import { authorizeShape, resumeShape } from './descriptions.ts';
import { oauthProblemOf } from './errors.ts';
import { formOf } from '../http/forms.ts';
import { hintedUser } from './id-token.ts';
import { resumePath, type BrowserSession } from '../pages/interaction.ts';
import { sendSeeOther } from '../pages/redirects.ts';
import { nextStep } from './next-step.ts';
import { readParameters, required, soundValues } from './parameters.ts';
import type { Pending } from '../pages/pending-authorization.ts';

export const authorizePath = '/oauth/authorize';

/** The authorization endpoint (interface 4.1; RFC 6749 section 4.1.1; OpenID Connect Core section 3.1.2). */
export const authorize: FastifyPluginCallback<SignInDependencies> = (scope, dependencies, done) => {
  const { store, issuer, interaction, gate, signingKeys, refusals, now } = dependencies;
  const parts = tokenParts(dependencies);

  // There is no HEAD: it would use up the request like a GET, without showing the answer.
  scope.get(authorizePath, {
    exposeHeadRoute: false,
    compress: false,
    schema: authorizeShape,
    handler: (request, reply) => answer(queryOf(request.raw.url ?? ''), undefined, request, reply),
  });
  scope.post(authorizePath, {
    schema: { hide: true },
    handler: (request, reply) => {
      // OpenID Connect Core section 3.1.2.1. The session's cookie comes only with what follows.
      const form = formOf(request);
      readAuthorization(form);
      return sendSeeOther(reply, `${authorizePath}?${addressable(form)}`);
    },
  });
  scope.get(resumePath, {
    exposeHeadRoute: false,
    compress: false,
    schema: resumeShape,
    handler: (request, reply) => {
      const pending = interaction.open(continuationOf(request));
      if (!pending) throw new OAuthRefused('invalid_request', tookTooLong);
      return answer(pending.query, pending, request, reply);
    },
  });
  done();

  /** An error before the redirect URI is verified is thrown and becomes a page. Later errors are sent to the site. */
  async function answer(
    query: string,
    resumed: Pending | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    if (!gate.open) await gate.pass();
    const parameters = readAuthorization(query);
    const { client_id: client, redirect_uri: redirectUri } = parameters.values;
    let address: ReturnAddress;
    try {
      address = await returnAddressOf(parameters, (clientId) => loadServedClient(store, clientId));
    } catch (error) {
      await refusals.note(error, { client, redirectUri });
      throw error;
    }
    let to: Destination;
    try {
      to = await next(parameters, address, query, resumed, request);
    } catch (error) {
      await refusals.note(error, { client, redirectUri });
      to = { answer: errorAnswer(address, issuer(), oauthProblemOf(error, request)) };
    }
    if ('page' in to) return sendSeeOther(reply, to.page);
    return sendAnswer(reply, address, to.answer, resumed !== undefined);
  }

  async function next(
    parameters: AuthorizationParameters,
    address: ReturnAddress,
    query: string,
    resumed: Pending | undefined,
    request: FastifyRequest,
  ): Promise<Destination> {
    const authorization = authorizationRequestOf(parameters, address);
    const session = await interaction.session(request);
    const pending = resumed ?? firstSeen(query, session, now());
    const hinted = await hintedBy(authorization);
    const consentKey = session && { user: session.user, client: authorization.client.client };
    const consent = consentKey && (await loadConsent(store, consentKey));
    const step = nextStep(authorization, {
      session,
      hinted,
      consent,
      pending,
      resumed: resumed !== undefined,
    });
    switch (step.kind) {
      case 'sign-in':
        return {
          page: interaction.signIn({
            ...pending,
            choosing: step.choosing,
            ...defined({ insufficient: session?.sessionId }),
          }),
        };
      case 'ask-consent':
        return { page: interaction.consent({ ...pending, asking: step.session.sessionId }) };
      case 'issue': {
        const { user, sessionId, authTime, amr } = step.session;
        const { client, scopes, redirectUri, codeChallenge, nonce } = authorization;
        const context = () => contextOf({ kind: 'user', id: user }, request, now());
        if (step.implied.length > 0) {
          await grantConsent(store, { user, client: client.client }, step.implied, context());
        }
        const { code } = await issueCode(
          parts,
          {
            user,
            client: client.client,
            scopes,
            redirectUri,
            codeChallenge,
            ...defined({ nonce }),
            session: sessionId,
            authTime,
            amr,
          },
          context(),
        );
        return { answer: codeAnswer(address, issuer(), code) };
      }
    }
  }

  async function hintedBy({ idTokenHint, client }: AuthorizationRequest): Promise<string | undefined> {
    if (idTokenHint === undefined) return undefined;
    return hintedUser(signingKeys, issuer(), idTokenHint, client.client);
  }
};

/** Where the browser goes next: to a page of ours, or to the site with a code or an error. */
type Destination = { readonly page: string } | { readonly answer: ReturnType<typeof codeAnswer> };

const tookTooLong =
  'This sign-in took too long, or its address was changed. Go back to the site and start again.';

const firstSeen = (query: string, session: BrowserSession | undefined, at: Date): Pending => ({
  query,
  at: at.getTime() / 1_000,
  ...defined({ before: session?.sessionId }),
});

/** A form as the query of an address. What an address cannot hold is percent-encoded; what is malformed is refused later. */
const addressable = (form: string): string =>
  form.toWellFormed().replace(/[^\x21-\x7e]|#/gu, encodeURIComponent);

const continuation: ReadonlySet<'continue'> = new Set(['continue']);

function continuationOf({ raw }: FastifyRequest): string {
  const values = soundValues(readParameters(queryOf(raw.url ?? ''), continuation));
  return required(values, 'continue', 'our pages send it');
}
