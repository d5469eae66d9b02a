import { Command } from 'commander';
import { z } from 'zod';
import { commandTeam } from '../../commands/teams/team.ts';
import { slug } from '../../events/define.ts';
import { teamName } from '../../events/display-name.ts';
import { teamScope, teamScopes } from '../../events/teams/team.ts';
import { teams } from '../../projections/teams/teams.ts';
import { paginateAll } from '../../projections/engine/paginate.ts';
import { withSystem, withNewOrExistingSystem, type CommandLine } from '../command-line.ts';
import { listed, option } from '../options.ts';
import { answer, table } from '../../ground/print.ts';

export function teamsCommand(line: CommandLine): Command {
  const command = new Command('teams').description('Teams, each with a directory of its own.');
  command
    .command('create <slug>')
    .description('Create a team. Its slug cannot be changed later.')
    .requiredOption('--name <name>', 'the name that people see')
    .action((team: string, { name, json }: { name: string; json?: boolean }) =>
      withNewOrExistingSystem(line, async (at) => {
        const wish = { team: option('slug', slug, team), name: option('--name', teamName, name) };
        const outcome = await commandTeam(at.store, { kind: 'create', ...wish }, at.context());
        await at.waitUntilVisible(outcome);
        answer(json, wish, `The team ${wish.team} (${wish.name}) exists.`);
      }),
    );
  command
    .command('scopes <slug>')
    .description(`Set the team scopes that its keys may use: ${teamScopes.join(', ')}.`)
    .requiredOption('--enable <scopes>', 'the new list, separated by commas; empty for none')
    .action((team: string, { enable, json }: { enable: string; json?: boolean }) =>
      withSystem(line, async (at) => {
        const scopes = option('--enable', z.array(teamScope), listed(enable));
        const change = { kind: 'enable-scopes', team: option('slug', slug, team), scopes } as const;
        const outcome = await commandTeam(at.store, change, at.context());
        await at.waitUntilVisible(outcome);
        const enabled = outcome.state?.scopes ?? [];
        answer(
          json,
          { team, scopes: enabled },
          `Keys of ${team} may use: ${enabled.join(', ') || 'public scopes only'}.`,
        );
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
