import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import {
  addMember,
  addMembers,
  changeMember,
  eraseMember,
  joinMember,
  listedList,
} from '../actions/teams/listed-members.ts';
import { readListedCsv } from '../actions/teams/listed-members-csv.ts';
import { paymentList, record, reverse } from '../actions/payments.ts';
import { writtenAmount } from '../events/payments-currencies.ts';
import { userId } from '../events/oauth/values.ts';
import { listedMembers, payments } from '../projections/payments.ts';
import { requireAccount } from './account.ts';
import { actionCommand, emailOption, listCommand, type InputOption } from './action-command.ts';
import { UsageError } from './options.ts';
import { showListed } from './show-command.ts';
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
          member_id: payerOption('the email address of the member, or the id of one without an account'),
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
        filters: {
          member: payerOption('only those of this member, by email address or id', { optional: true }),
        },
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
    .addCommand(showListed(line, paymentList, { description: 'Show a payment.', argument: '<payment>' }))
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
    )
    .addCommand(membersCommand(line));

/** The members of a team who have no account. */
function membersCommand(line: CommandLine): Command {
  const fields = {
    name: ['--name <text>', 'the name'],
    email: ['--email <address>', 'the email address'],
    phone: ['--phone <number>', 'the phone number'],
    note: ['--note <text>', 'a note, in one line'],
    paid_until: ['--paid-until <day>', 'the last day that is paid for: YYYY-MM-DD'],
  } as const satisfies Readonly<Record<string, InputOption>>;
  const member: InputOption = ['<member>', '', { schema: listedList.id }];
  return new Command('members')
    .description('Members of a team who have no account: they pay, or are on its lists.')
    .addCommand(
      actionCommand(line, addMember, {
        name: 'add',
        description: 'Write down a member without an account.',
        ofTeam: true,
        options: fields,
        keyFor: 'member',
        print: (added) => [added, `${added.details?.name ?? ''} is added as ${added.member}.`],
      }),
    )
    .addCommand(
      actionCommand(line, addMembers, {
        name: 'import',
        description: 'Add the members in a table (CSV). Who has the address of one in the list is left out.',
        ofTeam: true,
        options: {
          members: [
            '--file <path>',
            'a CSV file with the columns name, email, phone, note, paid_until',
            { read: membersIn },
          ],
        },
        keyFor: 'import',
        needs: [listedMembers],
        print: ({ added, listed }) => [
          { added, listed },
          `${added} are added. ${listed} were in the list already.`,
        ],
      }),
    )
    .addCommand(
      listCommand(line, listedList, {
        description: 'List the members of a team who have no account.',
        noun: 'members',
        columns: {
          MEMBER: (each) => each.member,
          NAME: (each) => each.details?.name ?? '',
          EMAIL: (each) => each.details?.email ?? '',
          PHONE: (each) => each.details?.phone ?? '',
          'PAID UNTIL': (each) => each.paid_until ?? '',
        },
      }),
    )
    .addCommand(
      showListed(line, listedList, {
        description: 'Show a member who has no account.',
        argument: '<member>',
      }),
    )
    .addCommand(
      actionCommand(line, changeMember, {
        name: 'change',
        description: 'Replace what is written down of a member without an account.',
        options: { id: member, ...fields },
        print: (changed) => [changed, `${changed.member} is changed.`],
      }),
    )
    .addCommand(
      actionCommand(line, joinMember, {
        name: 'join',
        description:
          'Make one of a member without an account and the person who joined with the same address.',
        options: { id: member, user: emailOption('the email address of the account') },
        needs: [payments],
        print: (joined) => [joined, `They are one now, with ${joined.payments} payments.`],
      }),
    )
    .addCommand(
      actionCommand(line, eraseMember, {
        name: 'erase',
        description: 'Erase who a member without an account is. Payments stay, without a name.',
        options: { id: member },
        print: ({ id }) => [{ id, erased: true }, `${id} is erased.`],
      }),
    );
}

/** A member by email address or id, with or without an account. */
const payerOption = (about: string, reading: { readonly optional?: true } = {}): InputOption => [
  '--email <address>',
  about,
  {
    find: async (at, text) =>
      userId.safeParse(text.trim()).success ? text.trim() : (await requireAccount(at, text)).user,
    ...reading,
  },
];

/** @throws UsageError */
function membersIn(path: string) {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`--file ${path}: ${(error as Error).message}`);
  }
  const read = readListedCsv(text);
  if ('problems' in read) throw new UsageError(`--file ${path}: ${read.problems.slice(0, 20).join(' ')}`);
  return read.members;
}

/** Digits only: `Number` would also read 1e3 and 0x10, and round what is too large. NaN otherwise. */
const wholeNumber = (text: string): number => (/^\d{1,16}$/.test(text) ? Number(text) : Number.NaN);
