import { createHmac, randomBytes } from 'node:crypto';
import type { CommandContext } from '../../events/metadata.ts';
import { uuidOf } from '../../events/ids.ts';
import type { Vault } from '../../stores/vault/port.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { execute, load } from '../command-handler.ts';
import {
  commandPerson,
  registerPerson,
  requirePerson,
  type NewPerson,
  type PersonOutcome,
  type PersonParts,
} from './person.ts';
import { user } from './user.ts';

/**
 * The id of the first administrator. It is fixed for an installation before there is one, so that one stream decides
 * who it is. A `set-up` link is made for this id.
 */
export async function firstAdministratorId(vault: Vault): Promise<string> {
  const key = await vault.putIfAbsent('first-administrator', randomBytes(32));
  return uuidOf(createHmac('sha256', key).update('id').digest('hex'));
}

/** Whether there was ever an administrator: the first one has registered, or another person was made one instead. */
export async function hasFirstAdministrator({ store, vault }: PersonParts): Promise<boolean> {
  const { state } = await load(store, user, await firstAdministratorId(vault));
  return state !== undefined;
}

/**
 * Registers the first administrator. Works once.
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

/**
 * Makes a person with an account an administrator, and voids the link that makes the first one.
 * @throws CommandRefused not_found
 */
export async function appointAdministrator(
  parts: PersonParts,
  userId: string,
  context: CommandContext,
): Promise<PersonOutcome> {
  const outcome = await commandPerson(parts, userId, { kind: 'change-role', role: 'administrator' }, context);
  await closeSetUp(parts, userId, context);
  return outcome;
}

/**
 * Opens an administrator's account for somebody without one. The administrator who invites vouches for the address,
 * so it counts as verified. The invited person sets the password by a link.
 * @throws CommandRefused conflict (somebody has the address), invalid
 */
export async function inviteAdministrator(
  parts: PersonParts,
  person: Pick<NewPerson, 'email' | 'profile'>,
  context: CommandContext,
): Promise<{ userId: string; outcome: PersonOutcome }> {
  const { userId } = await registerPerson(parts, { ...person, role: 'administrator' }, context);
  const { email } = await requirePerson(parts, userId);
  const confirm = { kind: 'verify-email', email } as const;
  const outcome = await commandPerson(parts, userId, confirm, also(context, 'confirm'));
  await closeSetUp(parts, userId, context);
  return { userId, outcome };
}

/**
 * Makes an administrator an ordinary person. `others`: the other known administrators. Not atomic over accounts: the
 * caller must allow only one dismissal at a time, or two administrators could dismiss each other.
 * @throws CommandRefused not_found (no administrator), conflict (the last one)
 */
export async function dismissAdministrator(
  parts: PersonParts,
  userId: string,
  others: readonly string[],
  context: CommandContext,
): Promise<PersonOutcome> {
  if (!(await isAdministrator(parts, userId))) {
    throw new CommandRefused('not_found', 'This person is no administrator.');
  }
  const left = await Promise.all(
    others.filter((other) => other !== userId).map((other) => isAdministrator(parts, other)),
  );
  if (!left.includes(true)) {
    throw new CommandRefused('conflict', 'This is the only administrator; add another one first.');
  }
  return commandPerson(parts, userId, { kind: 'change-role', role: 'person' }, context);
}

async function isAdministrator({ store }: PersonParts, userId: string): Promise<boolean> {
  const { state } = await load(store, user, userId);
  return state?.status === 'active' && state.role === 'administrator';
}

async function closeSetUp(
  { store, vault }: PersonParts,
  administrator: string,
  context: CommandContext,
): Promise<void> {
  const first = await firstAdministratorId(vault);
  await execute(store, user, first, { kind: 'close-set-up', administrator }, also(context, 'set-up'));
}

/** The context of a second command that follows from the first. */
const also = (context: CommandContext, what: string): CommandContext => ({
  ...context,
  commandId: uuidOf(context.commandId, what),
});
