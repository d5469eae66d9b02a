import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { requireClient } from '../../commands/authorization.ts';
import { loadClient } from '../../commands/client.ts';
import { OAuthRefused } from '../../commands/oauth-errors.ts';
import { endSession } from '../../commands/session.ts';
import { sessions } from '../../projections/sessions.ts';
import { visible } from '../../projections/views.ts';
import { formPolicy } from '../headers.ts';
import { html, type Html } from '../html.ts';
import { refuseOtherMethods } from '../methods.ts';
import { page } from '../page.ts';
import { queryOf } from '../query-string.ts';
import { isClientId } from './authorization-request.ts';
import { locationOf } from './authorization-response.ts';
import { contextOf, type SignInDependencies } from './dependencies.ts';
import { logoutShape } from './descriptions.ts';
import { sendErrorPage, type Wording } from './error-page.ts';
import { oauthProblemOf } from './errors.ts';
import { formOf } from './form-body.ts';
import { readHint, type Hint } from './id-token.ts';
import type { BrowserSession } from './interaction.ts';
import { readParameters, soundValues, type Parameters } from './parameters.ts';
import { SealedParameter } from './sealed-parameter.ts';
import { sessionCookie } from './session-cookie.ts';

export const logoutPath = '/oauth/logout';

/** RP-Initiated Logout section 2; `confirm` comes from our own page. */
const names = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state', 'confirm'] as const;

type LogoutValues = Parameters<(typeof names)[number]>['values'];

const known: ReadonlySet<(typeof names)[number]> = new Set(names);

/** What somebody confirms: the end of this session, and where they are sent then. */
interface Confirmation {
  readonly session: string;
  readonly to?: string;
}

const wording: Wording = {
  title: 'You could not be signed out this way',
  theirs:
    'The site that sent you here made a mistake in its request. You may still be signed in: open our own sign-out page, at the same address without anything after it.',
  ours: 'Something does not work on our side at the moment, and you may still be signed in. Wait a minute and try again.',
};

/** How long the question may stand, in seconds. */
const confirmSeconds = 3_600;

/**
 * Sign-out, for sites and for our own pages (OpenID Connect RP-Initiated Logout). It ends the session at this
 * browser; what sites hold is theirs until it is revoked.
 */
export const logout: FastifyPluginCallback<SignInDependencies> = (scope, dependencies, done) => {
  const { store, documents, signingKeys, issuer, interaction, gate, masterKey, now } = dependencies;
  const confirmations = new SealedParameter<Confirmation>(masterKey, 'sign-out', confirmSeconds);

  scope.setErrorHandler((error, request, reply) =>
    sendErrorPage(oauthProblemOf(error, request), request, reply, wording),
  );
  scope.get(logoutPath, {
    exposeHeadRoute: false,
    schema: logoutShape,
    handler: (request, reply) => answer(queryOf(request.raw.url ?? ''), request, reply),
  });
  scope.post(logoutPath, {
    schema: { hide: true },
    handler: (request, reply) => answer(formOf(request), request, reply),
  });
  refuseOtherMethods(scope, logoutPath, ['GET', 'POST']);
  done();

  async function answer(text: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (!gate.open) await gate.pass();
    const values = soundValues(readParameters(text, known));
    const confirmed = values.confirm === undefined ? undefined : confirmations.open(values.confirm, now());
    const hint = await hintOf(values);
    const to = confirmed ? confirmed.to : await destinationOf(values, hint);
    const session = await interaction.session(request);
    if (!session) return leave(to, reply);
    // Any site may send anybody here: only who holds an id_token of this very person is not asked about.
    if (confirmed?.session === session.sessionId || (hint?.verified && hint.user === session.user)) {
      await end(session, request);
      return leave(to, reply.header('set-cookie', sessionCookie(issuer()).clear()));
    }
    return ask(session, to, reply);
  }

  async function hintOf({ id_token_hint }: LogoutValues): Promise<Hint | undefined> {
    return id_token_hint === undefined ? undefined : readHint(signingKeys, issuer(), id_token_hint);
  }

  /** RP-Initiated Logout section 3: only to a URI that the client has registered, character by character. */
  async function destinationOf(values: LogoutValues, hint: Hint | undefined): Promise<string | undefined> {
    const { client_id, post_logout_redirect_uri: uri, state } = values;
    if (client_id !== undefined && hint?.client !== undefined && client_id !== hint.client) {
      throw refused('The client_id is not the audience of the id_token_hint', '2');
    }
    if (uri === undefined) return undefined;
    const clientId = client_id ?? hint?.client;
    if (clientId === undefined) {
      throw refused('A post_logout_redirect_uri needs an id_token_hint or a client_id', '2');
    }
    const client = requireClient(isClientId(clientId) ? await loadClient(store, clientId) : undefined);
    if (!client.post_logout_redirect_uris.includes(uri)) {
      throw refused('The post_logout_redirect_uri is not registered for this client', '3');
    }
    return locationOf(uri, [['state', state]]);
  }

  /** Nobody is signed in by this session any more, at any node, when this is done. */
  async function end({ sessionId, user }: BrowserSession, request: FastifyRequest): Promise<void> {
    const context = contextOf({ kind: 'user', id: user }, request, now());
    const { position } = await endSession(store, sessionId, 'signed_out', context);
    await visible(documents, [sessions.collection.name], position);
  }

  function ask({ sessionId }: BrowserSession, to: string | undefined, reply: FastifyReply): FastifyReply {
    const confirmation = { session: sessionId, ...(to === undefined ? {} : { to }) };
    const question = html`<p>This ends your session in this browser.</p>
      <form method="post" action="${logoutPath}">
        <input type="hidden" name="confirm" value="${confirmations.seal(confirmation, now())}" />
        <button type="submit" class="primary">Sign out</button>
      </form>
      <p><a href="/">Stay signed in</a></p>`;
    return sendPage('Sign out?', question, to === undefined ? [] : [new URL(to).origin], reply);
  }
};

function leave(to: string | undefined, reply: FastifyReply): FastifyReply {
  if (to === undefined) {
    return sendPage(
      'You are signed out',
      html`<p>Sites that you signed in to may still know you.</p>`,
      [],
      reply,
    );
  }
  return reply.code(303).headers({ location: to, 'cache-control': 'no-store' }).send();
}

const sendPage = (
  title: string,
  content: Html,
  origins: readonly string[],
  reply: FastifyReply,
): FastifyReply =>
  reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': formPolicy(...origins),
    })
    .send(page({ title, content, shape: 'narrow' }));

const refused = (why: string, section: string) =>
  new OAuthRefused('invalid_request', `${why} (OpenID Connect RP-Initiated Logout section ${section}).`);
