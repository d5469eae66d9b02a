import { askForAddress, askToConfirm } from '../../actions/accounts/addresses.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { inputFields, personForm, type Again } from '../pages/action-form.ts';
import { html } from '../pages/html.ts';
import { redirectTo, type SignedInPageContext, type View } from '../pages/page-context.ts';
import { formCard } from '../pages/parts/form-card.ts';
import { byMail } from '../pages/parts/notices.ts';
import { paths } from '../pages/paths.ts';
import { emailField } from './person-fields.ts';
import { proofFields, proofNotice, reauthenticationProblem } from './sign-in/reauthenticate.ts';

/** Where the link is when no mail server is set. */
export const waitingLink =
  'This service sends no emails by itself: an administrator finds the email with the link in the outbox, and hands it on to you.';

const newAddress = { ...emailField, autocomplete: 'email' };

/**
 * Changes the address. Nothing changes until the link that is sent to the new address is opened, so a typing error
 * locks nobody out.
 */
export const email = personForm({
  path: paths.email,
  action: askForAddress,
  get: emailView,
  fields: () => [newAddress],
  also: ({ request }) => ({ ip: request.ip }),
  prove: reauthenticationProblem,
  view: emailView,
  done: () => redirectTo(`${paths.me}?done=email-sent`),
});

function emailView(
  dependencies: PageDependencies,
  pageContext: SignedInPageContext,
  { problems }: Again,
): View {
  return {
    title: 'Change your email address',
    content: html`${proofNotice(pageContext, problems)}
      <p class="lead">
        It is <strong>${pageContext.currentUser.email}</strong> now.
        ${byMail(dependencies, 'We will send a link to the new address.', waitingLink)} Open it and enter your
        password to change the address.
      </p>
      ${formCard(pageContext, {
        action: paths.email,
        content: html`${inputFields([newAddress], pageContext.form, problems)}
        ${proofFields(pageContext, problems)}`,
        submit: byMail(dependencies, 'Send the link', 'Ask for the link'),
      })}`,
  };
}

/** Sends the link that confirms the address again. */
export const confirmEmailAgain = personForm({
  path: paths.askToConfirm,
  action: askToConfirm,
  also: ({ request }) => ({ ip: request.ip }),
  done: () => redirectTo(`${paths.me}?done=confirm-sent`),
});
