import { confirmAddress } from '../../../actions/accounts/visitors.ts';
import { visitorForm, type Again, type VisitorPageContext } from '../../pages/action-form.ts';
import { button, fields, form } from '../../pages/controls.ts';
import { invalidLinkView } from '../../pages/frame/common-views.ts';
import { html } from '../../pages/html.ts';
import { redirectTo, type View } from '../../pages/page-context.ts';
import { paths } from '../../pages/paths.ts';
import { accountAddress, passwordField } from '../person-fields.ts';
import { newSession } from './new-session.ts';
import { openedLink, type OpenedLink } from './opened-link.ts';
import { passwordProblem } from './reauthenticate.ts';

/**
 * Confirms an address with the link from the email and the password. The link alone is not enough: somebody could
 * register another person's address and wait for its owner to confirm it (account pre-hijacking). A mail program that
 * follows links must not confirm anything either.
 */
export const verify = visitorForm({
  path: paths.verify,
  action: confirmAddress,
  about: openedLink('verify-email'),
  also: ({ about: { link } }) => ({ link }),
  prove: (dependencies, pageContext) => passwordProblem(dependencies, pageContext, pageContext.about.person),
  view: verifyView,
  async done(pageContext, user, dependencies) {
    const session = await newSession(dependencies, pageContext, { user, amr: ['pwd'] });
    return redirectTo(pageContext.about.returnTo.end, ...session);
  },
});

function verifyView(
  _: unknown,
  { formToken, about: { inputs, email, returnTo } }: VisitorPageContext<OpenedLink>,
  { problems, refused }: Again,
): View {
  if (refused) return invalidLinkView(returnTo.query);
  return {
    title: 'Confirm your address',
    shape: 'narrow',
    content: html`<p>Enter the password that you chose when you registered.</p>
      ${form({
        action: paths.verify,
        token: formToken,
        content: html`${inputs} ${fields([accountAddress(email), passwordField('Password', true)], problems)}
        ${button('Confirm and sign in')}`,
      })}
      <ul class="ways">
        <li><a href="${paths.reset}${returnTo.query}">Choose another password</a></li>
        <li class="quiet">You did not register? Close this page, and nothing will happen.</li>
      </ul>`,
  };
}
