import { rmSync } from 'node:fs';
import { Command } from 'commander';
import {
  addAdministrator,
  administratorsOf,
  endAdministrator,
} from '../../actions/accounts/administrators.ts';
import { readConfig } from '../../config.ts';
import { people } from '../../projections/accounts-people.ts';
import { accountNamed, namesOf } from '../account.ts';
import { actionCommand, emailOption } from '../action-command.ts';
import { setUpFile } from '../../runtime/first-administrator.ts';
import { withSystem, type CommandLine, type CommandSystem } from '../command-line.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { showCommand } from '../show-command.ts';
import { answer, table } from '../../ground/print.ts';

export function administratorsCommand(line: CommandLine): Command {
  const command = new Command('administrators').description('The administrators of this installation.');
  command.addCommand(
    actionCommand(line, addAdministrator, {
      name: 'add',
      description:
        'Make somebody an administrator. A person without an account gets a link to choose a password.',
      options: {
        email: ['--email <address>', 'the email address of the account'],
        name: [
          '--name <name>',
          'the name of a person without an account; they can change it',
          { standard: 'Administrator' },
        ],
      },
      secret: true,
      print({ user, link }, { email = '' }) {
        const sentence = `${email.trim()} is an administrator.`;
        const made = { user, role: 'administrator', link };
        return link === undefined
          ? [made, sentence]
          : [made, [link, `${sentence} With this link they choose a password, within 7 days.`]];
      },
    }).hook('postAction', () => {
      // The link that makes the first administrator is void.
      rmSync(setUpFile(readConfig(line.environment)), { force: true });
    }),
  );
  command.addCommand(
    actionCommand(line, endAdministrator, {
      name: 'remove',
      description: 'Remove the administrator role. The account stays.',
      options: { user: emailOption('the email address of the account', { optional: false }) },
      needs: [people],
      print: (_, { user: email = '' }, { user }) => [
        { user, role: 'person' },
        `${email.trim()} is no longer an administrator.`,
      ],
    }),
  );
  command
    .command('list')
    .description('List all administrators, with their current names and addresses.')
    .action(({ json }: { json?: boolean }) =>
      withSystem(line, async (at) => {
        await at.waitUntilCurrent(people);
        const found = await shownAdministrators(at);
        const rows = found.map((each) => [
          each.user,
          each.registered_at,
          each.has_password || each.passkeys > 0 ? 'yes' : 'no',
          each.email ?? '-',
          each.name ?? 'erased',
        ]);
        answer(json, found, table(['PERSON', 'SINCE', 'CAN SIGN IN', 'EMAIL', 'NAME'], rows));
      }),
    );
  command.addCommand(
    showCommand(line, {
      description: 'Show an administrator.',
      argument: '<person>',
      about: 'the email address or id of the account',
      needs: [people],
      async find(at, whom) {
        const { user } = await accountNamed(at, whom);
        const found = (await shownAdministrators(at)).find((each) => each.user === user);
        if (!found) throw new CommandRefused('not_found', 'This person is no administrator.');
        return found;
      },
    }),
  );
  return command;
}

const shownAdministrators = async (at: CommandSystem) =>
  Promise.all(
    (await administratorsOf(at.documents)).map(async (person) => ({
      user: person.user,
      registered_at: person.registered_at,
      has_password: person.has_password,
      passkeys: person.passkeys.length,
      ...(await namesOf(at, person)),
    })),
  );
