import { choosePassword } from '../../../actions/accounts/visitors.ts';
import { commonKnowledgeOf } from '../../../commands/accounts/person-password.ts';
import type { Person } from '../../../commands/accounts/user-state.ts';
import { personOf } from '../../../personal/personal-data.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { inputFields, visitorForm, type Again, type VisitorPageContext } from '../../pages/action-form.ts';
import { button, checkbox, field, form } from '../../pages/controls.ts';
import { invalidLinkView } from '../../pages/frame/common-views.ts';
import { html, type Html } from '../../pages/html.ts';
import { signInPath } from '../../pages/interaction.ts';
import { redirectTo, type View } from '../../pages/page-context.ts';
import { paths } from '../../pages/paths.ts';
import { accountAddress, nameField, newPasswordField } from '../person-fields.ts';
import { openedLink, type OpenedLink } from './opened-link.ts';

type Context = VisitorPageContext<OpenedLink>;

const removePasskeys = 'remove-passkeys';

/** Sets a new password with the link from the email. Whoever takes an account over enters a name too. */
export const newPassword = visitorForm({
  path: paths.newPassword,
  action: choosePassword,
  about: openedLink('reset-password'),
  async fields(dependencies, { about: { person }, form }) {
    const about = await commonKnowledgeOf(dependencies, person);
    return fieldsFor(person, [...about, person.everVerified ? '' : (form.get('name') ?? '')]);
  },
  also: ({ form, about: { link } }) => ({ link, removePasskeys: form.has(removePasskeys) }),
  view: passwordView,
  done({ request, about: { returnTo } }, account, dependencies) {
    const onward = returnTo.query === '' ? '?' : `${returnTo.query}&`;
    const cookie = dependencies.recognizedBrowsers.remember(request, account);
    return redirectTo(`${signInPath}${onward}done=new-password`, cookie);
  },
});

const fieldsFor = ({ everVerified }: Person, about: readonly string[]) => [
  ...(everVerified ? [] : [{ ...nameField, autofocus: true }]),
  newPasswordField(about, { label: 'New password', autofocus: everVerified }),
];

async function passwordView(
  dependencies: PageDependencies,
  { formToken, form: typed, request, about }: Context,
  { problems, refused }: Again,
): Promise<View> {
  const { person, email, inputs, returnTo } = about;
  if (refused) return invalidLinkView(returnTo.query);
  return {
    title: 'Choose a new password',
    shape: 'narrow',
    content: html`<p>
        ${
          person.everVerified
            ? 'It replaces your current password. You are signed out in every browser, and sites that you signed in to will ask you again.'
            : 'Nobody has confirmed this account yet. Enter your name and a password of your own: they replace what was entered before.'
        }
      </p>
      ${form({
        action: paths.newPassword,
        token: formToken,
        content: html`${inputs} ${field(accountAddress(email))}
        ${inputFields(fieldsFor(person, []), typed, problems)}
        ${person.everVerified ? await passkeysOf(dependencies, person, request.method === 'GET' || typed.has(removePasskeys)) : ''}
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
