import type { CommandContext } from '../../events/metadata.ts';
import { userStream, type UserEvent } from '../../events/accounts/user.ts';
import { streamName } from '../../events/define.ts';
import { uuidOf } from '../../events/ids.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { personOf } from '../../personal/personal-data.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { execute, type Outcome } from '../command-handler.ts';
import { erasingEvent } from '../erasing-event.ts';
import { releaseEmail } from './email.ts';
import type { ErasureRule } from './erasure-decision.ts';
import { forgetPasswords } from './password-hashes.ts';
import { requirePerson, type PersonParts } from './person.ts';
import { user } from './user.ts';
import type { UserState } from './user-state.ts';

export type ErasureOutcome = Outcome<UserState, UserEvent>;

/**
 * Erases an account as far as log and vault go: decides it, releases every address that the person ever had, and
 * deletes the passwords and, last, the data key. The events stay. As long as the data key is there, the erasure is not
 * finished; repeating it after a crash finishes it. Nothing happens when `rule` does not hold (any more).
 *
 * @throws CommandRefused not_found, conflict (a legal hold); StoreError, when the erasure ledger cannot be written
 */
export async function erasePerson(
  parts: PersonParts,
  userId: string,
  context: CommandContext,
  rule: ErasureRule = {},
): Promise<ErasureOutcome> {
  await parts.personal.readyToErase();
  const outcome = await decideErasureOf(parts, userId, context, rule);
  if (outcome.state?.status === 'erased') await destroyAccount(parts, userId, outcome, context);
  return outcome;
}

/** The decision alone: from here on no session, token or link of the person works. @throws as `erasePerson` */
export const decideErasureOf = (
  { store }: Pick<PersonParts, 'store'>,
  userId: string,
  context: CommandContext,
  rule: ErasureRule = {},
): Promise<ErasureOutcome> => execute(store, user, userId, { kind: 'erase', ...rule }, context);

/** Deletes what log and vault have of an account whose erasure is decided. */
export async function destroyAccount(
  { store, vault, personal }: PersonParts,
  userId: string,
  decided: Pick<ErasureOutcome, 'events'>,
  context: CommandContext,
): Promise<void> {
  for (const address of await addressesOf(store, userId)) await releaseEmail(store, address, userId, context);
  await forgetPasswords({ store, vault }, userId);
  await personal.erase(personOf(userId), erasingEvent(decided, streamName(userStream, userId), context));
}

/** The keyed hashes of all addresses that an account ever had. A change that was interrupted leaves two claims. */
export async function addressesOf(store: EventStore, userId: string): Promise<string[]> {
  const history = await store.readStream(streamName(userStream, userId));
  const addresses = history
    .filter(({ type }) => type === 'UserRegistered' || type === 'UserEmailChanged')
    .map(({ data }) => (data as { readonly email: string }).email);
  return [...new Set(addresses)];
}

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
