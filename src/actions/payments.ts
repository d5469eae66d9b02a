import { z } from 'zod';
import { CommandRefused } from '../ground/refusals.ts';
import {
  noPayment,
  paymentIdOf,
  paymentInput,
  recordPayment,
  reversalReason,
  reversePayment,
  type PaymentInput,
  type PaymentState,
} from '../commands/payments.ts';
import type { CommandContext } from '../events/metadata.ts';
import { personOf, type PersonalData } from '../personal/personal-data.ts';
import { paymentOrder, payments, type PaymentDocument } from '../projections/payments.ts';
import { action, type ActionParts } from './action.ts';
import { oneOf, queryOf, type Listing } from './listing.ts';

const allowed = { right: 'record payments', scope: 'payments:write' } as const;

/** A payment with its texts opened. Null where there is none, or the person is erased. */
export type Payment = Omit<PaymentDocument, 'memo' | 'reason'> & {
  readonly memo: string | null;
  /** Only of those that were reversed with a reason. */
  readonly reason?: string | null;
};

/** The payments of a team, the newest first, reversed ones too. */
export const paymentList: Listing<PaymentDocument, Payment> = {
  ...allowed,
  name: 'payments',
  readModel: payments,
  orderBy: paymentOrder,
  descending: true,
  id: z.uuid(),
  none: noPayment,
  open: ({ personal }, docs) => opened(personal, docs),
};

/** Records a payment of a member. `another: false`: not if it may be one that is recorded already. */
export const record = action({
  ...allowed,
  name: 'payments.record',
  input: paymentInput.extend({ another: z.boolean().default(true) }),
  once: true,
  wrongField: { not_found: 'member_id' },
  async run(parts, { another, ...input }, { who: { team = '' }, context }) {
    if (!another) await refuseSame(parts, team, input, context);
    const outcome = await recordPayment(parts, team, input, context);
    const id = requireSame(outcome.state, input).payment;
    return { changes: outcome, value: () => oneOf(paymentList, parts, team, id) };
  },
});

/** Reverses a payment that was recorded by mistake. */
export const reverse = action({
  ...allowed,
  name: 'payments.reverse',
  input: z.object({ id: z.string(), reason: reversalReason.optional() }),
  once: true,
  async run(parts, { id, reason }, { who: { team }, context }) {
    // An id that is none must not begin a stream name.
    if (!paymentList.id.safeParse(id).success) throw noPayment();
    const changes = await reversePayment(
      parts,
      id,
      { ...(team !== undefined && { asTeam: team }), reason },
      context,
    );
    return { changes, value: () => oneOf(paymentList, parts, team, id) };
  },
});

/** A payment of the same member, amount and day is recorded already. */
export class SamePayment extends CommandRefused {
  readonly payment: string;

  constructor(payment: string) {
    super('conflict', 'This member has a payment of the same amount on the same day already.');
    this.payment = payment;
  }
}

/** Among how many of the newest payments of a member the same one is looked for. */
const mostRead = 50;

/** The form was filled in again after Back, or two people have noted the same money. @throws SamePayment */
async function refuseSame(
  { documents }: ActionParts,
  team: string,
  { member_id: member, amount_minor, currency, occurred_at }: PaymentInput,
  context: CommandContext,
): Promise<void> {
  const day = (occurred_at ?? context.at.toISOString()).slice(0, 10);
  const query = { ...queryOf(paymentList, { team, member }), limit: mostRead };
  const same = (await documents.collection(payments.collection).page(query)).find(
    (each) =>
      // A form that is sent twice records one payment.
      each.payment !== paymentIdOf(context) &&
      each.status === 'recorded' &&
      each.amount_minor === amount_minor &&
      each.currency === currency &&
      each.occurred_at.startsWith(day),
  );
  if (same) throw new SamePayment(same.payment);
}

/** A repeated command answers with the first payment, which must be the one that is meant. */
function requireSame(recorded: PaymentState, input: PaymentInput): NonNullable<PaymentState> {
  if (
    recorded?.member === input.member_id &&
    recorded.amount_minor === input.amount_minor &&
    recorded.currency === input.currency
  )
    return recorded;
  throw new CommandRefused(
    'idempotency_key_reused',
    'This --key was used before for another payment; use a new key for a new payment.',
  );
}

async function opened(personal: PersonalData, docs: readonly PaymentDocument[]): Promise<Payment[]> {
  const texts = await personal.openMany(
    docs.flatMap(({ member, memo, reason }) =>
      [memo, reason].map((sealed) => ({ holder: personOf(member), sealed })),
    ),
  );
  return docs.map(({ reason, ...doc }, place) => {
    const [memo, why] = texts.slice(2 * place) as (string | undefined)[];
    return { ...doc, memo: memo ?? null, ...(reason === undefined ? {} : { reason: why ?? null }) };
  });
}
