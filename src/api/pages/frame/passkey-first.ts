import { findTeam } from '../../../commands/teams/team.ts';
import { onlyAdmin } from '../../../events/teams-rights.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { button, form } from '../controls.ts';
import { html } from '../html.ts';
import { EarlyAnswer, type CurrentUser, type SignedInPageContext, type View } from '../page-context.ts';
import { paths } from '../paths.ts';

/**
 * Where a team requires passkeys, its pages are for people who have signed in with one, or added one since they signed in. An
 * only admin without a passkey is let in: nobody else could help.
 * @throws EarlyAnswer, the page that says what to do first
 */
export async function requirePasskeyIn(
  { store, forms }: PageDependencies,
  { currentUser }: SignedInPageContext,
  team: string,
): Promise<void> {
  const state = await findTeam(store, team);
  const { user, passkeys } = currentUser.person;
  if (!state?.passkeysRequired || !state.members.has(user) || isByPasskey(currentUser)) return;
  if (passkeys.length > 0)
    throw new EarlyAnswer(signInView(state.name, forms.for(currentUser.session.sessionId)));
  if (!onlyAdmin(state.members, user)) throw new EarlyAnswer(addView(state.name));
}

/** Whether the session began with a passkey, or the person has added one since. */
const isByPasskey = ({ session, person }: CurrentUser): boolean =>
  !session.amr.includes('pwd') ||
  person.passkeys.some(({ added_at }) => Date.parse(added_at) >= session.startedAt * 1_000);

const addView = (team: string): View => ({
  title: 'Add a passkey first',
  status: 403,
  content: html`<p class="lead">The people of ${team} sign in with a passkey, and you have none yet.</p>
    <p>
      With a passkey you sign in with your fingerprint, your face or your screen lock. Add one to your
      account, then come back.
    </p>
    <p><a class="button primary" href="${paths.passkeys}">Add a passkey</a></p>`,
});

const signInView = (team: string, token: string): View => ({
  title: 'Sign in with your passkey',
  status: 403,
  content: html`<p class="lead">
      The people of ${team} sign in with a passkey, and you have signed in with your password.
    </p>
    <p>Sign out, and sign in with your passkey.</p>
    ${form({ action: paths.signOut, token, content: button('Sign out') })}
    <p class="quiet">
      You no longer have it? <a href="${paths.passkeys}">Add another passkey</a>, and remove the old one.
    </p>`,
});
