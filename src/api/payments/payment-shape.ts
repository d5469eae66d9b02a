import { z } from 'zod';
import { openMemos } from '../../commands/payments/payment.ts';
import type { PersonalData } from '../../personal/personal-data.ts';
import type { PaymentDocument } from '../../projections/payments/payments.ts';

const time = z.iso.datetime();

/** A payment in answers. */
export const payment = z.object({
  id: z.uuid(),
  member_id: z.uuid().describe('The person it was recorded against.'),
  amount_minor: z.int().positive().describe('In the smallest unit of the currency.'),
  currency: z.string().describe('ISO 4217.'),
  memo: z.string().nullable().describe('Null where there is none, or the person was erased.'),
  occurred_at: time.describe('When it was paid.'),
  status: z.enum(['recorded', 'reversed']),
  recorded_at: time,
  reversed_at: time.nullable(),
});
export type Payment = z.output<typeof payment>;

/** Payments as the team sees them: their memos are opened with one read of the vault. */
export async function paymentsOf(
  personal: PersonalData,
  docs: readonly PaymentDocument[],
): Promise<Payment[]> {
  const memos = await openMemos(personal, docs);
  return docs.map((doc, place) => ({
    id: doc.payment,
    member_id: doc.member,
    amount_minor: doc.amount_minor,
    currency: doc.currency,
    memo: memos[place] ?? null,
    occurred_at: doc.occurred_at,
    status: doc.status,
    recorded_at: doc.recorded_at,
    reversed_at: doc.reversed_at ?? null,
  }));
}
