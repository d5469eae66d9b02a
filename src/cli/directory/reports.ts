import { Command } from 'commander';
import { z } from 'zod';
import { erase, reportList, resolve } from '../../actions/directory/upkeep/reports.ts';
import { mistakeOutcomes } from '../../events/directory/upkeep/mistake.ts';
import { mistakes, reportsQuery } from '../../projections/directory/upkeep/mistakes.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { eachCommand } from '../action-command.ts';
import { withSystem, type CommandLine } from '../command-line.ts';
import { namedTeam } from '../named-team.ts';
import { count, option } from '../options.ts';
import { showListed } from '../show-command.ts';
import { answer, table } from '../../ground/print.ts';

const statuses = ['open', ...mistakeOutcomes] as const;
const reportStatus = z.enum(statuses, { message: `must be one of ${statuses.join(', ')}` });

interface ListOptions {
  readonly team?: string;
  readonly status?: string;
  readonly limit: string;
  readonly json?: boolean;
}

/** Reports of mistakes in public records. */
export function reportsCommand(line: CommandLine): Command {
  const command = new Command('reports').description('Mistakes that people have reported in public records.');
  command
    .command('list')
    .description('List reports, open ones first, the oldest first.')
    .option('--team <slug>', 'only those of this team’s directory')
    .option('--status <status>', 'open, fixed or dismissed')
    .option('--limit <n>', 'the most reports to list', '100')
    .action(({ team, status, limit, json }: ListOptions) =>
      withSystem(line, async (at) => {
        const of = await namedTeam(at, team);
        await at.waitUntilCurrent(mistakes);
        const query = {
          team: of,
          status: option('--status', reportStatus.optional(), status),
        };
        const most = count('--limit', limit);
        const collection = at.documents.collection(mistakes.collection);
        const docs = await collection.page({ ...reportsQuery(query), limit: most + 1 });
        const shown = await reportList.open(at, docs.slice(0, most));
        const rows = shown.map((each) => [
          each.report,
          each.status,
          each.team,
          each.svc_id,
          each.kind,
          each.reported_at,
        ]);
        answer(json, shown, table(['REPORT', 'STATUS', 'TEAM', 'SVC_ID', 'WHAT', 'REPORTED'], rows));
        if (docs.length > most) console.error('There are more: add --limit to see more at once.');
      }),
    );
  command.addCommand(
    showListed(
      line,
      { ...reportList, none: () => new CommandRefused('not_found', 'There is no such report.') },
      {
        description: 'Show a report, with what it says and how to reach whoever sent it.',
        argument: '<report>',
      },
    ),
  );
  const ofReports = { each: ['id', ['<report...>']], needs: [mistakes] } as const;
  command.addCommand(
    eachCommand(line, resolve, {
      name: 'resolve',
      description: 'Say what came of reports.',
      ...ofReports,
      options: { outcome: ['--outcome <outcome>', 'fixed or dismissed'] },
      print: (done) => [
        done.map(({ id, value: { status } }) => ({ report: id, status })),
        done.map(({ id, value: { status } }) => `${id} is ${status}.`),
      ],
    }),
  );
  command.addCommand(
    eachCommand(line, erase, {
      name: 'erase',
      description: 'Erase what reports say and how to reach whoever sent them, for ever.',
      ...ofReports,
      print: (done) => [
        done.map(({ id }) => ({ report: id, erased: true })),
        done.map(({ id }) => `What ${id} said is erased.`),
      ],
    }),
  );
  return command;
}
