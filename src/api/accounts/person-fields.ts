import { passwordObjection, shortestPassword } from '../../commands/accounts/password.ts';
import { misleads } from '../../events/display-name.ts';
import { normalAddress, writtenAddress } from '../../events/accounts/email-address.ts';
import { Wrong, type InputField } from '../pages/action-form.ts';
import type { Field } from '../pages/controls.ts';
import { misleadingNameSentence } from '../pages/parts/misleading-name.ts';

/** A field of a profile, which others see. `wrong`: what is said of text that it cannot have. */
export const profileField = (field: Omit<InputField, 'read'> & { readonly wrong: string }): InputField => ({
  ...field,
  read(typed) {
    const text = typed.normalize('NFC');
    if (misleads(text)) return new Wrong(misleadingNameSentence);
    return text === '' && !field.optional ? new Wrong(field.wrong) : text || undefined;
  },
});

export const nameField = profileField({
  name: 'name',
  label: 'Name',
  autocomplete: 'name',
  wrong: 'Enter a name of up to 200 characters.',
});

/** The longest address there is (RFC 5321 section 4.5.3.1.3, without the brackets). */
const longestAddress = 254;

export const emailField: InputField = {
  name: 'email',
  label: 'Email',
  type: 'email',
  autocomplete: 'username',
  read(typed) {
    const email = writtenAddress(typed);
    if (email === '') return new Wrong('Enter your email address.');
    const isWhole =
      email.length <= longestAddress &&
      /^[^\s@]+@[^\s@/?#\\:]+\.[^\s@/?#\\:]+$/u.test(email) &&
      normalAddress(email) !== undefined;
    return isWhole ? email : new Wrong('This is not an email address. It should look like name@example.org.');
  },
};

/** The address of an account, for programs that keep passwords. */
export const accountAddress = (email: string): Field => ({
  name: 'email',
  label: 'Email',
  type: 'email',
  value: email,
  autocomplete: 'username',
  readonly: true,
});

/** The password that an account has. */
export const passwordField = (label = 'Password', autofocus = false): Field => ({
  name: 'password',
  label,
  type: 'password',
  autocomplete: 'current-password',
  autofocus,
});

/** A password that is chosen. `about`: what others know of the person. */
export const newPasswordField = (
  about: readonly string[],
  { advice = '', ...field }: Partial<InputField> & { readonly advice?: string } = {},
): InputField => ({
  name: 'password',
  label: 'Password',
  type: 'password',
  hint: `At least ${shortestPassword} characters.${advice}`,
  autocomplete: 'new-password',
  input: 'password',
  async read(_, [password = '']) {
    const wrong = password === '' ? 'Choose a password.' : await passwordObjection(password, about);
    return wrong === undefined ? password : new Wrong(wrong);
  },
  ...field,
});

/** The fields of a new account. `email`: from elsewhere than the form. */
export const accountFields = (typed: URLSearchParams, { email = '', advice = '' } = {}): InputField[] => [
  { ...nameField, autofocus: true },
  { ...emailField, value: email },
  newPasswordField([typed.get('email') ?? '', typed.get('name') ?? ''], { advice }),
];
