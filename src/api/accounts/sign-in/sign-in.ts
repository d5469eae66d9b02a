import { findByEmail, maySignIn } from '../../../commands/accounts/person.ts';
import { isPasswordOf } from '../../../commands/accounts/person-password.ts';
import { html, type Html } from '../../pages/html.ts';
import { networksOf } from '../../../ground/network.ts';
import { signInPath } from '../../pages/interaction.ts';
import { button, fields, form, hidden, notice, when, type Problems, doneText } from '../../pages/controls.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { relyingParty } from '../../../actions/accounts/challenges.ts';
import { inUniformTime } from '../../../actions/accounts/uniform-timing.ts';
import { namedSite, shownSiteName } from '../../pages/parts/named-site.ts';
import { returnToInMail, returnToOf, type ReturnTo } from '../../pages/return-to.ts';
import { avatar } from '../../pages/frame/layout.ts';
import { signIns, type MeasuredSignIn } from './measured.ts';
import { newSession } from './new-session.ts';
import { paths } from '../../pages/paths.ts';
import { accountMails } from '../../../actions/accounts/account-mails.ts';
import { redirectTo, type Answer, type Page, type View, type PageContext } from '../../pages/page-context.ts';
import { retryAfterText } from '../../../ground/refusals.ts';
import { emailField, passwordField } from '../person-fields.ts';
import type { Person } from '../../../commands/accounts/user-state.ts';

/** Signs in with a password, or continues as the signed-in person where the site lets the person choose. */
export function signIn(dependencies: PageDependencies): Page {
  return {
    audience: 'everybody',
    path: signInPath,
    async get(pageContext) {
      const returnTo = await returnToOf(dependencies, pageContext);
      if (pageContext.currentUser && !returnTo.site) return redirectTo(returnTo.end);
      const another = pageContext.query.get('account') === 'another';
      if (pageContext.currentUser && returnTo.site?.pending.choosing && !another)
        return chooseView(pageContext, returnTo);
      if (!another && mayHaveSignedIn(pageContext, returnTo)) return redirectTo(returnTo.end);
      return signInView(dependencies, pageContext, returnTo, {
        done: doneText(pageContext.query, doneTexts),
      });
    },
    async post(pageContext) {
      const returnTo = await returnToOf(dependencies, pageContext);
      return pageContext.form.get('choice') === 'go-on'
        ? goOn(dependencies, pageContext, returnTo)
        : withPassword(dependencies, pageContext, returnTo);
    },
  };
}

/**
 * Somebody is signed in, but the endpoint has not yet sent this request here, for example after the back button. The
 * endpoint decides whether the session is enough.
 */
const mayHaveSignedIn = ({ currentUser }: PageContext, { site }: ReturnTo): boolean =>
  currentUser !== undefined &&
  site !== undefined &&
  currentUser.session.sessionId !== site.pending.before &&
  currentUser.session.sessionId !== site.pending.insufficient;

/** The person may continue with the session only if the site did not ask for more. */
function goOn(
  { interaction }: PageDependencies,
  { currentUser }: PageContext,
  { site, end }: ReturnTo,
): Answer {
  if (!currentUser || !site?.pending.choosing) return redirectTo(end);
  return redirectTo(interaction.resume({ ...site.pending, chosen: currentUser.session.sessionId }));
}

async function withPassword(
  dependencies: PageDependencies,
  pageContext: PageContext,
  returnTo: ReturnTo,
): Promise<Answer> {
  const email = (pageContext.form.get('email') ?? '').trim();
  const password = pageContext.form.get('password') ?? '';
  const again = (problems: Problems, rest: Partial<Shown> = {}, status = 422): View => ({
    ...signInView(dependencies, pageContext, returnTo, { email, problems, ...rest }),
    status,
  });
  const missing: Problems = {
    ...(email === '' ? { email: 'Enter your email address.' } : {}),
    ...(password === '' ? { password: 'Enter your password.' } : {}),
  };
  if (Object.keys(missing).length > 0) return again(missing);

  // An unconfirmed address gets the same answer as a wrong password. Otherwise registering and signing in would
  // reveal whether an address was free. The confirmation email is sent again.
  const tried = await inUniformTime(dependencies, async () => {
    const found = await tryPassword(dependencies, pageContext, { email, password });
    const mails = accountMails(dependencies);
    if (found.person && !maySignIn(found.person)) {
      await mails.verify(found.person, { returnTo: returnToInMail(returnTo) });
    } else if (!found.person && found.seconds === undefined) {
      await mails.nobody(email, 'verify');
    }
    return found;
  });
  const { seconds = 0 } = tried;
  const person = tried.person && maySignIn(tried.person) ? tried.person : undefined;
  const full =
    seconds === 0 && person ? (await dependencies.limits.take(['person-sign-ins', person.user])).seconds : 0;
  const outcome = seconds > 0 || full > 0 ? 'throttled' : person ? 'succeeded' : 'failed';
  signIns.publish({ method: 'password', outcome } satisfies MeasuredSignIn);
  if (seconds > 0) {
    const answer = again(
      {},
      {
        wrong: html`Too many attempts. ${retryAfterText(seconds)}, or
          <a href="${paths.reset}${returnTo.query}">choose a new password</a>.`,
      },
      429,
    );
    return { ...answer, headers: { 'retry-after': String(seconds) } };
  }
  if (!person) {
    return again({
      password: 'The email address or the password is wrong, or the address is not confirmed yet.',
    });
  }
  if (full > 0) return tooManySignIns(full, (wrong) => again({}, { wrong }));
  return redirectTo(
    returnTo.end,
    ...(await newSession(dependencies, pageContext, { user: person.user, amr: ['pwd'] })),
  );
}

/** For somebody who has proved to be the owner, of an account with more sign-ins than a person makes. */
export const tooManySignIns = (seconds: number, page: (wrong: Html) => View): View => ({
  ...page(html`This account was signed in to very often in the last hour. ${retryAfterText(seconds)}.`),
  status: 429,
  headers: { 'retry-after': String(seconds) },
});

/**
 * The person with this address and password, or the seconds to wait until the next attempt. For an unknown address,
 * or an account without a password, as much is read, counted and hashed as for a wrong password.
 */
async function tryPassword(
  dependencies: PageDependencies,
  { request }: PageContext,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<{ readonly person?: Person; readonly seconds?: number }> {
  const person = await findByEmail(dependencies, email);
  const guess = {
    account: (await dependencies.personal.emailIndex(email)) ?? 'no address',
    networks: networksOf(request.ip),
    browser: dependencies.recognizedBrowsers.nameAt(request, person),
    user: person?.user,
  };
  const seconds = await dependencies.throttle.guess(guess);
  if (seconds > 0) return { seconds };
  if (!(await isPasswordOf(dependencies, person, password)) || !person) return {};
  if (maySignIn(person)) await dependencies.throttle.succeeded(guess);
  return { person };
}

interface Shown {
  readonly email?: string;
  readonly problems?: Problems;
  readonly done?: string | undefined;
  readonly wrong?: Html;
}

/** The page, also after a failed attempt. */
export function signInView(
  dependencies: PageDependencies,
  pageContext: PageContext,
  returnTo: ReturnTo,
  { email, problems = {}, done, wrong }: Shown = {},
): View {
  const { site, inputs, query } = returnTo;
  const address = email ?? pageContext.currentUser?.email ?? site?.request.loginHint ?? '';
  return {
    title: 'Sign in',
    shape: 'narrow',
    passkeys: true,
    content: html`
      ${done === undefined ? '' : notice(done)} ${wrong ? notice(wrong, 'wrong') : ''}
      ${site ? html`<p class="lead">to continue to ${namedSite(site.request)}</p>` : ''}
      ${when(pageContext.currentUser !== undefined && site !== undefined, html`<p>Please sign in again to confirm that it is you.</p>`)}
      ${form({
        action: signInPath,
        token: pageContext.formToken,
        content: html`${inputs}
        ${fields(
          [
            { ...emailField, value: address.slice(0, 320), autofocus: address === '' },
            passwordField('Password', address !== ''),
          ],
          problems,
        )}
        ${button('Sign in')}`,
      })}
      ${passkeyQuestion(dependencies, pageContext, inputs)}
      <ul class="ways">
        <li><a href="${paths.reset}${query}">Forgot your password?</a></li>
        <li>New here? <a href="${paths.register}${query}">Create an account</a></li>
        ${site ? html`<li><a href="${dependencies.interaction.resume({ ...site.pending, denied: true })}">Cancel and go back to ${shownSiteName(site.request.client)}</a></li>` : ''}
      </ul>
    `,
  };
}

function chooseView({ currentUser, formToken }: PageContext, { site, inputs, query }: ReturnTo): View {
  const name = currentUser?.profile.name ?? '';
  return {
    title: 'Choose an account',
    shape: 'narrow',
    content: html`${site ? html`<p class="lead">to continue to ${namedSite(site.request)}</p>` : ''}
      <div class="identity">
        ${avatar(name)}
        <div><strong>${name}</strong><br /><span class="quiet">${currentUser?.email ?? ''}</span></div>
      </div>
      ${form({
        action: signInPath,
        token: formToken,
        content: html`${inputs}${hidden('choice', 'go-on')}${button(`Continue as ${name}`)}`,
      })}
      <ul class="ways">
        <li><a href="${signInPath}${query}&account=another">Use another account</a></li>
      </ul>`,
  };
}

/** The button to sign in with a passkey. Our script shows it where the browser supports passkeys. */
function passkeyQuestion(
  { challenges, issuer, now }: PageDependencies,
  pageContext: PageContext,
  inputs: Html,
): Html {
  const { challenge, sealed } = challenges.ask(pageContext.browser, now());
  const options = {
    challenge,
    rpId: relyingParty(issuer()).id,
    userVerification: 'required',
    timeout: 300_000,
  };
  return html`<div data-passkey="get" data-options="${JSON.stringify(options)}" hidden>
    <p class="or"><span>or</span></p>
    ${form({
      action: paths.signInByPasskey,
      token: pageContext.formToken,
      content: html`${inputs}${hidden('challenge', sealed)}${hidden('answer', '')}
      ${button('Sign in with a passkey', { weight: 'secondary' })}`,
    })}
    <p role="status" class="hint"></p>
  </div>`;
}

const doneTexts = {
  'signed-out': 'You are signed out.',
  everywhere: 'You are signed out everywhere.',
  'new-password': 'Your new password is set. Sign in with it.',
} as const;
