import type { CommandContext } from '../../events/metadata.ts';
import { type UserEvent, type ProfileFields } from '../../events/accounts/user.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { execute, type Outcome } from '../command-handler.ts';
import { personOf } from '../../personal/personal-data.ts';
import { isPassword } from './password.ts';
import { forgetPasswords, keepPassword, passwordHash, type ChosenPassword } from './password-hashes.ts';
import type { PersonParts } from './person.ts';
import { user, type PasswordChange } from './user.ts';
import type { Person, UserState } from './user-state.ts';

/**
 * Sets a person's password and ends all sessions, and what else the change asks for, with one event. The hash is
 * stored in the vault before the event that names it. Earlier hashes are deleted. `afterVersion` makes a link work
 * only once.
 * @throws CommandRefused invalid (too short, too easy to guess), conflict (set meanwhile), not_found
 */
export async function setPassword(
  { store, vault }: Pick<PersonParts, 'store' | 'vault'>,
  userId: string,
  {
    password,
    about = [],
    ...change
  }: Partial<ChosenPassword> & { readonly password: string } & PasswordChange,
  context: CommandContext,
): Promise<Outcome<UserState, UserEvent>> {
  const passwordId = await keepPassword(vault, userId, { password, about }, context);
  try {
    const command = { kind: 'change-password', passwordId, ...change } as const;
    const outcome = await execute(store, user, userId, command, context);
    await forgetPasswords({ store, vault }, userId);
    return outcome;
  } catch (error) {
    // A refused command has appended nothing. After any other failure the event may have been appended.
    if (error instanceof CommandRefused) await forgetPasswords({ store, vault }, userId, passwordId);
    throw error;
  }
}

/** What others know about a person: their passwords must not contain it. */
export async function commonKnowledgeOf(
  { personal }: Pick<PersonParts, 'personal'>,
  { user: userId, email_sealed, profile }: Pick<Person, 'user' | 'email_sealed' | 'profile'>,
): Promise<string[]> {
  const [email, fields] = await Promise.all([
    personal.open<string>(personOf(userId), email_sealed),
    personal.open<ProfileFields>(personOf(userId), profile),
  ]);
  return [email, fields?.name, fields?.username].filter((each) => each !== undefined);
}

/**
 * Whether this is the password of a person. For an unknown person, or one without a password, as much is read and
 * hashed as for a wrong password, so that the time does not reveal which accounts exist.
 */
export async function isPasswordOf(
  { vault }: Pick<PersonParts, 'vault'>,
  person: Person | undefined,
  password: string,
): Promise<boolean> {
  const hash = await passwordHash(vault, person?.user ?? 'nobody', person?.passwordId ?? 'none');
  return isPassword(password, hash);
}
