import { createHmac, randomBytes } from 'node:crypto';
import type { CommandContext } from '../events/metadata.ts';
import { uuidOf } from '../events/ids.ts';
import type { Vault } from '../stores/vault/port.ts';
import { load } from './kernel.ts';
import { registerPerson, type NewPerson, type PersonOutcome, type PersonParts } from './person.ts';
import { user } from './user.ts';

/**
 * The id of the first administrator, fixed for this installation before there is one: one stream decides who
 * it is. A `set-up` link is made out to it.
 */
export async function firstAdministratorId(vault: Vault): Promise<string> {
  const key = await vault.putIfAbsent('first-administrator', randomBytes(32));
  return uuidOf(createHmac('sha256', key).update('id').digest('hex'));
}

/** Whether the first administrator was ever registered. */
export async function hasFirstAdministrator({ store, vault }: PersonParts): Promise<boolean> {
  const { state } = await load(store, user, await firstAdministratorId(vault));
  return state !== undefined;
}

/**
 * Registers the first administrator, once and for all.
 * @throws CommandRefused conflict, when there was one already; invalid
 */
export async function registerFirstAdministrator(
  parts: PersonParts,
  person: Pick<NewPerson, 'email' | 'profile' | 'password'>,
  context: CommandContext,
): Promise<{ userId: string; outcome: PersonOutcome }> {
  const userId = await firstAdministratorId(parts.vault);
  return registerPerson(parts, { ...person, role: 'administrator', userId }, context);
}
