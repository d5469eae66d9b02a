import { describe, expect, it } from 'vitest';
import { requireActive, user, type UserCommand } from '../../../src/commands/accounts/user.ts';
import type { UserEvent } from '../../../src/events/accounts/user.ts';
import { given } from '../../support/decider.ts';
import type { Passkey } from '../../../src/commands/accounts/user-state.ts';

const id = '2f0c1a52-6d3f-4c55-9a8e-3c8f2f0c7a11';
const claim = '3f0c1a52-6d3f-4c55-9a8e-3c8f2f0c7a11';
const later = '3f0c1a52-6d3f-4c55-9a8e-3c8f2f0c7a12';
const password = '4f0c1a52-6d3f-4c55-9a8e-3c8f2f0c7a11';
const index = '0'.repeat(64);
const another = '1'.repeat(64);

const data = { user: id, role: 'person', email: index, claim, email_sealed: 'xx', profile: 'yy' } as const;
const registered: UserEvent = { type: 'UserRegistered', data };
const verified: UserEvent = { type: 'UserEmailVerified', data: { email: index } };
const lapsed = (email = index, of = claim): UserEvent => ({
  type: 'EmailClaimLapsed',
  data: { email, claim: of },
});
const moved: UserEvent = {
  type: 'UserEmailChanged',
  data: { email: another, claim: later, email_sealed: 'zz' },
};
const passwordSet = (version: number, session_epoch: number): UserEvent => ({
  type: 'UserPasswordChanged',
  data: { version, password_id: password, session_epoch },
});
const passkey = (credential: string): Passkey => ({ credential, public_key: 'pk', transports: ['internal'] });
const added = (credential: string): UserEvent => ({ type: 'PasskeyAdded', data: passkey(credential) });
const erased: UserEvent = { type: 'UserErased', data: { email: index } };

const ordinary: readonly UserCommand[] = [
  { kind: 'change-profile', profile: 'zz' },
  { kind: 'change-email', data: moved.data },
  { kind: 'verify-email', email: index },
  { kind: 'change-password', passwordId: password },
  { kind: 'end-sessions' },
  { kind: 'change-role', role: 'administrator' },
  { kind: 'add-passkey', passkey: passkey('a') },
  { kind: 'remove-passkey', credential: 'a' },
];

describe('a person', () => {
  it('is registered once, with or without a password', () => {
    given(user).when({ kind: 'register', data }).then(registered);
    given(user).when({ kind: 'register', data, passwordId: password }).then(registered, passwordSet(1, 1));
    given(user, registered).when({ kind: 'register', data }).thenRefused('conflict');
    given(user, registered, erased).when({ kind: 'register', data }).thenRefused('conflict');
  });

  it('that nobody is, or that is erased, can be asked nothing', () => {
    for (const command of ordinary) {
      given(user).when(command).thenRefused('not_found');
      given(user, lapsed()).when(command).thenRefused('not_found');
      given(user, registered, erased).when(command).thenRefused('not_found');
    }
  });

  it('changes the profile', () => {
    given(user, registered)
      .when({ kind: 'change-profile', profile: 'zz' })
      .then({ type: 'UserProfileChanged', data: { profile: 'zz' } });
  });

  it('sets a password as often as they like, and ends every session with it', () => {
    const change: UserCommand = { kind: 'change-password', passwordId: password };
    given(user, registered).when(change).then(passwordSet(1, 2));
    given(user, registered, passwordSet(1, 2)).when(change).then(passwordSet(2, 3));
  });

  it('sets a password by a link only if none was set since', () => {
    const change = (afterVersion: number): UserCommand => ({
      kind: 'change-password',
      passwordId: password,
      afterVersion,
    });
    given(user, registered).when(change(0)).then(passwordSet(1, 2));
    given(user, registered, passwordSet(1, 2)).when(change(0)).thenRefused('conflict');
    given(user, registered, passwordSet(1, 2)).when(change(1)).then(passwordSet(2, 3));
  });

  it('ends every site’s access and removes passkeys with a password, where that is asked for', () => {
    const change: UserCommand = {
      kind: 'change-password',
      passwordId: password,
      endAccess: true,
      removePasskeys: true,
    };
    const plain = passwordSet(1, 2);
    if (plain.type !== 'UserPasswordChanged') throw new Error('A password is set.');
    const ended: UserEvent = { ...plain, data: { ...plain.data, access_epoch: 2 } };
    given(user, registered).when(change).then(ended);
    const both: UserEvent = { ...ended, data: { ...ended.data, passkeys_removed: true } };
    given(user, registered, added('a')).when(change).then(both);
    expect(requireActive(given(user, registered, added('a'), both).state)).toMatchObject({
      accessEpoch: 2,
      passkeys: [],
    });
  });

  it('signs out everywhere, each time anew', () => {
    given(user, registered)
      .when({ kind: 'end-sessions' })
      .then({ type: 'UserSessionsEnded', data: { session_epoch: 2 } });
    expect(requireActive(given(user, registered, passwordSet(1, 7)).state).sessionEpoch).toBe(7);
  });

  it('is made an administrator, and no longer one', () => {
    const made: UserEvent = { type: 'UserRoleChanged', data: { role: 'administrator' } };
    given(user, registered).when({ kind: 'change-role', role: 'administrator' }).then(made);
    given(user, registered, made).when({ kind: 'change-role', role: 'administrator' }).thenNothing();
    given(user, registered).when({ kind: 'change-role', role: 'person' }).thenNothing();
  });

  it('adds passkeys, each once and twenty at most', () => {
    given(user, registered)
      .when({ kind: 'add-passkey', passkey: passkey('a') })
      .then(added('a'));
    given(user, registered, added('a'))
      .when({ kind: 'add-passkey', passkey: passkey('a') })
      .thenRefused('conflict');
    const many = Array.from({ length: 20 }, (_, n) => added(`k${n}`));
    given(user, registered, ...many)
      .when({ kind: 'add-passkey', passkey: passkey('a') })
      .thenRefused('invalid');
  });

  it('removes passkeys, but not the only way to sign in', () => {
    const removed: UserEvent = { type: 'PasskeyRemoved', data: { credential: 'a' } };
    const remove: UserCommand = { kind: 'remove-passkey', credential: 'a' };
    given(user, registered, added('a'), added('b')).when(remove).then(removed);
    given(user, registered, passwordSet(1, 1), added('a')).when(remove).then(removed);
    given(user, registered, added('a')).when(remove).thenRefused('conflict');
    given(user, registered, passwordSet(1, 1), added('a'), removed).when(remove).thenRefused('not_found');
  });

  it('is erased, once', () => {
    given(user, registered).when({ kind: 'erase' }).then(erased);
    given(user, registered, erased).when({ kind: 'erase' }).thenNothing();
    given(user).when({ kind: 'erase' }).thenRefused('not_found');
  });
});

describe('the address of a person', () => {
  const verify: UserCommand = { kind: 'verify-email', email: index };
  const lapse: UserCommand = { kind: 'lapse-claim', email: index, claim };

  it('is verified, once', () => {
    given(user, registered).when(verify).then(verified);
    given(user, registered, verified).when(verify).thenNothing();
  });

  it('is another after a change, and then not verified', () => {
    given(user, registered, verified).when({ kind: 'change-email', data: moved.data }).then(moved);
    given(user, registered, verified, moved).when(verify).thenRefused('conflict');
    given(user, registered, verified, moved)
      .when({ kind: 'verify-email', email: another })
      .then({ type: 'UserEmailVerified', data: { email: another } });
  });

  it('is not changed by a wish from before another password or the end of all sessions', () => {
    const wish: UserCommand = {
      kind: 'change-email',
      data: moved.data,
      expected: { passwordVersion: 0, sessionEpoch: 1 },
    };
    given(user, registered).when(wish).then(moved);
    given(user, registered, passwordSet(1, 1)).when(wish).thenRefused('conflict');
    const everywhere: UserEvent = { type: 'UserSessionsEnded', data: { session_epoch: 2 } };
    given(user, registered, everywhere).when(wish).thenRefused('conflict');
  });

  it('lapses while it is not verified, and can then not be any more', () => {
    given(user, registered).when(lapse).then(lapsed());
    given(user, registered, lapsed()).when(lapse).thenNothing();
    given(user, registered, lapsed()).when(verify).thenRefused('conflict');
    given(user, registered, verified).when(lapse).thenRefused('conflict');
    expect(requireActive(given(user, registered, lapsed()).state).lapsed).toBe(true);
    expect(requireActive(given(user, registered, lapsed(), moved).state).lapsed).toBe(false);
  });

  it('lapses before its person is registered, who then cannot be', () => {
    given(user).when(lapse).then(lapsed());
    given(user, lapsed()).when({ kind: 'register', data }).thenRefused('conflict');
    given(user, lapsed()).when(lapse).thenNothing();
  });

  it('lapses before a change to it is made, which then cannot be', () => {
    const lapseLater: UserCommand = { kind: 'lapse-claim', email: another, claim: later };
    given(user, registered, verified).when(lapseLater).then(lapsed(another, later));
    given(user, registered, verified, lapsed(another, later))
      .when({ kind: 'change-email', data: moved.data })
      .thenRefused('conflict');
    given(user, registered, verified, lapsed(another, later))
      .when({ kind: 'change-email', data: { ...moved.data, claim: password } })
      .then({ type: 'UserEmailChanged', data: { ...moved.data, claim: password } });
  });

  it('of an erased person is nobody’s to keep', () => {
    given(user, registered, verified, erased).when(lapse).thenNothing();
  });
});
