import { Command } from 'commander';
import { z } from 'zod';
import { liftLegalHold, placeLegalHold } from '../../actions/accounts/erasure.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { personOf } from '../../personal/personal-data.ts';
import { erasures } from '../../projections/accounts-erasures.ts';
import { people } from '../../projections/accounts-people.ts';
import { paginateAll } from '../../projections/engine/paginate.ts';
import { accountNamed, namesOf } from '../account.ts';
import { actionCommand, type InputOption } from '../action-command.ts';
import { withSystem, type CommandLine, type CommandSystem } from '../command-line.ts';
import { answer, table } from '../../ground/print.ts';
import { showCommand } from '../show-command.ts';

const personOption: InputOption = [
  '<person>',
  '',
  { find: async (at, whom) => (await accountNamed(at, whom)).user },
];

export function holdCommand(line: CommandLine): Command {
  const command = new Command('hold').description(
    'Legal holds: while one is in force, nothing of a person is erased, whoever asks for it.',
  );
  command.addCommand(
    actionCommand(line, placeLegalHold, {
      name: 'place',
      description: 'Place a legal hold on an account, given by email address or id.',
      options: {
        user: personOption,
        reason: ['--reason <text>', 'why; it is sealed like what the person has entered'],
      },
      print: ({ user, hold }) => [
        { user, hold },
        `${user} is under the legal hold ${hold}. Nothing of theirs is erased.`,
      ],
    }),
  );
  command.addCommand(
    actionCommand(line, liftLegalHold, {
      name: 'lift',
      description: 'Lift a legal hold. An erasure that was due meanwhile takes place soon after.',
      options: { user: personOption, hold: ['--hold <id>', 'which, when there are several'] },
      print(lifted) {
        const { user, hold, holds_left: left } = lifted;
        const under = left === 0 ? `${user} is under none now.` : `${user} is under ${left} more.`;
        return [lifted, `The legal hold ${hold} is lifted. ${under}`];
      },
    }),
  );
  command
    .command('list')
    .description('List the legal holds in force, with their reasons.')
    .action(({ json }: { readonly json?: boolean }) =>
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
  command.addCommand(
    showCommand(line, {
      description: 'Show a legal hold in force.',
      argument: '<hold>',
      id: z.uuid(),
      needs: [erasures, people],
      async find(at, id) {
        const found = (await holdsInForce(at)).find(({ hold }) => hold === id);
        if (!found) throw new CommandRefused('not_found', `There is no legal hold ${id} in force.`);
        return found;
      },
    }),
  );
  return command;
}

async function holdsInForce(at: CommandSystem) {
  const held = await paginateAll(at.documents.collection(erasures.collection), {
    where: { hold: 'held' },
    orderBy: ['user'],
  });
  const accounts = await at.documents.collection(people.collection).getMany(held.map(({ user }) => user));
  const shown = held.flatMap((person) =>
    person.holds.map(async ({ hold, placed_at, reason }) => ({
      user: person.user,
      hold,
      placed_at,
      reason: await at.personal.open<string>(personOf(person.user), reason),
      ...(person.due_at === '' ? {} : { erasure_due_at: person.due_at }),
      ...(await namesOf(at, accounts.get(person.user))),
    })),
  );
  return Promise.all(shown);
}
