import { expect, it } from 'vitest';
import type { UserEvent as AnyUserEvent } from '../../src/events/accounts/user.ts';
import { erasures, type ErasureDocument } from '../../src/projections/accounts-erasures.ts';
import { at, given } from '../support/fold.ts';

const user = '4b1c0e5a-2d3f-4c6a-9e8b-7a5d1f0c3b21';
const hold = '5f0c1a52-6d3f-4c55-9a8e-3c8f2f0c7a11';
const email = 'a'.repeat(43);
/** Those that the read model folds. */
type UserEvent = Extract<AnyUserEvent, { type: (typeof erasures.events)[number] }>;
const registered: UserEvent = {
  type: 'UserRegistered',
  data: { user, role: 'person', email, claim: hold, email_sealed: 'c2VhbGVk', profile: 'c2VhbGVk' },
};
const verified: UserEvent = { type: 'UserEmailVerified', data: { email } };
const requested: UserEvent = { type: 'ErasureRequested', data: { due_at: at(99) } };
const held: UserEvent = { type: 'LegalHoldPlaced', data: { hold, reason: 'c2VhbGVk' } };

const fold = (...events: UserEvent[]) =>
  given(erasures, ...events.map((event) => [`user-${user}`, event] as const)).get(user);
const asRegistered: ErasureDocument = {
  user,
  registered_at: at(0),
  registration: 'unverified',
  erasure: 'none',
  requested_at: '',
  due_at: '',
  erased_at: '',
  hold: 'none',
  holds: [],
};

it.each<[string, UserEvent[], Partial<ErasureDocument>]>([
  ['has registered', [], {}],
  ['has verified an address', [verified], { registration: 'verified' }],
  ['asked to be erased', [requested], { erasure: 'requested', requested_at: at(1), due_at: at(99) }],
  ['asked, and thought again', [requested, { type: 'ErasureWithdrawn', data: {} }], {}],
  ['has a copy of what is known of them', [{ type: 'OwnDataExported', data: {} }], {}],
  [
    'is under a legal hold',
    [verified, held],
    {
      registration: 'verified',
      hold: 'held',
      holds: [{ hold, placed_at: at(2), reason: 'c2VhbGVk' }],
    },
  ],
  ['was under a legal hold', [held, { type: 'LegalHoldLifted', data: { hold } }], {}],
  [
    'is erased',
    [requested, held, { type: 'UserErased', data: { email } }],
    { registration: 'erased', erasure: 'erased', requested_at: at(1), erased_at: at(3) },
  ],
])('whoever %s is shown with all of it', (_, events, changed) => {
  expect(fold(registered, ...events)).toEqual({ ...asRegistered, ...changed });
});

it('nobody is known who never registered', () => {
  expect(fold(verified)).toBeUndefined();
});
