import { z } from 'zod';
import { line } from '../events/define.ts';
import { uuidOf } from '../events/ids.ts';
import type { CommandContext } from '../events/metadata.ts';
import { userId } from '../events/oauth/values.ts';
import { amountMinor, currency, paymentStream, type PaymentEvent } from '../events/payments.ts';
import { defined } from '../ground/defined.ts';
import { NoDataKey, personOf, type PersonalData } from '../personal/personal-data.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import { execute, type Decider, type Outcome } from './command-handler.ts';
import { CommandRefused } from '../ground/refusals.ts';
import { isListed } from './teams/listed-member.ts';
import { requireTeam } from './teams/team.ts';

/** What somebody says of a payment that is to be recorded. */
export const paymentInput = z.strictObject({
  member_id: userId.describe('The person who paid: a member of the team, with or without an account.'),
  amount_minor: amountMinor.describe(
    'The amount in the smallest unit of the currency: 1250 USD is $12.50, 1250 JPY is ¥1250.',
  ),
  currency: currency.describe('The code of an active currency (ISO 4217).'),
  memo: line(200).optional().describe('A note about the payment, in one line.'),
  occurred_at: z.iso
    .datetime({ offset: true, error: 'must be an ISO 8601 time with its offset' })
    .optional()
    .describe('When it was paid. Default: now. Not in the future, and not before 1970.'),
});
export type PaymentInput = z.output<typeof paymentInput>;

type PaymentData = Extract<PaymentEvent, { type: 'PaymentRecorded' }>['data'];

export type PaymentState =
  (PaymentData & { readonly reversed: boolean; readonly reason?: string }) | undefined;

export type PaymentCommand =
  | { readonly kind: 'record'; readonly data: PaymentData; readonly at: Date }
  /**
   * `asTeam`: the team that commands, where not the operator does. Only its own payments exist for it. `reason`: sealed.
   */
  | { readonly kind: 'reverse'; readonly asTeam?: string; readonly reason?: string }
  /** Gives the payment of a member without an account to the account that they have by now. Texts are sealed. */
  | { readonly kind: 'reassign'; readonly data: Omit<ReassignedData, 'payment' | 'team'> };

type ReassignedData = Extract<PaymentEvent, { type: 'PaymentReassigned' }>['data'];

/** Clocks differ a little: a payment that was just made is not in the future. */
const clockToleranceMs = 60_000;

export const payment: Decider<PaymentState, PaymentCommand, PaymentEvent> = {
  stream: paymentStream,
  initial: undefined,
  evolve(state, event) {
    if (event.type === 'PaymentRecorded') return { ...event.data, reversed: false };
    if (!state) return undefined;
    if (event.type === 'PaymentReassigned') {
      const { memo: _, ...rest } = state;
      const { reason: __, ...data } = event.data;
      return { ...rest, ...data };
    }
    return { ...state, reversed: true, ...defined({ reason: event.data.reason }) };
  },
  decide(command, state) {
    if (command.kind === 'record') {
      if (state) throw new CommandRefused('conflict', 'There is such a payment already.');
      requireOccurred(command.data.occurred_at, command.at);
      return [{ type: 'PaymentRecorded', data: command.data }];
    }
    if (command.kind === 'reassign') {
      if (!state) throw noPayment();
      const { payment: id, team } = state;
      if (state.member === command.data.member) return [];
      return [{ type: 'PaymentReassigned', data: { payment: id, team, ...command.data } }];
    }
    if (!state || (command.asTeam !== undefined && command.asTeam !== state.team)) throw noPayment();
    if (state.reversed) throw new CommandRefused('conflict', 'The payment is reversed already.');
    const { payment: id, team } = state;
    return [{ type: 'PaymentReversed', data: defined({ payment: id, team, reason: command.reason }) }];
  },
};

function requireOccurred(occurredAt: string, at: Date): void {
  const occurred = Date.parse(occurredAt);
  if (!(occurred <= at.getTime() + clockToleranceMs))
    throw new CommandRefused('invalid', 'occurred_at: a payment cannot be in the future.');
  if (occurred < 0) throw new CommandRefused('invalid', 'occurred_at: must not be before 1970.');
}

export const noPayment = (): CommandRefused =>
  new CommandRefused('not_found', 'There is no such payment of your team.');

export interface PaymentParts {
  readonly store: EventStore;
  readonly personal: PersonalData;
}

/** The id of the payment that a command records. */
export const paymentIdOf = ({ commandId }: Pick<CommandContext, 'commandId'>): string =>
  uuidOf(commandId, 'payment');

export type PaymentOutcome = Outcome<PaymentState, PaymentEvent>;

/**
 * Records a payment against a member of a team. The caller has checked that whoever asks may do so: an admin of the
 * team, or a key with payments:write. The id follows from the command, so a request that is sent twice is one payment.
 * @throws CommandRefused not_found (team, member), invalid
 */
export async function recordPayment(
  { store, personal }: PaymentParts,
  team: string,
  input: PaymentInput,
  context: CommandContext,
): Promise<PaymentOutcome> {
  const { member_id: member, amount_minor, currency, memo, occurred_at } = input;
  const id = paymentIdOf(context);
  // Runs only when it is decided: a repeated command answers as the first, even if the member has left since.
  const recording = async (): Promise<PaymentCommand> => {
    const { members } = await requireTeam(store, team);
    const sealed = await sealedText(personal, member, memo);
    const belongs = members.has(member) || (await isListed(store, team, member));
    if (!belongs || (memo !== undefined && sealed === undefined))
      throw new CommandRefused('not_found', `This person is no member of ${team}.`);
    const occurred = occurred_at === undefined ? context.at : new Date(occurred_at);
    const data = defined({
      payment: id,
      team,
      member,
      amount_minor,
      currency,
      memo: sealed,
      occurred_at: occurred.toISOString(),
    });
    return { kind: 'record', data, at: context.at };
  };
  return execute(store, payment, id, recording, context);
}

/** What somebody says of a payment that is to be reversed. */
export const reversalReason = line(200);

/**
 * Reverses a payment that was recorded by mistake: once. The entry stays, and the reversal stands beside it. A reason is
 * kept as long as the member: of a member who is erased, nothing can be noted any more.
 * @throws CommandRefused not_found, conflict (reversed already)
 */
export async function reversePayment(
  { store, personal }: PaymentParts,
  id: string,
  { asTeam, reason }: { readonly asTeam?: string; readonly reason?: string | undefined },
  context: CommandContext,
): Promise<PaymentOutcome> {
  const reversing = async (state: PaymentState): Promise<PaymentCommand> =>
    defined({ kind: 'reverse', asTeam, reason: state && (await sealedText(personal, state.member, reason)) });
  return execute(store, payment, id, reversing, context);
}

/**
 * Gives a payment to the account that its payer has by now: what is sealed for the one is sealed for the other.
 * @throws CommandRefused not_found
 */
export async function reassignPayment(
  { store, personal }: PaymentParts,
  id: string,
  { from, to }: { readonly from: string; readonly to: string },
  context: CommandContext,
): Promise<PaymentOutcome> {
  const moved = async (sealed: string | undefined) => {
    const text = sealed === undefined ? undefined : await personal.open<string>(personOf(from), sealed);
    return sealedText(personal, to, text);
  };
  const reassigning = async (state: PaymentState): Promise<PaymentCommand> => ({
    kind: 'reassign',
    data: defined({
      member: to,
      memo: state?.member === from ? await moved(state.memo) : state?.memo,
      reason: state?.member === from ? await moved(state.reason) : state?.reason,
    }),
  });
  return execute(store, payment, id, reassigning, context);
}

/** Undefined without a text, and for a member who is erased. */
async function sealedText(
  personal: PersonalData,
  member: string,
  text: string | undefined,
): Promise<string | undefined> {
  try {
    return text === undefined ? undefined : await personal.seal(personOf(member), text);
  } catch (error) {
    if (error instanceof NoDataKey) return undefined;
    throw error;
  }
}
