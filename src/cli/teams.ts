import { Command } from 'commander';
import { create, enableScopes } from '../actions/teams/teams.ts';
import { teamScopes } from '../events/teams.ts';
import { teams } from '../projections/teams.ts';
import { paginateAll } from '../projections/engine/paginate.ts';
import { actionCommand } from './action-command.ts';
import { withSystem, type CommandLine } from './command-line.ts';
import { listed } from './options.ts';
import { answer, table } from '../ground/print.ts';

export function teamsCommand(line: CommandLine): Command {
  const command = new Command('teams').description('Teams, each with a directory of its own.');
  command.addCommand(
    actionCommand(line, create, {
      name: 'create',
      description: 'Create a team. Its slug cannot be changed later.',
      begins: true,
      options: { slug: ['<slug>'], name: ['--name <name>', 'the name that people see'] },
      print: (made) => [made, `The team ${made.team} (${made.name}) exists.`],
    }),
  );
  command.addCommand(
    actionCommand(line, enableScopes, {
      name: 'scopes',
      description: `Set the team scopes that its keys may use: ${teamScopes.join(', ')}.`,
      options: {
        slug: ['<slug>'],
        scopes: ['--enable <scopes>', 'the new list, separated by commas; empty for none', { read: listed }],
      },
      print: (enabled) => [
        enabled,
        `Keys of ${enabled.team} may use: ${enabled.scopes.join(', ') || 'public scopes only'}.`,
      ],
    }),
  );
  command
    .command('list')
    .description('List all teams.')
    .action(({ json }: { json?: boolean }) =>
      withSystem(line, async (at) => {
        await at.waitUntilCurrent(teams);
        const all = await paginateAll(at.documents.collection(teams.collection), { orderBy: ['team'] });
        const rows = all.map((each) => [each.team, each.name, each.scopes.join(','), each.created_at]);
        answer(json, all, table(['TEAM', 'NAME', 'SCOPES', 'SINCE'], rows));
      }),
    );
  return command;
}
