import { askForReset } from '../../../actions/accounts/visitors.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { inputFields, visitorForm, type Again, type VisitorPageContext } from '../../pages/action-form.ts';
import { button, form } from '../../pages/controls.ts';
import { checkInboxView } from '../../pages/frame/common-views.ts';
import { signInLink } from '../../pages/frame/layout.ts';
import { html } from '../../pages/html.ts';
import { redirectTo, type Page, type View } from '../../pages/page-context.ts';
import { byMail } from '../../pages/parts/notices.ts';
import { paths } from '../../pages/paths.ts';
import { returnToInMail, returnToOf, type ReturnTo } from '../../pages/return-to.ts';
import { emailField } from '../person-fields.ts';

const addressField = { ...emailField, autofocus: true };

/** Requests a link to choose a new password. The answer is the same for every address. */
export const reset = visitorForm({
  path: paths.reset,
  action: askForReset,
  about: returnToOf,
  fields: () => [addressField],
  also: ({ about }) => ({ returnTo: returnToInMail(about) }),
  view: resetView,
  done: ({ about }) => redirectTo(`${paths.resetSent}${about.query}`),
});

/** The page after the request. It is the same for every address. */
export function resetSent(dependencies: PageDependencies): Page {
  return {
    audience: 'everybody',
    path: paths.resetSent,
    async get(pageContext) {
      const { query } = await returnToOf(dependencies, pageContext);
      return checkInboxView(dependencies, query, {
        sent: 'If the address belongs to an account, an email with a link is on its way. The link works for one hour. If several emails were requested, it may take 15 minutes to arrive.',
        waits:
          'If the address belongs to an account, there is an email with a link for you. The link works for one hour.',
        otherwise: html`<a href="${paths.reset}${query}">try another address</a>`,
      });
    },
  };
}

function resetView(
  dependencies: PageDependencies,
  { form: typed, formToken, about: { inputs, query } }: VisitorPageContext<ReturnTo>,
  { problems }: Again,
): View {
  return {
    title: 'Choose a new password',
    shape: 'narrow',
    content: html`<p>
        Enter the email address of your account.
        ${byMail(dependencies, 'We will send you a link.', 'The people who run this service hand you a link.')}
      </p>
      ${form({
        action: paths.reset,
        token: formToken,
        content: html`${inputs} ${inputFields([addressField], typed, problems)}
        ${button(byMail(dependencies, 'Send the link', 'Ask for the link'))}`,
      })}
      <ul class="ways">
        <li>${signInLink(query)}</li>
      </ul>`,
  };
}
