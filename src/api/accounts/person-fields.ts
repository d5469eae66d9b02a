import { requirePassword, shortestPassword } from '../../commands/accounts/password.ts';
import { CommandRefused } from '../../commands/errors.ts';
import { misleads } from '../../events/display-name.ts';
import { profileFields, type ProfileFields } from '../../events/accounts/user.ts';
import { normalAddress, writtenAddress } from '../../personal/email-address.ts';
import { Wrong } from '../pages/action-form.ts';
import type { Field, Problems } from '../pages/controls.ts';
import { misleadingNameSentence } from '../pages/parts/misleading-name.ts';

/** The fields of a new account, with what was filled in. `email`: from elsewhere than the form. */
export function accountFields(given: URLSearchParams, { email = '', advice = '' } = {}): Field[] {
  return [
    nameField(given),
    {
      name: 'email',
      label: 'Email',
      type: 'email',
      value: given.get('email') ?? email,
      autocomplete: 'username',
    },
    {
      name: 'password',
      label: 'Password',
      type: 'password',
      hint: `At least ${shortestPassword} characters.${advice}`,
      autocomplete: 'new-password',
    },
  ];
}

export const nameField = (given: URLSearchParams): Field => ({
  name: 'name',
  label: 'Name',
  value: given.get('name') ?? '',
  autocomplete: 'name',
  autofocus: true,
});

/** The longest address there is (RFC 5321 section 4.5.3.1.3, without the brackets). */
const longestAddress = 254;

/** The email address in a form, and what is wrong with it. */
export function addressIn(form: URLSearchParams): {
  readonly email: string;
  readonly problem: string | undefined;
} {
  const email = writtenAddress(form.get('email') ?? '');
  if (email === '') return { email, problem: 'Enter your email address.' };
  const whole =
    email.length <= longestAddress &&
    /^[^\s@]+@[^\s@/?#\\:]+\.[^\s@/?#\\:]+$/u.test(email) &&
    normalAddress(email) !== undefined;
  return {
    email,
    problem: whole ? undefined : 'This is not an email address. It should look like name@example.org.',
  };
}

/** For a field with an email address. */
export function addressOrWrong(typed: string): string | Wrong {
  const { email, problem } = addressIn(new URLSearchParams({ email: typed }));
  return problem === undefined ? email : new Wrong(problem);
}

/** The new password in the field of this name, and why it cannot be used. */
export async function passwordIn(
  form: URLSearchParams,
  about: readonly string[],
  field = 'password',
): Promise<{ readonly password: string; readonly problem: string | undefined }> {
  const password = form.get(field) ?? '';
  if (password === '') return { password, problem: 'Choose a password.' };
  try {
    await requirePassword(password, about);
  } catch (error) {
    if (error instanceof CommandRefused) return { password, problem: error.message };
    throw error;
  }
  return { password, problem: undefined };
}

/** The profile in a form, without empty fields. */
export function profileIn(form: URLSearchParams): {
  readonly profile: ProfileFields;
  readonly problems: Problems;
} {
  const given = Object.fromEntries(
    ['name', 'username', 'picture', 'phone']
      .map((name) => [name, (form.get(name) ?? '').trim().normalize('NFC')] as const)
      .filter(([name, value]) => value !== '' || name === 'name'),
  );
  const parsed = profileFields.safeParse(given);
  if (parsed.success) return { profile: parsed.data, problems: {} };
  const wrong = new Set(parsed.error.issues.map(({ path }) => String(path[0])));
  const sentenceOf = (name: string) =>
    misleads(given[name] ?? '') ? misleadingNameSentence : sentences[name as keyof typeof sentences];
  return {
    profile: given as ProfileFields,
    problems: Object.fromEntries([...wrong].map((name) => [name, sentenceOf(name)])),
  };
}

const sentences = {
  name: 'Enter a name of up to 200 characters.',
  username: 'A username has up to 60 letters and digits, with dots, hyphens and underscores between them.',
  picture: 'Enter an address that begins with https://.',
  phone: 'This is not a phone number. It should look like +1 555 0100.',
} as const;
