import { streamId } from '../events/define.ts';
import { userStream, type UserEvent, type UserRole } from '../events/accounts/user.ts';
import { projection } from './engine/read-model.ts';

/**
 * A person. Personal data is sealed as in the events, under the person's data key: `profile` opens to ProfileFields,
 * `email_sealed` to the address. An erased person is marked, and nothing of theirs can be opened.
 */
export interface PersonDocument {
  readonly user: string;
  readonly status: 'active' | 'erased';
  readonly role: UserRole;
  /** Keyed hash of the address. */
  readonly email: string;
  readonly email_sealed: string;
  readonly email_verified: boolean;
  /** Somebody else has the address now. Nobody may be told the address of this person. */
  readonly email_lapsed?: true;
  readonly profile: string;
  /** ISO 8601. The claim updated_at (OpenID Connect Core section 5.1) is made from it. */
  readonly profile_changed_at: string;
  readonly has_password: boolean;
  readonly session_epoch: number;
  /** Consents given under an earlier epoch have ended. */
  readonly access_epoch: number;
  readonly passkeys: readonly PasskeyEntry[];
  readonly registered_at: string;
}

export interface PasskeyEntry {
  readonly credential: string;
  readonly public_key: string;
  readonly transports: readonly string[];
  /** Sealed. */
  readonly label?: string;
  readonly added_at: string;
}

export const people = projection<PersonDocument, UserEvent>({
  version: 2,
  events: [
    'UserRegistered',
    'UserProfileChanged',
    'UserEmailChanged',
    'UserEmailVerified',
    'EmailClaimLapsed',
    'UserPasswordChanged',
    'UserSessionsEnded',
    'UserRoleChanged',
    'PasskeyAdded',
    'PasskeyRemoved',
    'UserErased',
  ],
  collection: {
    name: 'people',
    fields: ['user', 'role', 'registered_at'],
    indexes: [
      ['registered_at', 'user'],
      ['role', 'registered_at', 'user'],
    ],
  },
  idOf: (event) => streamId(event, userStream),
  fold(doc, event) {
    const { at } = event.metadata;
    if (event.type === 'UserRegistered') {
      const { user, role, email, email_sealed, profile } = event.data;
      return {
        user,
        status: 'active',
        role,
        email,
        email_sealed,
        email_verified: false,
        profile,
        profile_changed_at: at,
        has_password: false,
        session_epoch: 1,
        access_epoch: 1,
        passkeys: [],
        registered_at: at,
      };
    }
    if (!doc) return undefined;
    switch (event.type) {
      case 'UserProfileChanged':
        return { ...doc, profile: event.data.profile, profile_changed_at: at };
      case 'UserEmailChanged': {
        const { email, email_sealed } = event.data;
        const { email_lapsed: _, ...rest } = doc;
        return { ...rest, email, email_sealed, email_verified: false, profile_changed_at: at };
      }
      case 'UserEmailVerified':
        return { ...doc, email_verified: true, profile_changed_at: at };
      case 'EmailClaimLapsed':
        return event.data.email === doc.email ? { ...doc, email_lapsed: true } : doc;
      case 'UserPasswordChanged':
        return {
          ...doc,
          has_password: true,
          session_epoch: event.data.session_epoch,
          access_epoch: event.data.access_epoch ?? doc.access_epoch,
          passkeys: event.data.passkeys_removed ? [] : doc.passkeys,
        };
      case 'UserSessionsEnded':
        return { ...doc, session_epoch: event.data.session_epoch };
      case 'UserRoleChanged':
        return { ...doc, role: event.data.role };
      case 'PasskeyAdded':
        return { ...doc, passkeys: [...doc.passkeys, { ...event.data, added_at: at } as PasskeyEntry] };
      case 'PasskeyRemoved': {
        const { credential } = event.data;
        return { ...doc, passkeys: doc.passkeys.filter((each) => each.credential !== credential) };
      }
      case 'UserErased':
        return { ...doc, status: 'erased', has_password: false, passkeys: [] };
      // The set-up link is decided from the stream. The others are in `erasures`, which is read less often than people.
      case 'SetUpClosed':
      case 'ErasureRequested':
      case 'ErasureWithdrawn':
      case 'LegalHoldPlaced':
      case 'LegalHoldLifted':
      case 'OwnDataExported':
      case 'UserMailsChosen':
        return doc;
    }
  },
});
