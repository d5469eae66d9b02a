import { setFlagsFromString } from 'node:v8';
import { Command } from 'commander';
import { previewImport, previewParts } from '../../commands/directory/import-preview.ts';
import { commons, requireTeam } from '../../commands/teams/team.ts';
import { importResource } from '../../commands/directory/resource.ts';
import { line as textLine, slug } from '../../events/define.ts';
import { svcIdOfService } from '../../hsds/export/ids.ts';
import type { HsdsRecord } from '../../hsds/item.ts';
import { ensureCommons } from '../../runtime/commons.ts';
import { withNewOrExistingSystem, type CommandSystem, type CommandLine } from '../command-line.ts';
import { option } from '../options.ts';
import { answer } from '../print.ts';
import { describeImport, ImportTally, type ImportReport, type ItemOutcome } from './import-report.ts';
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
  readonly json?: boolean;
}

export function importCommand(line: CommandLine): Command {
  return new Command('import')
    .description(
      'Bring a directory up to date from an HSDS datapackage: the CSV tables of 1.1, 2.x or 3.x, or the JSON of 3.x.',
    )
    .argument('<path>', 'a folder, a zip file, or a JSON file')
    .option('--team <slug>', 'the team that owns the directory', commons.team)
    .option('--approve', 'approve new records at once')
    .option('--source <name>', 'the name of the source; default: the name in the datapackage')
    .option('--dry-run', 'show what would change, and change nothing')
    .action(async (path: string, given: ImportOptions) => {
      // Records are short-lived. Letting the space for new objects grow took 80 MB more and was no quicker.
      setFlagsFromString('--semi-space-growth-factor=1');
      // Reading the source takes about as long as opening the stores, and goes on meanwhile.
      const reading = startReading(path, !given.json);
      try {
        await withNewOrExistingSystem(
          line,
          async (at) => {
            const report = await importDatapackage(at, reading, given);
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
export async function importDatapackage(
  at: CommandSystem,
  reading: Reading,
  given: Omit<ImportOptions, 'json'>,
): Promise<ImportReport> {
  try {
    const team = option('--team', slug, given.team);
    const datapackage = await reading.opened;
    const source = option('--source', textLine(200), given.source ?? datapackage.name);
    const dryRun = given.dryRun === true;
    if (team === commons.team && !dryRun) await ensureCommons(at.store, at.context());
    if (team !== commons.team || !dryRun) await requireTeam(at.store, team);
    const importItem = dryRun ? previewer(at) : importer(at);
    reading.startBar(dryRun ? 'compare' : 'import', datapackage.services);
    let done = 0;
    const tally = new ImportTally();
    await eachOf(datapackage.records(), async (item) => {
      if (item.kind === 'record') {
        tally.add(item, await importItem(recordOf(item, team, source, given.approve === true), tally));
      } else {
        tally.add(item);
      }
      if (item.kind !== 'warning') reading.update(++done);
    });
    await at.waitUntilVisible(tally.changes(), 600_000);
    const summary = await datapackage.summary();
    return tally.report({ source, team, services: datapackage.services, dry_run: dryRun }, summary);
  } finally {
    await reading.close();
  }
}

/** Processes `concurrency` items at a time and reads no further ahead: a directory may be larger than memory. */
async function eachOf<Item>(items: AsyncGenerator<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const worker = async () => {
    for (;;) {
      const next = await items.next();
      if (next.done) return;
      await work(next.value);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

type ImportedRecord = Parameters<typeof importResource>[1];
type ImportRecord = (record: ImportedRecord, tally: ImportTally) => Promise<ItemOutcome>;

const importer =
  (at: CommandSystem): ImportRecord =>
  async (record, tally) => {
    const { events, types, position } = await importResource(at, record, at.context());
    tally.addChange({ types, position });
    return { types: events.map(({ type }) => type) };
  };

function previewer(at: CommandSystem): ImportRecord {
  const parts = previewParts(at);
  return async (record) => {
    const { types, ...preview } = await previewImport(parts, record, at.context());
    return { types, preview };
  };
}

const recordOf = (record: HsdsRecord, team: string, system: string, approve: boolean): ImportedRecord => ({
  team,
  source: { system, id: record.source_id },
  fields: record.fields,
  checked: true,
  active: record.status === 'active',
  approve,
  exportedAs: svcIdOfService(record.source_id),
});
