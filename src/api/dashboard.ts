import type { FastifyInstance, FastifyPluginCallback } from 'fastify';
import { Outbox } from '../mail/outbox.ts';
import { NoDataKey } from '../personal/personal-data.ts';
import { OAuthRefused } from '../commands/oauth/errors.ts';
import { problemAndLog } from './http/responses/error-answers.ts';
import { formType, takeForms } from './http/forms.ts';
import { useCookies } from './http/host-cookie.ts';
import type { SignInDependencies } from './sign-in-dependencies.ts';
import { addressOf } from './dependencies.ts';
import { widgetGenerator } from './directory/widget/generator.ts';
import { servePreview } from './directory/widget/preview.ts';
import { serveGuides } from './guides-pages.ts';
import { keyPages } from './keys/key-pages.ts';
import { redirectToIssuer } from './pages/issuer-host.ts';
import { commonProblem } from './http/responses/errors.ts';
import { account } from './accounts/account.ts';
import { administratorPage } from './accounts/administrator-page.ts';
import { administratorsPage } from './accounts/administrators-page.ts';
import { homePage } from './home-page.ts';
import { dismissStart } from './home-start.ts';
import { connectedApps, revoke, revokeAll } from './oauth/dash/connected-apps.ts';
import { consent } from './oauth/dash/consent.ts';
import { withoutRule } from './oauth/errors.ts';
import type { PageDependencies } from './dashboard-dependencies.ts';
import { confirmEmailAgain, email } from './accounts/email.ts';
import { eraseAccount, keepAccount } from './accounts/erase.ts';
import { confirmEmail } from './accounts/email-confirm.ts';
import { FormCommands } from './pages/form-command.ts';
import { FormTokens } from './pages/form-token.ts';
import { RecognizedBrowsers } from './accounts/sign-in/recognized-browser.ts';
import { layout } from './pages/frame/layout.ts';
import { newPassword } from './accounts/sign-in/new-password.ts';
import { outbox } from './accounts/outbox.ts';
import { ownDataPage } from './accounts/own-data.ts';
import { Challenges } from '../actions/accounts/challenges.ts';
import { passkeys } from './accounts/passkeys.ts';
import { mailsPage } from './accounts/mails.ts';
import { password } from './accounts/password.ts';
import { contentSecurityPolicy } from './pages/content-security-policy.ts';
import { profile } from './accounts/profile.ts';
import { removePasskey } from './accounts/remove-passkey.ts';
import { register, registered } from './accounts/sign-in/register.ts';
import { reset, resetSent } from './accounts/sign-in/reset.ts';
import { servePage } from './pages/serve-page.ts';
import { endAllSessions, endOneSession, sessions, signOut } from './accounts/sessions.ts';
import { firstAdministratorPage } from './accounts/sign-in/first-administrator.ts';
import { signIn } from './accounts/sign-in/sign-in.ts';
import { signInByPasskey } from './accounts/sign-in-passkey.ts';
import { directoryPages } from './directory/dash/pages.ts';
import { checkDomain, editSite, siteStatus } from './oauth/dash/site-edit.ts';
import { newSite } from './oauth/dash/site-new.ts';
import { siteCode } from './oauth/dash/site-code.ts';
import { previewSite } from './oauth/dash/site-preview.ts';
import { sites } from './oauth/dash/sites.ts';
import { confirmOfficePage, serveStopAtOnce, stopOfficePage } from './forms/office-pages.ts';
import { formPages } from './forms/dash/form-pages.ts';
import { paymentPages } from './payments/payment-pages.ts';
import { teamPages } from './teams/team-pages.ts';
import { joinPage } from './accounts/sign-in/join.ts';
import { leaveTeam, yourTeams } from './teams/your-teams.ts';
import { faultView, notFoundView } from './pages/frame/common-views.ts';
import { asOfPage } from './audit/dash/as-of-page.ts';
import { eventPage, eventProof } from './audit/dash/event-page.ts';
import { eventsPage } from './audit/dash/events-page.ts';
import { eventsTable } from './audit/dash/events-table.ts';
import { exportFile, exportsPage } from './audit/dash/exports-page.ts';
import { keyUsagePage } from './audit/dash/key-usage-page.ts';
import { walkPage } from './audit/dash/walk-page.ts';
import { doctorPage } from './operations/checks.ts';
import { operationsPage } from './operations/operations-page.ts';
import { rebuildsPage } from './operations/rebuilds.ts';
import { refusedSignIns } from './accounts/sign-in/refused-sign-ins.ts';
import { Throttle } from '../actions/accounts/throttle.ts';
import { verify } from './accounts/sign-in/verify.ts';
import { webhooksPages } from './webhooks/webhooks-pages.ts';
import { paths } from './pages/paths.ts';

const forms = {
  /** The response of a passkey is the longest field. */
  limit: 64 * 1024,
  otherType: () => commonProblem('unsupported_media_type', `A form is sent as ${formType}.`),
};

/** All pages where people sign in, consent, and manage their accounts and sites. */
const pages = [
  ...[
    signIn,
    signInByPasskey,
    signOut,
    register,
    registered,
    verify,
    reset,
    resetSent,
    newPassword,
    firstAdministratorPage,
  ],
  consent,
  ...[homePage, dismissStart, account, profile, mailsPage, password, email, confirmEmail, confirmEmailAgain],
  ...[passkeys, removePasskey],
  ...[sessions, endOneSession, endAllSessions, connectedApps, revoke, revokeAll],
  ...[eraseAccount, keepAccount, ownDataPage, administratorsPage, administratorPage],
  ...[
    eventsPage,
    eventsTable,
    eventPage,
    eventProof,
    walkPage,
    keyUsagePage,
    asOfPage,
    exportsPage,
    exportFile,
  ],
  ...[operationsPage, rebuildsPage, doctorPage],
  ...[joinPage, yourTeams, leaveTeam],
  ...teamPages,
  ...[sites, newSite, editSite, siteStatus, checkDomain, siteCode, previewSite],
  outbox,
  ...formPages,
  ...[confirmOfficePage, stopOfficePage],
  ...paymentPages,
  ...directoryPages,
  ...keyPages,
  widgetGenerator,
  ...webhooksPages,
];

export const dashboard: FastifyPluginCallback<
  SignInDependencies & Pick<PageDependencies, 'keyUsage' | 'imports' | 'bulk'>
> = (scope, dependencies, done) => {
  const { side, masterKey, now } = dependencies;
  const onRefusalFault = (error: unknown) =>
    scope.log.error(error, 'Refused sign-ins could not be recorded.');
  const pageDependencies: PageDependencies = {
    ...dependencies,
    address: addressOf(dependencies.config, scope),
    outbox: new Outbox({ side, masterKey }, now),
    forms: new FormTokens(masterKey),
    formCommands: new FormCommands(masterKey),
    throttle: new Throttle(dependencies.limits, refusedSignIns({ ...dependencies, onFault: onRefusalFault })),
    challenges: new Challenges({ masterKey, side }),
    recognizedBrowsers: new RecognizedBrowsers(masterKey, dependencies.issuer),
  };
  redirectToIssuer(scope, dependencies);
  takeForms(scope, forms);
  useCookies(scope);
  answerFaults(scope);
  for (const page of pages) servePage(scope, pageDependencies, page(pageDependencies));
  serveStopAtOnce(scope, pageDependencies);
  servePreview(scope, pageDependencies);
  serveGuides(scope, pageDependencies);
  serveNotFound(scope, pageDependencies);
  done();
};

/** Shows errors as pages that tell the person what to do. Faults of the service are logged. */
function answerFaults(scope: FastifyInstance): void {
  scope.setErrorHandler((error, request, reply) => {
    const { status, message, headers } = problemOf(error, request);
    return reply
      .code(status)
      .headers({
        'cache-control': 'no-store',
        ...headers,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': contentSecurityPolicy({ script: false }),
      })
      .send(layout(faultView(status, message), undefined));
  });
}

function problemOf(error: unknown, request: Parameters<typeof problemAndLog>[1]) {
  if (error instanceof OAuthRefused)
    return { status: error.status, message: withoutRule(error.message), headers: {} };
  if (error instanceof NoDataKey) return { status: 404, message: 'This account is erased.', headers: {} };
  return problemAndLog(error, request);
}

/** The service API is under /dash too, and has its own errors. */
const ofTheApi = /^\/dash\/api(\/|$|\?)/;

/** The page for old and mistyped addresses. */
function serveNotFound(scope: FastifyInstance, dependencies: PageDependencies): void {
  void scope.register((inner, _options, done) => {
    inner.addHook('onRequest', (request, reply, next) => {
      if (ofTheApi.test(request.url)) reply.callNotFound();
      else next();
    });
    servePage(inner, dependencies, {
      audience: 'everybody',
      path: '/dash/*',
      get: () =>
        notFoundView('There is no page at this address.', { to: paths.me, label: 'Go to your account' }),
    });
    done();
  });
}
