import { linkLives } from '../../commands/accounts/one-time-links.ts';
import { findPerson } from '../../commands/accounts/person.ts';
import { standsAt } from '../../commands/accounts/user.ts';
import type { AccountVersion, Person } from '../../commands/accounts/user-state.ts';
import { SealedValue } from '../../ground/seal.ts';
import type { ActionParts } from '../action.ts';
import type { MailParts } from './account-mails.ts';

type Parts = ActionParts & MailParts;

/** The content of the link to a new address. It is sealed, so that nobody can read an address in it. */
interface AddressChange {
  readonly user: string;
  /**
   * Keyed hash of the account's address when the link was made. The link is void when the account has another one.
   */
  readonly from: string;
  readonly to: string;
  /** The state of the account when the link was made. A person who knew an earlier password cannot use the link. */
  readonly standing: AccountVersion;
}

export const sealedChange = ({ masterKey }: Parts): SealedValue<AddressChange> =>
  new SealedValue(masterKey, 'address change with password', linkLives['verify-email']);

export interface PendingChange {
  readonly change: AddressChange;
  readonly person: Person;
}

/** What the link to a new address says, as long as it is valid. A change that was interrupted can be repeated. */
export async function pendingChange(parts: Parts, confirm: string): Promise<PendingChange | undefined> {
  const change = sealedChange(parts).open(confirm, parts.now());
  const person = change && (await findPerson(parts, change.user));
  if (!person || !standsAt(person, change.standing)) return undefined;
  const begun = !person.verified && person.email === (await parts.personal.emailIndex(change.to));
  return person.email === change.from || begun ? { change, person } : undefined;
}
