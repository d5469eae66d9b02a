import type { PaymentInput } from '../../../commands/payments/payment.ts';
import { paymentOrder, payments, type PaymentDocument } from '../../../projections/payments/payments.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';

/** Among how many of the newest payments of a member the same one is looked for. */
const mostRead = 50;

/**
 * A payment of the same member, amount and day that is recorded already: the form was filled in again after Back, or two
 * people have noted the same money. `id`: the payment that this form records, which is no other one. Undefined: there is
 * none.
 */
export async function samePayment(
  { documents, now }: Pick<PageDependencies, 'documents' | 'now'>,
  team: string,
  { member_id: member, amount_minor, currency, occurred_at = now().toISOString() }: PaymentInput,
  id: string,
): Promise<PaymentDocument | undefined> {
  const newest = await documents.collection(payments.collection).page({
    where: { team, member },
    orderBy: paymentOrder,
    descending: true,
    limit: mostRead,
  });
  return newest.find(
    (each) =>
      each.payment !== id &&
      each.status === 'recorded' &&
      each.amount_minor === amount_minor &&
      each.currency === currency &&
      each.occurred_at.slice(0, 10) === occurred_at.slice(0, 10),
  );
}
