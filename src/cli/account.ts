import { CommandRefused } from '../ground/refusals.ts';
import { z } from 'zod';
import { findByEmail, findPerson, type PersonParts } from '../commands/accounts/person.ts';
import type { ProfileFields } from '../events/accounts/user.ts';
import { personOf } from '../personal/personal-data.ts';
import type { PersonDocument } from '../projections/accounts-people.ts';
import type { CommandSystem } from './command-line.ts';
import { option } from './options.ts';
import type { Person } from '../commands/accounts/user-state.ts';

/**
 * The account with an email address. The error does not tell whether the account or its confirmation is missing.
 * @throws CommandRefused not_found
 */
export async function requireAccount(
  at: PersonParts,
  email: string,
  { confirmed = false } = {},
): Promise<Person> {
  const found = await findByEmail(at, email);
  if (found && (found.verified || !confirmed)) return found;
  const which = confirmed ? 'account whose confirmed email address this is' : 'account with this address';
  throw new CommandRefused('not_found', `There is no ${which}.`);
}

/** The account with this email address or id. @throws CommandRefused not_found, UsageError */
export async function accountNamed(at: CommandSystem, whom: string): Promise<Person> {
  if (whom.includes('@')) return requireAccount(at, whom);
  const id = option('person', z.uuid('must be an email address or the id of an account'), whom);
  const found = await findPerson(at, id);
  if (!found) throw new CommandRefused('not_found', 'There is no such person.');
  return found;
}

/** The current name and address of a person. Both are undefined for an erased person. */
export async function namesOf(
  { personal }: CommandSystem,
  person: PersonDocument | undefined,
): Promise<{ readonly name: string | undefined; readonly email: string | undefined }> {
  if (!person) return { name: undefined, email: undefined };
  const profile = await personal.open<ProfileFields>(personOf(person.user), person.profile);
  const email = await personal.open<string>(personOf(person.user), person.email_sealed);
  return { name: profile?.name, email };
}
