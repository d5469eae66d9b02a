import type { UserEvent } from '../../events/accounts/user.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { uuidOf } from '../../events/ids.ts';
import { personOf } from '../../personal/personal-data.ts';
import { CommandRefused } from '../errors.ts';
import { execute, type Outcome } from '../command-handler.ts';
import { requirePerson, type PersonParts } from './person.ts';
import { user, type UserState } from './user.ts';

type ErasureOutcome = Outcome<UserState, UserEvent>;

/**
 * Records that an account is to be erased after a time of grace. Repeating it changes nothing. A legal hold does not
 * prevent the request: it takes effect when the hold is lifted.
 * @throws CommandRefused not_found
 */
export const requestErasure = (
  { store }: Pick<PersonParts, 'store'>,
  userId: string,
  { graceSeconds }: { readonly graceSeconds: number },
  context: CommandContext,
): Promise<ErasureOutcome> => {
  const dueAt = new Date(context.at.getTime() + graceSeconds * 1_000).toISOString();
  return execute(store, user, userId, { kind: 'request-erasure', dueAt }, context);
};

/** Withdraws the request, if there is one. @throws CommandRefused not_found, also when the account is erased */
export const withdrawErasure = (
  { store }: Pick<PersonParts, 'store'>,
  userId: string,
  context: CommandContext,
): Promise<ErasureOutcome> => execute(store, user, userId, { kind: 'withdraw-erasure' }, context);

/** Records that a person's data is downloaded. @throws CommandRefused not_found */
export const recordExport = (
  { store }: Pick<PersonParts, 'store'>,
  userId: string,
  context: CommandContext,
): Promise<ErasureOutcome> => execute(store, user, userId, { kind: 'record-export' }, context);

/** The longest reason of a legal hold, in characters. */
export const longestReason = 500;

/** Places a legal hold. Its reason is sealed for the person. @throws CommandRefused not_found, invalid */
export async function placeHold(
  { store, personal }: Pick<PersonParts, 'store' | 'personal'>,
  userId: string,
  { reason }: { readonly reason: string },
  context: CommandContext,
): Promise<{ readonly hold: string; readonly outcome: ErasureOutcome }> {
  const text = reason.trim();
  if (text === '' || text.length > longestReason || !text.isWellFormed()) {
    throw new CommandRefused('invalid', `The reason must have 1 to ${longestReason} characters.`);
  }
  await requirePerson({ store }, userId);
  const hold = uuidOf(context.commandId, 'hold');
  const sealed = await personal.seal(personOf(userId), text);
  const outcome = await execute(store, user, userId, { kind: 'place-hold', hold, reason: sealed }, context);
  return { hold, outcome };
}

/** Lifts a legal hold. An erasure that is due takes place soon after. @throws CommandRefused not_found */
export const liftHold = (
  { store }: Pick<PersonParts, 'store'>,
  userId: string,
  { hold }: { readonly hold: string },
  context: CommandContext,
): Promise<ErasureOutcome> => execute(store, user, userId, { kind: 'lift-hold', hold }, context);
