import { Command } from 'commander';
import { z } from 'zod';
import { liftHold, placeHold } from '../../commands/accounts/erasure.ts';
import { CommandRefused } from '../../commands/errors.ts';
import { personOf } from '../../personal/personal-data.ts';
import { erasures } from '../../projections/accounts-erasures.ts';
import { people } from '../../projections/accounts-people.ts';
import { paginateAll } from '../../projections/engine/paginate.ts';
import { accountNamed, namesOf } from '../account.ts';
import { withSystem, type CommandLine, type CommandSystem } from '../command-line.ts';
import { option } from '../options.ts';
import { answer, table } from '../../ground/print.ts';

interface Json {
  readonly json?: boolean;
}

export function holdCommand(line: CommandLine): Command {
  const command = new Command('hold').description(
    'Legal holds: while one is in force, nothing of a person is erased, whoever asks for it.',
  );
  command
    .command('place <person>')
    .description('Place a legal hold on an account, given by email address or id.')
    .requiredOption('--reason <text>', 'why; it is sealed like what the person has entered')
    .action((whom: string, { reason, json }: Json & { readonly reason: string }) =>
      withSystem(line, async (at) => {
        const { user } = await accountNamed(at, whom);
        const { hold, outcome } = await placeHold(at, user, { reason }, at.context());
        await at.waitUntilVisible(outcome);
        answer(json, { user, hold }, `${user} is under the legal hold ${hold}. Nothing of theirs is erased.`);
      }),
    );
  command
    .command('lift <person>')
    .description('Lift a legal hold. An erasure that was due meanwhile takes place soon after.')
    .option('--hold <id>', 'which, when there are several')
    .action((whom: string, { hold, json }: Json & { readonly hold?: string }) =>
      withSystem(line, async (at) => {
        const { user, holds } = await accountNamed(at, whom);
        const which = hold === undefined ? onlyOne(holds) : option('--hold', z.uuid(), hold);
        const outcome = await liftHold(at, user, { hold: which }, at.context());
        await at.waitUntilVisible(outcome);
        const left = holds.length - 1;
        answer(
          json,
          { user, hold: which, holds_left: left },
          `The legal hold ${which} is lifted. ${left === 0 ? `${user} is under none now.` : `${user} is under ${left} more.`}`,
        );
      }),
    );
  command
    .command('list')
    .description('List the legal holds in force, with their reasons.')
    .action(({ json }: Json) =>
      withSystem(line, async (at) => {
        await at.waitUntilCurrent(erasures, people);
        const shown = await holdsInForce(at);
        const rows = shown.map((each) => [
          each.user,
          each.hold,
          each.placed_at,
          each.erasure_due_at ?? '-',
          each.email ?? '-',
          each.reason ?? 'erased',
        ]);
        answer(json, shown, table(['PERSON', 'HOLD', 'SINCE', 'ERASURE DUE', 'EMAIL', 'REASON'], rows));
      }),
    );
  return command;
}

async function holdsInForce(at: CommandSystem) {
  const held = await paginateAll(at.documents.collection(erasures.collection), {
    where: { hold: 'held' },
    orderBy: ['user'],
  });
  const known = await at.documents.collection(people.collection).getMany(held.map(({ user }) => user));
  const shown = held.flatMap((person) =>
    person.holds.map(async ({ hold, placed_at, reason }) => ({
      user: person.user,
      hold,
      placed_at,
      reason: await at.personal.open<string>(personOf(person.user), reason),
      ...(person.due_at === '' ? {} : { erasure_due_at: person.due_at }),
      ...(await namesOf(at, known.get(person.user))),
    })),
  );
  return Promise.all(shown);
}

function onlyOne(holds: readonly string[]): string {
  const [first, second] = holds;
  if (first === undefined) throw new CommandRefused('not_found', 'This person is under no legal hold.');
  if (second === undefined) return first;
  throw new CommandRefused(
    'conflict',
    `There are several legal holds. Say which: --hold ${holds.join(' or ')}.`,
  );
}
