import { CommandRefused } from '../../../commands/errors.ts';
import { findByEmail, registerPerson } from '../../../commands/accounts/person.ts';
import { requireActive } from '../../../commands/accounts/user.ts';
import { html } from '../../pages/html.ts';
import { networksOf } from '../../../ground/network.ts';
import { button, fields, form, notice, type Problems } from '../../pages/controls.ts';
import { personParts, type PageDependencies } from '../../dashboard-dependencies.ts';
import { inUniformTime } from './uniform-timing.ts';
import { namedSite } from '../../pages/parts/named-site.ts';
import { returnToInMail, returnToOf, type ReturnTo } from '../../pages/return-to.ts';
import { signInLink } from '../../pages/frame/layout.ts';
import { untilShown } from '../../../projections/until-shown.ts';
import { paths } from '../../pages/paths.ts';
import { accountFields, addressIn, passwordIn, profileIn } from '../person-fields.ts';
import { accountMails } from '../../../actions/accounts/account-mails.ts';
import { checkInboxView } from '../../pages/frame/common-views.ts';
import { redirectTo, type Answer, type Page, type View, type PageContext } from '../../pages/page-context.ts';
import { retryAfterText } from '../../pages/retry-after-text.ts';

/**
 * Opens an account. Only the address itself learns whether it already has an account: the answer is the same, takes
 * as long, and an email is sent in both cases.
 */
export function register(dependencies: PageDependencies): Page {
  return {
    audience: 'everybody',
    path: paths.register,
    async get(pageContext) {
      const returnTo = await returnToOf(dependencies, pageContext);
      return pageContext.currentUser && !returnTo.site
        ? redirectTo(returnTo.end)
        : registerView(pageContext, returnTo);
    },
    async post(pageContext) {
      const returnTo = await returnToOf(dependencies, pageContext);
      const { email, problem: emailProblem } = addressIn(pageContext.form);
      const { profile, problems } = profileIn(
        new URLSearchParams({ name: pageContext.form.get('name') ?? '' }),
      );
      // Estimating a password takes CPU time, so the number of estimates is limited.
      const pause = await dependencies.throttle.judge(networksOf(pageContext.request.ip));
      if (pause > 0) return tooMany(pageContext, returnTo, pause);
      const { password, problem: passwordProblem } = await passwordIn(pageContext.form, [
        email,
        profile.name,
      ]);
      const wrong: Problems = { ...problems, email: emailProblem, password: passwordProblem };
      if (Object.values(wrong).some((each) => each !== undefined)) {
        return { ...registerView(pageContext, returnTo, wrong), status: 422 };
      }
      const seconds = await dependencies.throttle.askForMail(networksOf(pageContext.request.ip));
      if (seconds > 0) return tooMany(pageContext, returnTo, seconds);
      await inUniformTime(dependencies, () =>
        open(dependencies, pageContext, returnTo, { email, name: profile.name, password }),
      );
      return redirectTo(`${paths.registered}${returnTo.query}`);
    },
  };
}

interface NewAccount {
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

async function open(
  dependencies: PageDependencies,
  pageContext: PageContext,
  returnTo: ReturnTo,
  { email, name, password }: NewAccount,
): Promise<void> {
  const parts = personParts(dependencies);
  const mails = accountMails(dependencies);
  const context = pageContext.context();
  try {
    const registration = { email, profile: { name }, password };
    const { outcome } = await registerPerson(parts, registration, byThemselves(context));
    await untilShown(dependencies.documents, outcome);
    await mails.verify(requireActive(outcome.state), { returnTo: returnToInMail(returnTo) });
  } catch (error) {
    if (!(error instanceof CommandRefused) || error.code !== 'conflict') throw error;
    const existing = await findByEmail(parts, email);
    // The account of this address was never confirmed. The person who holds the address takes it over with a name and a
    // password of their own.
    if (existing && !existing.verified) {
      await mails.reset(existing, { returnTo: returnToInMail(returnTo) });
    } else {
      await mails.alreadyRegistered(existing ?? email);
    }
  }
}

/** Nobody is signed in while registering, so the actor is the service. */
const byThemselves = (context: ReturnType<PageContext['context']>) => ({
  ...context,
  actor: { kind: 'system', id: 'register' } as const,
});

/** The page after registering. It is the same for every address. */
export function registered(dependencies: PageDependencies): Page {
  return {
    audience: 'everybody',
    path: paths.registered,
    async get(pageContext) {
      const { query } = await returnToOf(dependencies, pageContext);
      return checkInboxView(
        query,
        'We sent an email to your address. Open the link in it to continue. The link works for one day.',
        html`<a href="${paths.register}${query}">register again</a> if you mistyped the address`,
      );
    },
  };
}

function registerView(
  { form: given, formToken }: PageContext,
  returnTo: ReturnTo,
  problems: Problems = {},
): View {
  const { site, inputs, query } = returnTo;
  return {
    title: 'Create an account',
    shape: 'narrow',
    content: html`
      ${site ? html`<p class="lead">to continue to ${namedSite(site.request)}</p>` : ''}
      ${form({
        action: paths.register,
        token: formToken,
        content: html`${inputs}
        ${fields(
          accountFields(given, {
            email: site?.request.loginHint ?? '',
            advice: ' A few words that only you would combine are easy to remember.',
          }),
          problems,
        )}
        ${button('Create account')}`,
      })}
      <ul class="ways">
        <li>Have an account? ${signInLink(query)}</li>
      </ul>
    `,
  };
}

function tooMany(pageContext: PageContext, returnTo: ReturnTo, seconds: number): Answer {
  const view = registerView(pageContext, returnTo);
  return {
    ...view,
    status: 429,
    headers: { 'retry-after': String(seconds) },
    content: html`${notice(`Too many requests came from your network. ${retryAfterText(seconds)}.`, 'wrong')}${view.content}`,
  };
}
