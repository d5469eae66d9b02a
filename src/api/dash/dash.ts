import type { FastifyInstance, FastifyPluginCallback } from 'fastify';
import { Outbox } from '../../mail/outbox.ts';
import { NoDataKey } from '../../personal/personal-data.ts';
import { OAuthRefused } from '../../commands/oauth-errors.ts';
import { noted } from '../answers.ts';
import type { SignInDependencies } from '../oauth/dependencies.ts';
import { keepToIssuer } from '../oauth/issuer-host.ts';
import { commonProblem } from '../errors.ts';
import { account, home } from './account.ts';
import { apps, revoke, revokeAll } from './apps.ts';
import { consent } from './consent.ts';
import type { Dash } from './dependencies.ts';
import { email } from './email.ts';
import { confirmEmail } from './email-confirm.ts';
import { FormTokens } from './form-token.ts';
import { KnownBrowsers } from './known-browser.ts';
import { layout } from './layout.ts';
import { newPassword } from './new-password.ts';
import { serveNowhere } from './nowhere.ts';
import { outbox } from './outbox.ts';
import { Challenges } from './passkey-challenge.ts';
import { passkeys } from './passkeys.ts';
import { password } from './password.ts';
import { dashPolicy } from './policy.ts';
import { profile } from './profile.ts';
import { removePasskey } from './remove-passkey.ts';
import { register, registered } from './register.ts';
import { reset, resetSent } from './reset.ts';
import { servePage } from './serve-page.ts';
import { endAllSessions, endOneSession, sessions } from './sessions.ts';
import { setUp } from './set-up.ts';
import { signIn } from './sign-in.ts';
import { signInByPasskey } from './sign-in-passkey.ts';
import { signOut } from './sign-out.ts';
import { editSite, siteStatus } from './site-edit.ts';
import { newSite } from './site-new.ts';
import { sites } from './sites.ts';
import { fault } from './small-pages.ts';
import { Throttle } from './throttle.ts';
import { verify } from './verify.ts';

/** The most bytes that a form may have; a passkey's answer is the longest that we read. */
const formLimit = 64 * 1024;

/** Every page where people sign in, consent, and see to their accounts and sites. */
const pages = [
  ...[signIn, signInByPasskey, signOut, register, registered, verify, reset, resetSent, newPassword, setUp],
  consent,
  ...[home, account, profile, password, email, confirmEmail, passkeys, removePasskey],
  ...[sessions, endOneSession, endAllSessions, apps, revoke, revokeAll],
  ...[sites, newSite, editSite, siteStatus, outbox],
];

export const dashboard: FastifyPluginCallback<SignInDependencies> = (scope, dependencies, done) => {
  const { side, masterKey, now } = dependencies;
  const dash: Dash = {
    ...dependencies,
    outbox: new Outbox({ side, masterKey }, now),
    forms: new FormTokens(masterKey),
    throttle: new Throttle(dependencies.tries, masterKey),
    challenges: new Challenges({ masterKey, side }),
    known: new KnownBrowsers(masterKey, dependencies.issuer),
  };
  keepToIssuer(scope, dependencies);
  takeForms(scope);
  answerFaults(scope);
  for (const page of pages) servePage(scope, dash, page(dash));
  serveNowhere(scope, dash);
  done();
};

/** Takes forms and nothing else, as the text they are. */
function takeForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: formLimit },
    (_request, body, done) => done(null, body),
  );
  scope.addContentTypeParser('*', (_request, _payload, done) => {
    done(commonProblem('unsupported_media_type', 'A form is sent as application/x-www-form-urlencoded.'));
  });
}

/** What is thrown becomes a page that says what to do; a fault of ours goes into the log. */
function answerFaults(scope: FastifyInstance): void {
  scope.setErrorHandler((error, request, reply) => {
    const { status, message, headers } = problemOf(error, request);
    return reply
      .code(status)
      .headers({
        'cache-control': 'no-store',
        ...headers,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': dashPolicy({ script: false }),
      })
      .send(layout(fault(status, message), { who: undefined, sessionToken: undefined, path: '' }));
  });
}

function problemOf(error: unknown, request: Parameters<typeof noted>[1]) {
  if (error instanceof OAuthRefused) return { status: error.status, message: error.message, headers: {} };
  if (error instanceof NoDataKey) return { status: 404, message: 'This account is erased.', headers: {} };
  return noted(error, request);
}
