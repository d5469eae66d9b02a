import { findByEmail } from '../../../commands/accounts/person.ts';
import { html } from '../../pages/html.ts';
import { networksOf } from '../../../ground/network.ts';
import { button, fields, form, type Problems } from '../../pages/controls.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { inUniformTime } from './uniform-timing.ts';
import { returnToInMail, returnToOf, type ReturnTo } from '../../pages/return-to.ts';
import { signInLink } from '../../pages/frame/layout.ts';
import { paths } from '../../pages/paths.ts';
import { addressIn } from '../person-fields.ts';
import { accountMails } from '../../../actions/accounts/account-mails.ts';
import { checkInboxView } from '../../pages/frame/common-views.ts';
import { redirectTo, type Page, type View, type PageContext } from '../../pages/page-context.ts';
import { retryAfterText } from '../../pages/retry-after-text.ts';

/** Requests a link to choose a new password. The answer is the same for every address. */
export function reset(dependencies: PageDependencies): Page {
  return {
    audience: 'everybody',
    path: paths.reset,
    async get(pageContext) {
      return resetView(pageContext, await returnToOf(dependencies, pageContext));
    },
    async post(pageContext) {
      const returnTo = await returnToOf(dependencies, pageContext);
      const { email, problem } = addressIn(pageContext.form);
      if (problem !== undefined)
        return { ...resetView(pageContext, returnTo, { email: problem }), status: 422 };
      const seconds = await inUniformTime(dependencies, () =>
        ask(dependencies, pageContext, returnTo, email),
      );
      if (seconds > 0) {
        const wait = `Too many requests came from your network. ${retryAfterText(seconds)}.`;
        return {
          ...resetView(pageContext, returnTo, { email: wait }),
          status: 429,
          headers: { 'retry-after': String(seconds) },
        };
      }
      return redirectTo(`${paths.resetSent}${returnTo.query}`);
    },
  };
}

/**
 * Sends the email if there is an account. Returns the seconds to wait when there were too many requests. A browser
 * that has signed in to the account before has a limit of its own.
 */
async function ask(
  dependencies: PageDependencies,
  { request }: PageContext,
  returnTo: ReturnTo,
  email: string,
): Promise<number> {
  const person = await findByEmail(dependencies, email);
  const browser = dependencies.known.nameAt(request, person);
  const seconds = browser === undefined ? await dependencies.throttle.askForMail(networksOf(request.ip)) : 0;
  const mails = accountMails(dependencies);
  if (seconds > 0) return seconds;
  if (person) await mails.reset(person, { browser, returnTo: returnToInMail(returnTo) });
  else await mails.nobody(email, 'reset');
  return seconds;
}

/** The page after the request. It is the same for every address. */
export function resetSent(dependencies: PageDependencies): Page {
  return {
    audience: 'everybody',
    path: paths.resetSent,
    async get(pageContext) {
      const { query } = await returnToOf(dependencies, pageContext);
      return checkInboxView(
        query,
        'If the address belongs to an account, an email with a link is on its way. The link works for one hour. If several emails were requested, it may take 15 minutes to arrive.',
        html`<a href="${paths.reset}${query}">try another address</a>`,
      );
    },
  };
}

function resetView(
  { form: given, formToken }: PageContext,
  returnTo: ReturnTo,
  problems: Problems = {},
): View {
  return {
    title: 'Choose a new password',
    shape: 'narrow',
    content: html`<p>Enter the email address of your account, and we will send you a link.</p>
      ${form({
        action: paths.reset,
        token: formToken,
        content: html`${returnTo.inputs}
        ${fields(
          [
            {
              name: 'email',
              label: 'Email',
              type: 'email',
              value: given.get('email') ?? '',
              autocomplete: 'username',
              autofocus: true,
            },
          ],
          problems,
        )}
        ${button('Send the link')}`,
      })}
      <ul class="ways">
        <li>${signInLink(returnTo.query)}</li>
      </ul>`,
  };
}
