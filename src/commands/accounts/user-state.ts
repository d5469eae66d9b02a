import type { UserEvent } from '../../events/accounts/user.ts';
import type { UserRole } from '../../events/accounts/user.ts';

export type DataOf<Type extends UserEvent['type']> = Extract<UserEvent, { type: Type }>['data'];

export type Passkey = DataOf<'PasskeyAdded'>;

/** A person. Personal data is still sealed. */
export interface Person {
  readonly status: 'active' | 'erased';
  readonly user: string;
  readonly role: UserRole;
  /** Keyed hash of the address. */
  readonly email: string;
  readonly email_sealed: string;
  readonly verified: boolean;
  /** The account began with the link of an invitation to its address, so it can be used before that is verified. */
  readonly invited: boolean;
  /** Some address of theirs was verified once. */
  readonly everVerified: boolean;
  /** The address was not verified in time, and somebody else has it now. */
  readonly lapsed: boolean;
  /** Claims to addresses that lapsed before they were used. */
  readonly lapsedClaims: readonly string[];
  readonly profile: string;
  /** How often the password was set. 0 when there is none. */
  readonly passwordVersion: number;
  readonly passwordId: string | undefined;
  readonly sessionEpoch: number;
  /** Consents given under an earlier epoch have ended. */
  readonly accessEpoch: number;
  readonly passkeys: readonly Passkey[];
  /** Mails about what became of submitted records. Undefined: nothing was chosen. */
  readonly mails: DataOf<'UserMailsChosen'> | undefined;
  /** When the account is to be erased, ISO 8601. Undefined: nobody has asked for it. */
  readonly erasureDue: string | undefined;
  /** The legal holds in force, by id. While there is one, nothing is erased. */
  readonly holds: readonly string[];
}

/**
 * `lapsed`: nobody may register under this id any more. Somebody claimed an address and never registered, or this is
 * the id of the first administrator and another administrator was appointed before.
 */
export type UserState = Person | { readonly status: 'lapsed' } | undefined;

/**
 * The state that a change of address is bound to. A new password voids the change, and so does signing out
 * everywhere.
 */
export type AccountVersion = Pick<Person, 'passwordVersion' | 'sessionEpoch'>;
