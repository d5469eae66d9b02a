import { streamId } from '../events/define.ts';
import { userStream, type UserEvent } from '../events/accounts/user.ts';
import { projection } from './engine/read-model.ts';

/**
 * Whether a person is to be erased, may be erased, or is. Each field that a list begins with has a value for every
 * person, so that a list reads an index.
 */
export interface ErasureDocument {
  readonly user: string;
  readonly registered_at: string;
  /** `unverified`: no address was ever verified, and no invitation began it. `erased`: the account is gone. */
  readonly registration: 'unverified' | 'verified' | 'erased';
  readonly erasure: 'none' | 'requested' | 'erased';
  /** ISO 8601: when it was asked for, and when it is due. Empty: nobody has asked for it. */
  readonly requested_at: string;
  readonly due_at: string;
  /** ISO 8601. Empty until then. */
  readonly erased_at: string;
  readonly hold: 'none' | 'held';
  /** Those in force. */
  readonly holds: readonly LegalHold[];
}

export interface LegalHold {
  readonly hold: string;
  readonly placed_at: string;
  /** Sealed under the data key of the person. */
  readonly reason: string;
}

type ErasureEvent = Extract<
  UserEvent,
  {
    type:
      | 'UserRegistered'
      | 'UserEmailVerified'
      | 'ErasureRequested'
      | 'ErasureWithdrawn'
      | 'LegalHoldPlaced'
      | 'LegalHoldLifted'
      | 'OwnDataExported'
      | 'UserErased';
  }
>;

export const erasures = projection<ErasureDocument, ErasureEvent>({
  version: 2,
  events: [
    'UserRegistered',
    'UserEmailVerified',
    'ErasureRequested',
    'ErasureWithdrawn',
    'LegalHoldPlaced',
    'LegalHoldLifted',
    'OwnDataExported',
    'UserErased',
  ],
  collection: {
    name: 'erasures',
    fields: ['user', 'registered_at', 'registration', 'erasure', 'due_at', 'erased_at', 'hold'],
    indexes: [
      ['registration', 'registered_at', 'user'],
      ['erasure', 'due_at', 'user'],
      ['erasure', 'erased_at', 'user'],
      ['hold', 'user'],
    ],
  },
  idOf: (event) => streamId(event, userStream),
  fold(doc, event) {
    const { at } = event.metadata;
    if (event.type === 'UserRegistered') {
      return {
        user: event.data.user,
        registered_at: at,
        registration: event.data.invitation === undefined ? 'unverified' : 'verified',
        erasure: 'none',
        requested_at: '',
        due_at: '',
        erased_at: '',
        hold: 'none',
        holds: [],
      };
    }
    if (!doc) return undefined;
    switch (event.type) {
      case 'UserEmailVerified':
        return { ...doc, registration: 'verified' };
      case 'ErasureRequested':
        return { ...doc, erasure: 'requested', requested_at: at, due_at: event.data.due_at };
      case 'ErasureWithdrawn':
        return { ...doc, erasure: 'none', requested_at: '', due_at: '' };
      case 'LegalHoldPlaced': {
        const { hold, reason } = event.data;
        return withHolds(doc, [...doc.holds, { hold, placed_at: at, reason }]);
      }
      case 'LegalHoldLifted':
        return withHolds(
          doc,
          doc.holds.filter(({ hold }) => hold !== event.data.hold),
        );
      case 'OwnDataExported':
        return doc;
      case 'UserErased':
        return {
          ...withHolds(doc, []),
          registration: 'erased',
          erasure: 'erased',
          due_at: '',
          erased_at: at,
        };
    }
  },
});

const withHolds = (doc: ErasureDocument, holds: readonly LegalHold[]): ErasureDocument => ({
  ...doc,
  hold: holds.length === 0 ? 'none' : 'held',
  holds,
});
