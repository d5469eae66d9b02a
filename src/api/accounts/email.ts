import { askForAddress } from '../../actions/accounts/addresses.ts';
import { inputFields, personForm, type Again } from '../pages/action-form.ts';
import { html } from '../pages/html.ts';
import { redirectTo, type SignedInPageContext, type View } from '../pages/page-context.ts';
import { formCard } from '../pages/parts/form-card.ts';
import { paths } from '../pages/paths.ts';
import { emailField } from './person-fields.ts';
import { proofFields, proofNotice, reauthenticationProblem } from './sign-in/reauthenticate.ts';

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

function emailView(_: unknown, pageContext: SignedInPageContext, { problems }: Again): View {
  return {
    title: 'Change your email address',
    content: html`${proofNotice(pageContext, problems)}
      <p class="lead">
        It is <strong>${pageContext.currentUser.email}</strong> now. We will send a link to the new address.
        Open it and enter your password to change the address.
      </p>
      ${formCard(pageContext, {
        action: paths.email,
        content: html`${inputFields([newAddress], pageContext.form, problems)}
        ${proofFields(pageContext, problems)}`,
        submit: 'Send the link',
      })}`,
  };
}
