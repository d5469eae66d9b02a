import { CommandRefused } from '../../../commands/errors.ts';
import { shortestPassword } from '../../../commands/accounts/password.ts';
import type { ChosenPassword } from '../../../commands/accounts/password-hashes.ts';
import { commonKnowledgeOf, setPassword } from '../../../commands/accounts/person-password.ts';
import { requireActive } from '../../../commands/accounts/user.ts';
import type { ProfileFields } from '../../../events/accounts/user.ts';
import { personOf } from '../../../personal/personal-data.ts';
import { html, type Html } from '../../pages/html.ts';
import { networksOf } from '../../../ground/network.ts';
import { signInPath } from '../../pages/interaction.ts';
import { button, checkbox, fields, form, hidden, type Problems } from '../../pages/controls.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { untilShown } from '../../../projections/until-shown.ts';
import { paths } from '../../pages/paths.ts';
import { nameField, passwordIn, profileIn } from '../person-fields.ts';
import { linkPage, type OpenedLink } from './link-page.ts';
import { accountMails } from '../../../actions/accounts/account-mails.ts';
import { invalidLinkView } from '../../pages/frame/common-views.ts';
import { redirectTo, type Page, type View, type PageContext } from '../../pages/page-context.ts';
import type { Person } from '../../../commands/accounts/user-state.ts';

/**
 * Sets a new password with the link from the email. The link works once, because its MAC covers the password. Whoever
 * has the link reads the mail of the address, so the address is confirmed too. Somebody else may have known the old
 * password: all sessions and the access of all sites end, and passkeys are removed unless the owner keeps them. Nothing
 * stays of what was entered in an account of which no address was ever confirmed: the owner enters a name.
 */
export const newPassword = (dependencies: PageDependencies): Page =>
  linkPage(dependencies, {
    path: paths.newPassword,
    purpose: 'reset-password',
    get: (pageContext, opened) => passwordView(dependencies, pageContext, opened),
    async post(pageContext, opened) {
      const { person, returnTo } = opened;
      const email = await addressOf(dependencies, person);
      const { profile, problems: nameProblems } = ownersProfile(pageContext.form, person);
      const about = [...(await commonKnowledgeOf(dependencies, person)), profile?.name ?? ''];
      const { password, problem } = await passwordIn(pageContext.form, about);
      const problems: Problems = { ...nameProblems, password: problem };
      if (Object.values(problems).some((each) => each !== undefined)) {
        return { ...(await passwordView(dependencies, pageContext, opened, problems)), status: 422 };
      }
      const sessionEpoch = await set(dependencies, pageContext, person, { password, about, profile });
      if (sessionEpoch === undefined) return invalidLinkView(returnTo.query);
      const { request } = pageContext;
      await dependencies.limits.forget(['person-sign-ins', person.user]);
      await dependencies.throttle.forget({ account: person.email, networks: networksOf(request.ip) });
      await accountMails(dependencies).changedAccount(email, 'a new password was set');
      const onward = returnTo.query === '' ? '?' : `${returnTo.query}&`;
      const known = dependencies.known.remember(request, { user: person.user, sessionEpoch });
      return redirectTo(`${signInPath}${onward}done=new-password`, known);
    },
  });

/** The profile of an account that its owner takes over. Undefined for one that was confirmed before. */
function ownersProfile(
  form: URLSearchParams,
  { everVerified }: Person,
): { readonly profile: ProfileFields | undefined; readonly problems: Problems } {
  if (everVerified) return { profile: undefined, problems: {} };
  return profileIn(new URLSearchParams({ name: form.get('name') ?? '' }));
}

/** Returns the session epoch from now on. Undefined when the link has been used meanwhile. */
async function set(
  dependencies: PageDependencies,
  pageContext: PageContext,
  { user, email, passwordVersion }: Person,
  { profile, ...chosen }: ChosenPassword & { readonly profile: ProfileFields | undefined },
): Promise<number | undefined> {
  try {
    const change = {
      ...chosen,
      afterVersion: passwordVersion,
      endAccess: true,
      removePasskeys: profile !== undefined || pageContext.form.has(removePasskeys),
      verifies: email,
      ...(profile === undefined
        ? {}
        : { profile: await dependencies.personal.seal(personOf(user), profile) }),
    };
    const changed = await setPassword(dependencies, user, change, pageContext.context(user));
    await untilShown(dependencies.documents, changed);
    return requireActive(changed.state).sessionEpoch;
  } catch (error) {
    if (error instanceof CommandRefused && error.code === 'conflict') return undefined;
    throw error;
  }
}

const removePasskeys = 'remove-passkeys';

const addressOf = async ({ personal }: PageDependencies, { user, email_sealed }: Person): Promise<string> =>
  (await personal.open<string>(personOf(user), email_sealed)) ?? '';

async function passwordView(
  dependencies: PageDependencies,
  { formToken, form: given, request }: PageContext,
  { link, person, returnTo: { inputs } }: OpenedLink,
  problems: Problems = {},
): Promise<View> {
  const takenOver = !person.everVerified;
  return {
    title: 'Choose a new password',
    shape: 'narrow',
    content: html`<p>
        ${
          takenOver
            ? 'Nobody has confirmed this account yet. Enter your name and a password of your own: they replace what was entered before.'
            : 'It replaces your current password. You are signed out in every browser, and sites that you signed in to will ask you again.'
        }
      </p>
      ${form({
        action: paths.newPassword,
        token: formToken,
        content: html`${inputs}${hidden('link', link)}
        ${fields(
          [
            {
              name: 'email',
              label: 'Email',
              type: 'email',
              value: await addressOf(dependencies, person),
              autocomplete: 'username',
              readonly: true,
            },
            ...(takenOver ? [nameField(given)] : []),
            {
              name: 'password',
              label: 'New password',
              type: 'password',
              hint: `At least ${shortestPassword} characters.`,
              autocomplete: 'new-password',
              autofocus: !takenOver,
            },
          ],
          problems,
        )}
        ${takenOver ? '' : await passkeysOf(dependencies, person, request.method === 'GET' || given.has(removePasskeys))}
        ${button('Set the password')}`,
      })}`,
  };
}

/** Somebody who knew the old password may have added a passkey. The owner sees them, and must choose to keep them. */
async function passkeysOf(
  { personal }: PageDependencies,
  { user, passkeys }: Person,
  ticked: boolean,
): Promise<Html | ''> {
  if (passkeys.length === 0) return '';
  const names = await Promise.all(
    passkeys.map(async ({ label }) => label && (await personal.open<string>(personOf(user), label))),
  );
  return html`<p class="hint">
      Passkeys that can sign in to your account:
      ${names.map((name) => name ?? 'one without a name').join(', ')}.
    </p>
    ${checkbox({
      name: removePasskeys,
      label: 'Remove them. Untick this only if you know that each of them is yours.',
      ticked,
    })}`;
}
