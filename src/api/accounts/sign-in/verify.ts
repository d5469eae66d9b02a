import { confirmAddress } from '../../../actions/accounts/visitors.ts';
import type { Person } from '../../../commands/accounts/user-state.ts';
import { visitorForm, type Again, type VisitorPageContext } from '../../pages/action-form.ts';
import { button, fields, form } from '../../pages/controls.ts';
import { invalidLinkView } from '../../pages/frame/common-views.ts';
import { html } from '../../pages/html.ts';
import { signInPath } from '../../pages/interaction.ts';
import { redirectTo, type PageContext, type View } from '../../pages/page-context.ts';
import { paths } from '../../pages/paths.ts';
import { accountAddress, passwordField } from '../person-fields.ts';
import { newSession } from './new-session.ts';
import { openedLink, type OpenedLink } from './opened-link.ts';
import { passwordProblem, unproven } from './reauthenticate.ts';

/**
 * Confirms an address with the link from the email and the password, or of who is signed in to the account. The link alone is not enough: somebody could
 * register another person's address and wait for its owner to confirm it (account pre-hijacking). A mail program that
 * follows links must not confirm anything either.
 */
export const verify = visitorForm({
  path: paths.verify,
  action: confirmAddress,
  about: openedLink('verify-email'),
  also: ({ about: { link } }) => ({ link }),
  prove: (dependencies, pageContext) => {
    const { person } = pageContext.about;
    if (isSignedInAs(pageContext, person)) return Promise.resolve(undefined);
    if (person.passwordVersion === 0) return Promise.resolve(unproven(passkeyFirst));
    return passwordProblem(dependencies, pageContext, person);
  },
  view: verifyView,
  async done(pageContext, user, dependencies) {
    if (pageContext.currentUser?.person.user === user) return redirectTo(`${paths.me}?done=confirmed`);
    const session = await newSession(dependencies, pageContext, { user, amr: ['pwd'] });
    return redirectTo(pageContext.about.returnTo.end, ...session);
  },
});

/** Whoever is signed in has authenticated, so the link is enough. */
const isSignedInAs = ({ currentUser }: PageContext, { user }: Person): boolean =>
  currentUser?.person.user === user;

const passkeyFirst = 'Sign in with your passkey first. Then open the link again.';

function verifyView(
  _: unknown,
  pageContext: VisitorPageContext<OpenedLink>,
  { problems, refused }: Again,
): View {
  const { formToken, about } = pageContext;
  const { inputs, email, returnTo, person } = about;
  if (refused) return invalidLinkView(returnTo.query);
  const title = 'Confirm your address';
  if (isSignedInAs(pageContext, person))
    return {
      title,
      shape: 'narrow',
      content: html`<p>Is <strong>${email}</strong> your address?</p>
        ${form({ action: paths.verify, token: formToken, content: html`${inputs}${button('Confirm the address')}` })}`,
    };
  if (person.passwordVersion === 0)
    return {
      title,
      shape: 'narrow',
      content: html`<p>${passkeyFirst}</p>
        <p><a class="button primary" href="${signInPath}${returnTo.query}">Sign in</a></p>`,
    };
  return {
    title,
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
