import { setFlagsFromString } from 'node:v8';
import { Command } from 'commander';
import { CommandRefused } from '../../ground/refusals.ts';
import { commons } from '../../events/teams.ts';
import { requireTeam } from '../../commands/teams/team.ts';
import { organizationFieldRows } from '../../events/directory/organization-fields.ts';
import { resourceFieldRows } from '../../events/directory/resource-fields.ts';
import { line as textLine, slug } from '../../events/define.ts';
import { chooseSource, nameSource, SourceQuestion } from '../../imports/choose-source.ts';
import { oneAtATime } from '../../imports/team-jobs.ts';
import { importDatapackage } from '../../imports/import-datapackage.ts';
import { takeIn } from '../../imports/take.ts';
import { TooManyMissing } from '../../imports/missing-records.ts';
import type { ImportReport } from '../../imports/report.ts';
import { resources } from '../../projections/directory/resources.ts';
import { sources } from '../../projections/directory/sources.ts';
import { ensureCommons } from '../../commands/teams/ensure-commons.ts';
import { withNewOrExistingSystem, type CommandSystem, type CommandLine } from '../command-line.ts';
import { option, UsageError } from '../options.ts';
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
  readonly sameAs?: string;
  readonly take?: readonly string[];
  readonly removeMissing?: string | true;
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
    .option(
      '--source <name>',
      'the source: one that the team has, by its name or id, or a name for a new one; default: the name in the datapackage',
    )
    .option('--same-as <source>', 'the source that the file is of, however different it looks')
    .option(
      '--take <what...>',
      'of what the source and a person have both changed, take what the source says: all, a field, the id of a record in its source, or id:field; default: what a person has changed stays',
    )
    .option(
      '--remove-missing [how]',
      'take out the records that the source no longer has; with "any" also when that is more than a fifth of them',
    )
    .option('--dry-run', 'show what would change, and change nothing')
    .option(
      '--sheet <name>',
      'the sheet of a workbook that is read; default: the one with the most known columns',
    )
    .option(
      '--columns <list>',
      'what columns of a spreadsheet say, where the guess is wrong: "Remarks=how_to_apply,Rating=none"',
    )
    .action(async (path: string, options: ImportOptions) => {
      // Records are short-lived. Letting the space for new objects grow took 80 MB more and was no quicker.
      setFlagsFromString('--semi-space-growth-factor=1');
      // A heap that may grow by its own half before it is collected took 50 MB more, and was no quicker.
      setFlagsFromString('--heap-growing-percent=20');
      // Reading the source takes about as long as opening the stores, and goes on meanwhile.
      const reading = startReading(path, !options.json, sheetChoice(options));
      try {
        await withNewOrExistingSystem(
          line,
          async (at) => {
            const report = await importFrom(at, reading, options);
            if (report.problems.length > 0) line.exitCode = 1;
            answer(options.json, report, describeImport(report));
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
  options: Omit<ImportOptions, 'json'>,
): Promise<ImportReport> {
  try {
    const team = option('--team', slug, options.team);
    const dryRun = options.dryRun === true;
    if (team !== commons.team) await requireTeam(at.store, team);
    const datapackage = await reading.opened;
    requireColumns(datapackage.sheet, options);
    const named = option('--source', textLine(200).optional(), options.source);
    const sameAs = option('--same-as', textLine(200).optional(), options.sameAs);
    if (named !== undefined && sameAs !== undefined)
      throw new UsageError('--source and --same-as both name the source. Give one of them.');
    const removing = removingIn(options.removeMissing);
    const take = takeIn(options.take ?? [], isFieldName);
    const proposed = option('--source', textLine(200), datapackage.name);
    if (team === commons.team && !dryRun) await ensureCommons(at.store, at.context());
    await at.waitUntilCurrent(sources, resources);
    const names = (most?: number) => datapackage.names(most);
    const { source, name } = await chooseSource(at.documents, names, {
      team,
      proposed,
      source: named,
      sameAs,
    }).catch(withWaysOut);
    if (!dryRun) await nameSource(at, { team, source, name });
    reading.startBar(dryRun ? 'compare' : 'import', datapackage.services);
    const running = (work: () => Promise<ImportReport>) =>
      dryRun ? work() : oneAtATime(at.leases, team, work);
    return await running(() =>
      importDatapackage(at, datapackage, {
        team,
        source,
        sourceName: name,
        importId: at.context().correlationId ?? crypto.randomUUID(),
        take,
        removeMissing: removing,
        approve: options.approve === true,
        dryRun,
        concurrency,
        onProgress: (done) => reading.update(done),
      }),
    ).catch((error: unknown) => {
      if (!(error instanceof TooManyMissing)) throw error;
      throw new CommandRefused(
        'conflict',
        `${error.message} If that is right, say --remove-missing any. To keep them, leave out --remove-missing.`,
      );
    });
  } finally {
    await reading.close();
  }
}

const isFieldName = (word: string): boolean =>
  [...resourceFieldRows, ...organizationFieldRows].some(({ name }) => name === word);

function removingIn(value: string | true | undefined): 'few' | 'any' | undefined {
  if (value === undefined) return undefined;
  if (value === true) return 'few';
  if (value === 'any') return 'any';
  throw new UsageError('--remove-missing: is given alone, or as --remove-missing any');
}

/** A question about the source, with what answers it. */
function withWaysOut(error: unknown): never {
  if (!(error instanceof SourceQuestion)) throw error;
  throw new CommandRefused(
    'conflict',
    [
      error.message,
      `If it is, add --same-as ${JSON.stringify(error.of.name)}; if not, add --source "a name for the new source".`,
      'Nothing was imported.',
    ].join(' '),
  );
}
