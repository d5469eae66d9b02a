import { Command } from 'commander';
import { z } from 'zod';
import {
  openMemos,
  openReasons,
  paymentInput,
  recordPayment,
  reversalReason,
  reversePayment,
  type PaymentState,
} from '../../commands/payments/payment.ts';
import { CommandRefused } from '../../commands/errors.ts';
import { requireTeam } from '../../commands/teams/team.ts';
import { slug } from '../../events/define.ts';
import { writtenAmount } from '../../events/payments/currencies.ts';
import type { PersonalData } from '../../personal/personal-data.ts';
import { paymentOrder, payments, type PaymentDocument } from '../../projections/payments/payments.ts';
import { requireAccount } from '../account.ts';
import { withSystem, type CommandLine } from '../command-line.ts';
import { count, option } from '../options.ts';
import { answer, table } from '../../ground/print.ts';

interface RecordOptions {
  readonly team: string;
  readonly email: string;
  readonly amountMinor: string;
  readonly currency: string;
  readonly memo?: string;
  readonly occurredAt?: string;
  readonly key?: string;
  readonly json?: boolean;
}

interface ListOptions {
  readonly team: string;
  readonly email?: string;
  readonly limit: string;
  readonly json?: boolean;
}

const { amount_minor, currency, memo, occurred_at } = paymentInput.shape;

/** Payments that were recorded against members of a team. */
export function paymentsCommand(line: CommandLine): Command {
  const command = new Command('payments').description('Payments recorded against members of a team.');
  command
    .command('record')
    .description('Record a payment against a member. payment.received is sent to subscribers.')
    .requiredOption('--team <slug>', 'the team')
    .requiredOption('--email <address>', 'the email address of the member')
    .requiredOption(
      '--amount-minor <n>',
      'the amount in the smallest unit of the currency: 1250 for 12.50 USD',
    )
    .requiredOption('--currency <code>', 'the code of the currency (ISO 4217), such as USD')
    .option('--memo <text>', 'a note, in one line')
    .option('--occurred-at <time>', 'when it was paid, in ISO 8601 (default: now)')
    .option('--key <text>', 'a text of your choice: the same command with the same key is one payment')
    .action((given: RecordOptions) =>
      withSystem(line, async (at) => {
        const team = option('--team', slug, given.team);
        const input = {
          amount_minor: option('--amount-minor', amount_minor, wholeNumber(given.amountMinor)),
          currency: option('--currency', currency, given.currency),
          memo: option('--memo', memo, given.memo),
          occurred_at: option('--occurred-at', occurred_at, given.occurredAt),
        };
        await requireTeam(at.store, team);
        const { user } = await requireAccount(at, given.email);
        const context = at.context(given.key === undefined ? undefined : `payment ${team} ${given.key}`);
        const outcome = await recordPayment(at, team, { ...input, member_id: user }, context);
        const recorded = requireSame(outcome.state, { ...input, member: user });
        await at.waitUntilVisible(outcome);
        const id = recorded.payment;
        const doc = await at.documents.collection(payments.collection).get(id);
        const [shown] = await described(at.personal, doc ? [doc] : []);
        const amount = writtenAmount(recorded.amount_minor, recorded.currency);
        answer(given.json, shown, `${amount} from ${given.email.trim()} is recorded as ${id}.`);
      }),
    );
  command
    .command('list')
    .description('List the payments of a team, the newest first.')
    .requiredOption('--team <slug>', 'the team')
    .option('--email <address>', 'only those of this member')
    .option('--limit <n>', 'the most payments to list', '100')
    .action(({ team: slugGiven, email, limit, json }: ListOptions) =>
      withSystem(line, async (at) => {
        const team = option('--team', slug, slugGiven);
        const most = count('--limit', limit);
        await requireTeam(at.store, team);
        const who = email === undefined ? {} : { member: (await requireAccount(at, email)).user };
        await at.waitUntilCurrent(payments);
        const query = { where: { team, ...who }, orderBy: paymentOrder, descending: true };
        const collection = at.documents.collection(payments.collection);
        const docs = await collection.page({ ...query, limit: most + 1 });
        const shown = await described(at.personal, docs.slice(0, most));
        const rows = shown.map((each) => [
          each.payment,
          each.status,
          writtenAmount(each.amount_minor, each.currency),
          each.member,
          each.occurred_at,
          each.memo ?? '',
        ]);
        answer(json, shown, table(['PAYMENT', 'STATUS', 'AMOUNT', 'MEMBER', 'PAID', 'MEMO'], rows));
        if (docs.length > most) console.error('There are more: add --limit to see more at once.');
      }),
    );
  command
    .command('reverse <payment>')
    .description('Reverse a payment that was recorded by mistake. It stays in the list, as reversed.')
    .option('--reason <text>', 'why, in one line')
    .action((given: string, { reason: why, json }: { reason?: string; json?: boolean }) =>
      withSystem(line, async (at) => {
        const id = option('payment', z.uuid(), given);
        const reason = option('--reason', reversalReason.optional(), why);
        await at.waitUntilVisible(await reversePayment(at, id, { reason }, at.context()));
        answer(json, { payment: id, status: 'reversed' }, `${id} is reversed.`);
      }),
    );
  return command;
}

/** A repeated command answers with the first payment, which must be the one that is meant. */
function requireSame(
  recorded: PaymentState,
  meant: Pick<NonNullable<PaymentState>, 'member' | 'amount_minor' | 'currency'>,
): NonNullable<PaymentState> {
  if (
    recorded?.member === meant.member &&
    recorded.amount_minor === meant.amount_minor &&
    recorded.currency === meant.currency
  )
    return recorded;
  throw new CommandRefused(
    'idempotency_key_reused',
    'This --key was used before for another payment; use a new key for a new payment.',
  );
}

/** Digits only: `Number` would also read 1e3 and 0x10, and round what is too large. NaN otherwise. */
const wholeNumber = (text: string): number => (/^\d{1,16}$/.test(text) ? Number(text) : Number.NaN);

async function described(personal: PersonalData, docs: readonly PaymentDocument[]) {
  const [memos, reasons] = await Promise.all([openMemos(personal, docs), openReasons(personal, docs)]);
  return docs.map(({ reason, ...doc }, place) => ({
    ...doc,
    memo: memos[place] ?? null,
    ...(reason === undefined ? {} : { reason: reasons[place] ?? null }),
  }));
}
