import { Command } from 'commander';
import { z } from 'zod';
import { create, enableScopes, rename, requirePasskeys, setTimeZone } from '../actions/teams/teams.ts';
import { close, reopen } from '../actions/teams/closing.ts';
import { teamInDetail, usageReadModels } from '../actions/teams/usage.ts';
import { slug } from '../events/define.ts';
import { teamScopes } from '../events/teams.ts';
import { teams } from '../projections/teams.ts';
import { paginateAll } from '../projections/engine/paginate.ts';
import { actionCommand } from './action-command.ts';
import { withSystem, type CommandLine } from './command-line.ts';
import { namedTeam } from './named-team.ts';
import { listed } from './options.ts';
import { showCommand } from './show-command.ts';
import { counted } from '../ground/counted.ts';
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
    actionCommand(line, rename, {
      name: 'rename',
      description: 'Give a team another name. Its slug stays.',
      ofTeam: true,
      options: {
        team: ['<slug>', 'the team', { schema: slug }],
        name: ['--name <name>', 'the name that people see'],
      },
      print: ({ team, name }) => [{ team, name }, `The team ${team} is called ${name}.`],
    }),
  );
  command.addCommand(
    actionCommand(line, close, {
      name: 'close',
      description:
        'Close a team: its keys, sites, webhooks and forms stop, and its public records are taken out. It can be opened again.',
      ofTeam: true,
      options: {
        team: ['<slug>', 'the team', { schema: slug }],
        name: ['--name <name>', 'its name, as it stands, to confirm'],
      },
      needs: usageReadModels,
      print: ({ team, moved, closed }) => [
        { team, closed, taken_out: moved },
        `The team ${team} is closed. ${counted(moved ?? 0, 'record or organization was', 'records and organizations were')} taken out.`,
      ],
    }),
  );
  command.addCommand(
    actionCommand(line, reopen, {
      name: 'reopen',
      description: 'Open a closed team again: everything goes on as before.',
      ofTeam: true,
      options: { team: ['<slug>', 'the team', { schema: slug }] },
      print: ({ team, moved, closed }) => [
        { team, closed, put_back: moved },
        `The team ${team} is open. ${counted(moved ?? 0, 'record or organization was', 'records and organizations were')} put back.`,
      ],
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
  command.addCommand(
    actionCommand(line, setTimeZone, {
      name: 'time-zone',
      description: 'Set the time zone of the records of a team that tell no other, such as America/New_York.',
      options: {
        slug: ['<slug>'],
        time_zone: ['--set <zone>', 'the IANA name of the zone; without it, the team has none'],
      },
      print: ({ team, time_zone }) => [
        { team, time_zone },
        time_zone === null
          ? `${team} has no time zone of its own.`
          : `The hours of records of ${team} that tell no other time zone are in ${time_zone}.`,
      ],
    }),
  );
  command.addCommand(
    actionCommand(line, requirePasskeys, {
      name: 'passkeys',
      description: 'Say whether the people of a team must sign in with a passkey to open its pages.',
      ofTeam: true,
      options: {
        required: [
          '--required <yes|no>',
          'yes or no',
          { schema: z.stringbool({ truthy: ['yes'], falsy: ['no'] }) },
        ],
      },
      print: ({ team, required }) => [
        { team, required },
        required
          ? `The people of ${team} need a passkey to open its pages.`
          : `The people of ${team} need no passkey.`,
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
        const rows = all.map((each) => [
          ...[each.team, each.name, each.scopes.join(','), each.created_at],
          each.closed_at ?? '',
        ]);
        answer(json, all, table(['TEAM', 'NAME', 'SCOPES', 'SINCE', 'CLOSED'], rows));
      }),
    );
  command.addCommand(
    showCommand(line, {
      description: 'Show a team, and what it uses.',
      argument: '<slug>',
      id: slug,
      needs: [teams, ...usageReadModels],
      async find(at, of) {
        await namedTeam(at, of);
        return (await teamInDetail(at, of, new Date())) ?? {};
      },
    }),
  );
  return command;
}
