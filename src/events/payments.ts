import { z } from 'zod';
import { event, slug, stream, type EventOf } from './define.ts';
import { emailIndex, sealed, userId } from './oauth/values.ts';
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
      member: userId.describe('A person with an account, or a listed member.'),
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
  PaymentReassigned: event(
    'The member without an account who had paid has one by now. The payment is theirs, and its texts are sealed for them.',
    z.strictObject({
      payment: z.uuid(),
      team: slug,
      member: userId,
      memo: sealed.optional(),
      reason: sealed.optional(),
    }),
  ),
});
export type PaymentEvent = EventOf<typeof paymentStream>;

/** A day of the calendar. */
export const paidUntil = z.iso.date({ error: 'must be a day of the calendar: YYYY-MM-DD' });

const listed = {
  details: sealed.describe('Name, address, phone and note, sealed under the data key of the member.'),
  email: emailIndex.optional(),
  paid_until: paidUntil.optional().describe('The last day that is paid for.'),
};

/** Somebody who belongs to a team without an account: they pay, or are on its lists. Each has a stream of their own. */
export const listedMemberStream = stream('listed-member', {
  ListedMemberAdded: event(
    'A team wrote down a member who has no account.',
    z.strictObject({ member: userId, team: slug, ...listed }),
  ),
  ListedMemberChanged: event('What is written down of the member was replaced.', z.strictObject(listed)),
  ListedMemberErased: event(
    'The member was erased. Their data key is destroyed, so nobody can read what was sealed with it.',
    z.strictObject({}),
  ),
  ListedMemberJoined: event(
    'The member has an account by now. Their payments follow, and their data key is destroyed.',
    z.strictObject({ user: userId }),
  ),
});
export type ListedMemberEvent = EventOf<typeof listedMemberStream>;
