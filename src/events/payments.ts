import { z } from 'zod';
import { event, slug, stream, type EventOf } from './define.ts';
import { sealed, userId } from './oauth/values.ts';
import { minorDigits } from './payments-currencies.ts';

const wholeAmount = {
  error:
    'must be a whole number of the smallest unit of the currency, from 1 to 9007199254740991 (1250 for 12.50 USD)',
};

/** In the smallest unit of the currency. JSON keeps integers exact up to 2^53 - 1. */
export const amountMinor = z
  .int(wholeAmount)
  .min(1, wholeAmount)
  .meta({ title: 'integer, from 1 to 2^53 - 1' });

export const currency = z
  .string()
  .refine((code) => minorDigits.has(code), {
    message: 'must be the code of an active currency (ISO 4217), such as USD',
  })
  .meta({ title: 'ISO 4217 code' });

/** Each payment has a stream of its own. It is never edited: a wrong one is reversed, and the right one recorded. */
export const paymentStream = stream('payment', {
  PaymentRecorded: event(
    'A payment was recorded against a member of a team.',
    z.strictObject({
      payment: z.uuid(),
      team: slug,
      member: userId,
      amount_minor: amountMinor.describe('In the smallest unit of the currency.'),
      currency,
      memo: sealed.optional(),
      occurred_at: z.iso.datetime().describe('When it was paid.'),
    }),
  ),
  PaymentReversed: event(
    'The payment was reversed, because it was recorded by mistake. The metadata say by whom.',
    z.strictObject({
      payment: z.uuid(),
      team: slug,
      reason: sealed.optional().describe('Why, if somebody said so. Sealed like the memo.'),
    }),
  ),
});
export type PaymentEvent = EventOf<typeof paymentStream>;
