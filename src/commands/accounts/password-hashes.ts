import { randomBytes } from 'node:crypto';
import { streamName } from '../../events/define.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { userStream } from '../../events/accounts/user.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { Vault } from '../../stores/vault/port.ts';
import { hashPassword, requirePassword, saltBytes } from './password.ts';

/** The hash that a person's newest password event names. Undefined when there is none. */
export async function passwordHash(
  vault: Vault,
  userId: string,
  passwordId: string,
): Promise<string | undefined> {
  const hash = await vault.get(passwordName(userId, passwordId));
  return hash && Buffer.from(hash).toString();
}

/** A chosen password, and what others know about the person: the password must not contain it. */
export interface ChosenPassword {
  readonly password: string;
  readonly about: readonly string[];
}

/**
 * Stores the hash of a password in the vault. The command's event then names it. The same command stores one hash.
 * @throws CommandRefused invalid
 */
export async function keepPassword(
  vault: Vault,
  userId: string,
  { password, about }: ChosenPassword,
  { commandId }: CommandContext,
): Promise<string> {
  await requirePassword(password, about);
  const hash = await hashPassword(password, randomBytes(saltBytes));
  await vault.putIfAbsent(passwordName(userId, commandId), Buffer.from(hash));
  return commandId;
}

/**
 * Deletes hashes that the stream has named and no longer names, and `unused` unless it is the current one. Other
 * hashes may belong to an event that is about to be appended. For an erased person all hashes are deleted.
 */
export async function forgetPasswords(
  { store, vault }: { readonly store: EventStore; readonly vault: Vault },
  userId: string,
  unused?: string,
): Promise<void> {
  const history = await store.readStream(streamName(userStream, userId));
  const named = history
    .filter(({ type }) => type === 'UserPasswordChanged')
    .map(({ data }) => (data as { readonly password_id: string }).password_id);
  const current = history.some(({ type }) => type === 'UserErased') ? undefined : named.at(-1);
  for (const passwordId of new Set(unused === undefined ? named : [...named, unused])) {
    if (passwordId !== current) await vault.delete(passwordName(userId, passwordId));
  }
}

/** The vault entry of the hash that an event names. */
export const passwordName = (userId: string, passwordId: string): string =>
  `password/${userId}/${passwordId}`;
