import { removeOwnPasskey } from '../../actions/accounts/passkeys.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { personForm, type Again } from '../pages/action-form.ts';
import { hidden, time } from '../pages/controls.ts';
import { html } from '../pages/html.ts';
import { redirectTo, type SignedInPageContext, type View } from '../pages/page-context.ts';
import { formCard } from '../pages/parts/form-card.ts';
import { paths } from '../pages/paths.ts';
import { proofFields, proofNotice, reauthenticationProblem } from './sign-in/reauthenticate.ts';
import { labelOf, passkeysView } from './passkeys.ts';

/** Removes a passkey, after the person has authenticated again. The last way to sign in cannot be removed. */
export const removePasskey = personForm({
  path: paths.removePasskey,
  action: removeOwnPasskey,
  get: removeView,
  also: (pageContext) => ({ credential: credentialIn(pageContext) }),
  prove: reauthenticationProblem,
  view: removeView,
  done: () => redirectTo(`${paths.passkeys}?done=removed`),
});

const credentialIn = ({ form, query }: SignedInPageContext): string =>
  form.get('credential') ?? query.get('credential') ?? '';

async function removeView(
  dependencies: PageDependencies,
  pageContext: SignedInPageContext,
  { problems, refused }: Again,
): Promise<View> {
  const credential = credentialIn(pageContext);
  const passkey = pageContext.currentUser.person.passkeys.find((each) => each.credential === credential);
  if (!passkey || refused) {
    const refusal =
      passkey && refused ? refused : new CommandRefused('not_found', 'There is no such passkey.');
    const view = await passkeysView(dependencies, pageContext, { problems: {}, refused: refusal });
    return { ...view, status: refusal.status };
  }
  return {
    title: 'Remove a passkey',
    content: html`${proofNotice(pageContext, problems)}
      <p class="lead">
        <strong>${(await labelOf(dependencies, pageContext, passkey)) ?? 'This passkey'}</strong>, added on
        ${time(passkey.added_at)}, can then no longer sign in to your account.
      </p>
      ${formCard(pageContext, {
        action: paths.removePasskey,
        content: html`${hidden('credential', credential)}${proofFields(pageContext, problems)}`,
        submit: 'Remove',
        weight: 'danger',
        back: paths.passkeys,
      })}`,
  };
}
