import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { requireClient } from '../../commands/oauth/authorization.ts';
import { loadServedClient } from '../../commands/oauth/client.ts';
import { OAuthRefused } from '../../commands/oauth/errors.ts';
import { endSession } from '../../commands/accounts/session.ts';
import { untilShown } from '../../projections/until-shown.ts';
import { formPolicy } from '../http/security-headers.ts';
import { html, type Html } from '../pages/html.ts';
import { page } from '../pages/frame/page-frame.ts';
import { queryOf } from '../http/query-string.ts';
import { isClientId } from './authorization-request.ts';
import { locationOf } from './authorization-response.ts';
import { contextOf, type SignInDependencies } from '../sign-in-dependencies.ts';
import { logoutShape } from './descriptions.ts';
import { sendErrorPage, type Wording } from './error-page.ts';
import { oauthProblemOf } from './errors.ts';
import { formOf } from '../http/forms.ts';
import { readHint, type Hint } from './id-token.ts';
import type { BrowserSession } from '../pages/interaction.ts';
import { shownSiteName } from '../pages/parts/named-site.ts';
import { sendSeeOther, sendRedirectPage } from '../pages/redirects.ts';
import { readParameters, soundValues, type Parameters } from './parameters.ts';
import { SealedValue } from '../../ground/seal.ts';
import { sessionCookie, setCookies } from '../http/host-cookie.ts';

export const logoutPath = '/oauth/logout';

/** RP-Initiated Logout section 2; `continue` comes from us. */
const names = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state', 'continue'] as const;

type LogoutValues = Parameters<(typeof names)[number]>['values'];

const parameterNames: ReadonlySet<(typeof names)[number]> = new Set(names);

/** A sign-out that needs no question, and where the person is sent afterwards. */
interface SignOut {
  /** The session of the person who pressed the button. */
  readonly session?: string | undefined;
  /** The person whose id_token the site sent. */
  readonly user?: string | undefined;
  readonly to?: Destination | undefined;
}

/** Where a site asks to send people afterwards. */
interface Destination {
  readonly uri: string;
  /** The name of the site. */
  readonly site: string;
}

const wording: Wording = {
  title: 'You could not be signed out this way',
  theirs:
    'The site that sent you here made a mistake in its request. You may still be signed in. To sign out, go to your account and press Sign out.',
  ours: 'Something went wrong on our side, and you may still be signed in. Wait a minute and try again.',
};

/** It travels sealed in an address of ours, which makes it longer. */
const longestDestination = 6_000;

/** How long the question is valid, in seconds. */
const questionSeconds = 3_600;

/**
 * Sign-out, for sites and for our own pages (OpenID Connect RP-Initiated Logout). It ends the session of this
 * browser. The tokens of sites stay valid until they are revoked.
 */
export const logout: FastifyPluginCallback<SignInDependencies> = (scope, dependencies, done) => {
  const { store, documents, signingKeys, issuer, interaction, gate, masterKey, now } = dependencies;
  const underway = new SealedValue<SignOut>(masterKey, 'sign-out', questionSeconds);

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
    handler: async (request, reply) => {
      // The session cookie is not sent with another site's form, but with the redirect that follows. An id_token is
      // personal, so it must not be in an address: the redirect carries what was read from it, sealed.
      const { signOut } = await signOutIn(formOf(request));
      return sendSeeOther(reply, `${logoutPath}?continue=${underway.seal(signOut, now())}`);
    },
  });
  done();

  async function answer(query: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { signOut, posted } = await signOutIn(query);
    const session = await interaction.session(request);
    if (session) {
      // Any site can send anybody here, so the person is asked, unless the site sent an id_token of this person.
      if (signOut.session !== session.sessionId && signOut.user !== session.user) {
        return ask(session, signOut.to, reply);
      }
      await end(session, request);
      setCookies(reply, [sessionCookie(issuer()).clear()]);
    }
    if (!signOut.to) return sendPage('You are signed out', signedOut, reply);
    const { uri, site } = signOut.to;
    return posted ? sendRedirectPage(reply, { to: uri, site }) : sendSeeOther(reply, uri);
  }

  /** The requested sign-out. `posted`: it came as a form, and is then sealed. */
  async function signOutIn(text: string): Promise<{ signOut: SignOut; posted: boolean }> {
    if (!gate.open) await gate.pass();
    const values = soundValues(readParameters(text, parameterNames));
    const sealed = values.continue === undefined ? undefined : underway.open(values.continue, now());
    if (sealed) return { signOut: sealed, posted: true };
    const hint = await hintOf(values);
    const to = await destinationOf(values, hint);
    return { signOut: { user: hint?.verified ? hint.user : undefined, to }, posted: false };
  }

  async function hintOf({ id_token_hint }: LogoutValues): Promise<Hint | undefined> {
    return id_token_hint === undefined ? undefined : readHint(signingKeys, issuer(), id_token_hint);
  }

  /** RP-Initiated Logout section 3: only a URI that the client has registered, compared character by character. */
  async function destinationOf(
    values: LogoutValues,
    hint: Hint | undefined,
  ): Promise<Destination | undefined> {
    const { client_id, post_logout_redirect_uri: uri, state } = values;
    if (client_id !== undefined && hint?.client !== undefined && client_id !== hint.client) {
      throw refused('The client_id is not the audience of the id_token_hint', '2');
    }
    if (uri === undefined) return undefined;
    const clientId = client_id ?? hint?.client;
    if (clientId === undefined) {
      throw refused('A post_logout_redirect_uri needs an id_token_hint or a client_id', '2');
    }
    const client = requireClient(isClientId(clientId) ? await loadServedClient(store, clientId) : undefined);
    if (!client.post_logout_redirect_uris.includes(uri)) {
      throw refused('The post_logout_redirect_uri is not registered for this client', '3');
    }
    const destination = locationOf(uri, [['state', state]]);
    if (destination.length > longestDestination) {
      throw refused(`The state makes an address of more than ${longestDestination} characters`, '2');
    }
    return { uri: destination, site: shownSiteName(client) };
  }

  /** Resolves when no node accepts the session any more. */
  async function end({ sessionId, user }: BrowserSession, request: FastifyRequest): Promise<void> {
    const context = contextOf({ kind: 'user', id: user }, request, now());
    const ended = await endSession(store, sessionId, 'signed_out', context);
    await untilShown(documents, ended);
  }

  function ask(
    { sessionId }: BrowserSession,
    to: Destination | undefined,
    reply: FastifyReply,
  ): FastifyReply {
    const question = html`<p>This signs you out in this browser.</p>
      <form method="post" action="${logoutPath}">
        <input type="hidden" name="continue" value="${underway.seal({ session: sessionId, to }, now())}" />
        <button type="submit" class="primary">Sign out</button>
      </form>
      <p><a href="/">Stay signed in</a></p>`;
    return sendPage('Sign out?', question, reply);
  }
};

const signedOut = html`<p>You may still be signed in to other sites.</p>`;

const sendPage = (title: string, content: Html, reply: FastifyReply): FastifyReply =>
  reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': formPolicy,
    })
    .send(page({ title, content, shape: 'narrow' }));

const refused = (why: string, section: string) =>
  new OAuthRefused('invalid_request', `${why} (OpenID Connect RP-Initiated Logout section ${section}).`);
