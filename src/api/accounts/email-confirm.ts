import { acceptAddress } from '../../actions/accounts/addresses.ts';
import { pendingChange, type PendingChange } from '../../actions/accounts/pending-address.ts';
import { visitorForm, type Again, type VisitorPageContext } from '../pages/action-form.ts';
import { button, fields, form, hidden, notice, when } from '../pages/controls.ts';
import { invalidLinkView } from '../pages/frame/common-views.ts';
import { html } from '../pages/html.ts';
import { EarlyAnswer, redirectTo, type View } from '../pages/page-context.ts';
import { paths } from '../pages/paths.ts';
import { passwordField } from './person-fields.ts';
import { passwordProblem, recentSignInProblem, unproven } from './sign-in/reauthenticate.ts';

interface Confirming extends PendingChange {
  readonly confirm: string;
}

/** Confirms a new address, with the link that was sent to it and the password of the account. */
export const confirmEmail = visitorForm({
  path: paths.confirmEmail,
  action: acceptAddress,
  async about(dependencies, { query, form }): Promise<Confirming> {
    const confirm = form.get('confirm') ?? query.get('confirm') ?? '';
    const pending = await pendingChange(dependencies, confirm);
    if (!pending) throw new EarlyAnswer(invalidLinkView(''));
    return { confirm, ...pending };
  },
  also: ({ about: { confirm } }) => ({ confirm }),
  /** A person with the link has the new address. They must also show that the account is theirs. */
  async prove(dependencies, pageContext) {
    const { person } = pageContext.about;
    if (person.passwordVersion > 0) return passwordProblem(dependencies, pageContext, person);
    const { currentUser } = pageContext;
    return currentUser?.person.user === person.user
      ? recentSignInProblem(dependencies, currentUser)
      : unproven('Sign in to your account in this browser first. Then open the link in the email again.');
  },
  view: confirmView,
  done: () => redirectTo(`${paths.me}?done=email`),
});

function confirmView(
  _: unknown,
  { formToken, about: { confirm, change, person } }: VisitorPageContext<Confirming>,
  { problems, refused }: Again,
): View {
  if (refused) return invalidLinkView('');
  const asksPassword = person.passwordVersion > 0;
  const problem = problems['password'];
  return {
    title: 'Confirm your new address',
    shape: 'narrow',
    content: html`${when(!asksPassword && problem !== undefined, notice(problem ?? '', 'wrong'))}
      <p>You will sign in with <strong>${change.to}</strong>, and we will send emails there.</p>
      ${form({
        action: paths.confirmEmail,
        token: formToken,
        content: html`${hidden('confirm', confirm)}
        ${asksPassword ? fields([passwordField('Your password', true)], problems) : ''}
        ${button('Use this address')}`,
      })}`,
  };
}
