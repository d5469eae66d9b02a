import { Command } from 'commander';
import { z } from 'zod';
import { eraseReport, openReports, resolveReport } from '../../commands/directory/mistake.ts';
import { CommandRefused } from '../../commands/errors.ts';
import { slug } from '../../events/define.ts';
import { mistakeOutcome, mistakeOutcomes } from '../../events/directory/mistake.ts';
import type { PersonalData } from '../../personal/personal-data.ts';
import { mistakes, reportsQuery, type MistakeDocument } from '../../projections/directory/mistakes.ts';
import { withSystem, type CommandLine } from '../command-line.ts';
import { count, option } from '../options.ts';
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
        await at.waitUntilCurrent(mistakes);
        const asked = {
          team: option('--team', slug.optional(), team),
          status: option('--status', reportStatus.optional(), status),
        };
        const most = count('--limit', limit);
        const collection = at.documents.collection(mistakes.collection);
        const docs = await collection.page({ ...reportsQuery(asked), limit: most + 1 });
        const shown = await described(at.personal, docs.slice(0, most));
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
  command
    .command('show <report>')
    .description('Show a report, with what it says and how to reach whoever sent it.')
    .action((id: string, { json }: { json?: boolean }) =>
      withSystem(line, async (at) => {
        await at.waitUntilCurrent(mistakes);
        const doc = await at.documents.collection(mistakes.collection).get(option('report', z.uuid(), id));
        if (!doc) throw new CommandRefused('not_found', `There is no report ${id}.`);
        const [shown] = await described(at.personal, [doc]);
        const rows = Object.entries(shown ?? {}).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]);
        answer(json, shown, table(['', ''], rows));
      }),
    );
  command
    .command('resolve <report...>')
    .description('Say what came of reports.')
    .requiredOption('--outcome <outcome>', 'fixed or dismissed')
    .action((ids: string[], { outcome, json }: { outcome: string; json?: boolean }) =>
      withSystem(line, async (at) => {
        const asked = { outcome: option('--outcome', mistakeOutcome, outcome) };
        const reports = ids.map((id) => option('report', z.uuid(), id));
        for (const report of reports)
          await at.waitUntilVisible(await resolveReport(at, report, asked, at.context()));
        answer(
          json,
          reports.map((report) => ({ report, status: asked.outcome })),
          reports.map((report) => `${report} is ${asked.outcome}.`),
        );
      }),
    );
  command
    .command('erase <report...>')
    .description('Erase what reports say and how to reach whoever sent them, for ever.')
    .action((ids: string[], { json }: { json?: boolean }) =>
      withSystem(line, async (at) => {
        const reports = ids.map((id) => option('report', z.uuid(), id));
        for (const report of reports)
          await at.waitUntilVisible(await eraseReport(at, report, {}, at.context()));
        answer(
          json,
          reports.map((report) => ({ report, erased: true })),
          reports.map((report) => `What ${report} said is erased.`),
        );
      }),
    );
  return command;
}

async function described(personal: PersonalData, docs: readonly MistakeDocument[]) {
  const said = await openReports(personal, docs);
  return docs.map(({ said: _, rank: _rank, ...doc }, place) => ({ ...doc, ...said[place] }));
}
