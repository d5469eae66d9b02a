import { Command } from 'commander';
import { paymentList, record, reverse } from '../actions/payments.ts';
import { writtenAmount } from '../events/payments-currencies.ts';
import { actionCommand, emailOption, listCommand } from './action-command.ts';
import type { CommandLine } from './command-line.ts';

/** Payments that were recorded against members of a team. */
export const paymentsCommand = (line: CommandLine): Command =>
  new Command('payments')
    .description('Payments recorded against members of a team.')
    .addCommand(
      actionCommand(line, record, {
        name: 'record',
        description: 'Record a payment against a member. payment.received is sent to subscribers.',
        ofTeam: true,
        options: {
          member_id: emailOption('the email address of the member'),
          amount_minor: [
            '--amount-minor <n>',
            'the amount in the smallest unit of the currency: 1250 for 12.50 USD',
            { read: wholeNumber },
          ],
          currency: ['--currency <code>', 'the code of the currency (ISO 4217), such as USD'],
          memo: ['--memo <text>', 'a note, in one line'],
          occurred_at: ['--occurred-at <time>', 'when it was paid, in ISO 8601 (default: now)'],
        },
        keyFor: 'payment',
        print: (paid, { member_id: email = '' }) => {
          const amount = writtenAmount(paid.amount_minor, paid.currency);
          return [paid, `${amount} from ${email.trim()} is recorded as ${paid.payment}.`];
        },
      }),
    )
    .addCommand(
      listCommand(line, paymentList, {
        description: 'List the payments of a team, the newest first.',
        noun: 'payments',
        filters: { member: emailOption('only those of this member', { optional: true }) },
        columns: {
          PAYMENT: (each) => each.payment,
          STATUS: (each) => each.status,
          AMOUNT: (each) => writtenAmount(each.amount_minor, each.currency),
          MEMBER: (each) => each.member,
          PAID: (each) => each.occurred_at,
          MEMO: (each) => each.memo ?? '',
        },
      }),
    )
    .addCommand(
      actionCommand(line, reverse, {
        name: 'reverse',
        description: 'Reverse a payment that was recorded by mistake. It stays in the list, as reversed.',
        options: {
          id: ['<payment>', '', { schema: paymentList.id }],
          reason: ['--reason <text>', 'why, in one line'],
        },
        print: ({ payment: id }) => [{ payment: id, status: 'reversed' }, `${id} is reversed.`],
      }),
    );

/** Digits only: `Number` would also read 1e3 and 0x10, and round what is too large. NaN otherwise. */
const wholeNumber = (text: string): number => (/^\d{1,16}$/.test(text) ? Number(text) : Number.NaN);
