import { setFlagsFromString } from 'node:v8';
import { Command } from 'commander';
import { commons } from '../../events/teams.ts';
import { requireTeam } from '../../commands/teams/team.ts';
import { line as textLine, slug } from '../../events/define.ts';
import { importDatapackage } from '../../imports/import-datapackage.ts';
import type { ImportReport } from '../../imports/report.ts';
import { resources } from '../../projections/directory/resources.ts';
import { ensureCommons } from '../../commands/teams/ensure-commons.ts';
import { withNewOrExistingSystem, type CommandSystem, type CommandLine } from '../command-line.ts';
import { option } from '../options.ts';
import { answer } from '../../ground/print.ts';
import { describeImport } from './import-report.ts';
import { requireColumns, sheetChoice } from './sheet-columns.ts';
import { startReading, type Reading } from './import-source.ts';

/**
 * Records imported concurrently: appends that arrive together share one commit. With 64, half of the time went into
 * waiting for commits.
 */
const concurrency = 256;

interface ImportOptions {
  readonly team: string;
  readonly approve?: boolean;
  readonly source?: string;
  readonly dryRun?: boolean;
  readonly sheet?: string;
  readonly columns?: string;
  readonly json?: boolean;
}

export function importCommand(line: CommandLine): Command {
  return new Command('import')
    .description(
      'Bring a directory up to date from an HSDS datapackage (the CSV tables of 1.1, 2.x or 3.x, or the JSON of 3.x) or from a spreadsheet with any columns.',
    )
    .argument('<path>', 'a folder, a zip file, a JSON file, or an .xlsx or .csv file')
    .option('--team <slug>', 'the team that owns the directory', commons.team)
    .option('--approve', 'approve new records at once')
    .option('--source <name>', 'the name of the source; default: the name in the datapackage')
    .option('--dry-run', 'show what would change, and change nothing')
    .option(
      '--sheet <name>',
      'the sheet of a workbook that is read; default: the one with the most known columns',
    )
    .option(
      '--columns <list>',
      'what columns of a spreadsheet say, where the guess is wrong: "Remarks=how_to_apply,Rating=none"',
    )
    .action(async (path: string, given: ImportOptions) => {
      // Records are short-lived. Letting the space for new objects grow took 80 MB more and was no quicker.
      setFlagsFromString('--semi-space-growth-factor=1');
      // Reading the source takes about as long as opening the stores, and goes on meanwhile.
      const reading = startReading(path, !given.json, sheetChoice(given));
      try {
        await withNewOrExistingSystem(
          line,
          async (at) => {
            const report = await importFrom(at, reading, given);
            if (report.problems.length > 0) line.exitCode = 1;
            answer(given.json, report, describeImport(report));
          },
          { bulk: true },
        );
      } finally {
        await reading.close();
      }
    });
}

/** Imports all valid records of a source, and closes it. Others are listed in the report by file, line and reason. */
export async function importFrom(
  at: CommandSystem,
  reading: Reading,
  given: Omit<ImportOptions, 'json'>,
): Promise<ImportReport> {
  try {
    const team = option('--team', slug, given.team);
    const datapackage = await reading.opened;
    requireColumns(datapackage.sheet, given);
    const source = option('--source', textLine(200), given.source ?? datapackage.name);
    const dryRun = given.dryRun === true;
    if (team === commons.team && !dryRun) await ensureCommons(at.store, at.context());
    if (team !== commons.team || !dryRun) await requireTeam(at.store, team);
    // What the rows of an export say is compared with what is shown.
    if (datapackage.sheet?.own) await at.waitUntilCurrent(resources);
    reading.startBar(dryRun ? 'compare' : 'import', datapackage.services);
    return await importDatapackage(at, datapackage, {
      team,
      source,
      approve: given.approve === true,
      dryRun,
      concurrency,
      onProgress: (done) => reading.update(done),
    });
  } finally {
    await reading.close();
  }
}
