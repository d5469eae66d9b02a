import type { UserEvent } from '../../events/accounts/user.ts';
import { CommandRefused } from '../errors.ts';
import type { Passkey, Person } from './user-state.ts';

/** The most passkeys of one person. */
const passkeysAtMost = 20;

export function addPasskey({ passkeys }: Person, passkey: Passkey): UserEvent[] {
  if (passkeys.some(({ credential }) => credential === passkey.credential)) {
    throw new CommandRefused('conflict', 'This passkey is registered already.');
  }
  if (passkeys.length >= passkeysAtMost) {
    throw new CommandRefused('invalid', `An account has at most ${passkeysAtMost} passkeys.`);
  }
  return [{ type: 'PasskeyAdded', data: passkey }];
}

export function removePasskey({ passkeys, passwordVersion }: Person, credential: string): UserEvent[] {
  const left = withoutPasskey(passkeys, credential);
  if (left.length === passkeys.length) throw new CommandRefused('not_found', 'There is no such passkey.');
  if (left.length === 0 && passwordVersion === 0) {
    throw new CommandRefused('conflict', 'This passkey is the only way to sign in; set a password first.');
  }
  return [{ type: 'PasskeyRemoved', data: { credential } }];
}

export const withoutPasskey = (passkeys: readonly Passkey[], credential: string): Passkey[] =>
  passkeys.filter((each) => each.credential !== credential);
