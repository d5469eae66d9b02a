import { Command } from 'commander';
import { commons, requireTeam } from '../../commands/teams/team.ts';
import { importResource } from '../../commands/directory/resource.ts';
import { line as textLine, slug } from '../../events/define.ts';
import type { HsdsItem, HsdsRecord } from '../../hsds/item.ts';
import { openDatapackage } from '../../hsds/package.ts';
import type { Change } from '../../projections/until-shown.ts';
import { ensureCommons } from '../../runtime/commons.ts';
import { withNewOrExistingSystem, type CommandSystem, type CommandLine } from '../command-line.ts';
import { option } from '../options.ts';
import { answer, table } from '../print.ts';
import { progressBar, type Progress } from '../progress.ts';

/** Records imported concurrently: appends that arrive together share one commit. */
const concurrency = 64;

interface ImportOptions {
  readonly team: string;
  readonly approve?: boolean;
  readonly source?: string;
  readonly json?: boolean;
}

/** The result of importing a datapackage. */
export interface ImportReport {
  readonly source: string;
  readonly team: string;
  readonly services: number;
  readonly new: number;
  readonly revised: number;
  readonly approved: number;
  readonly deactivated: number;
  readonly unchanged: number;
  readonly problems: readonly { file: string; line: number; reason: string }[];
  readonly warnings: readonly { file: string; line: number; reason: string }[];
}

export function importCommand(line: CommandLine): Command {
  return new Command('import')
    .description(
      'Bring a directory up to date from an HSDS CSV datapackage (1.1 or 3.x): a folder or a zip file.',
    )
    .argument('<path>', 'the folder or zip file')
    .option('--team <slug>', 'the team that owns the directory', commons.team)
    .option('--approve', 'approve new records at once')
    .option('--source <name>', 'the name of the source; default: the name in the datapackage')
    .action((path: string, given: ImportOptions) =>
      withNewOrExistingSystem(line, async (at) => {
        const report = await importDatapackage(at, path, given, !given.json);
        if (report.problems.length > 0) line.exitCode = 1;
        answer(given.json, report, describe(report));
      }),
    );
}

/** Imports all valid records. Others are listed in the report by file, line and reason. */
export async function importDatapackage(
  at: CommandSystem,
  path: string,
  given: Omit<ImportOptions, 'json'>,
  show: boolean,
): Promise<ImportReport> {
  const team = option('--team', slug, given.team);
  const datapackage = await openDatapackage(path);
  let bar: Progress | undefined;
  try {
    const source = option('--source', textLine(200), given.source ?? datapackage.name);
    if (team === commons.team) await ensureCommons(at.store, at.context());
    await requireTeam(at.store, team);
    if (show) bar = progressBar('import', datapackage.services);
    let done = 0;
    const results: ItemResult[] = [];
    await eachOf(datapackage.records(), async (item) => {
      results.push(await importItem(at, item, { team, source, approve: given.approve === true }));
      if (item.kind !== 'warning') bar?.update(++done);
    });
    await at.waitUntilVisible(
      results.flatMap(({ outcome }) => outcome ?? []),
      600_000,
    );
    return reportOf(results, source, team, datapackage.services);
  } finally {
    bar?.stop();
    datapackage.close();
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

interface ItemResult {
  readonly item: HsdsItem;
  /** For a record: the outcome of its import. */
  readonly outcome?: ImportOutcome;
}

type ImportOutcome = Change & { readonly appended: readonly string[] };

async function importItem(
  at: CommandSystem,
  item: HsdsItem,
  { team, source, approve }: { team: string; source: string; approve: boolean },
): Promise<ItemResult> {
  if (item.kind !== 'record') return { item };
  const record = recordOf(item, team, source, approve);
  const { events, types, position } = await importResource(at, record, at.context());
  return { item, outcome: { types, position, appended: events.map((each) => each.type) } };
}

const recordOf = (record: HsdsRecord, team: string, system: string, approve: boolean) => ({
  team,
  source: { system, id: record.source_id },
  fields: record.fields,
  active: record.status === 'active',
  approve,
});

function reportOf(
  results: readonly ItemResult[],
  source: string,
  team: string,
  services: number,
): ImportReport {
  const having = (type: string) => results.filter(({ outcome }) => outcome?.appended.includes(type)).length;
  const places = (kind: HsdsItem['kind']) =>
    results.flatMap(({ item }) =>
      item.kind === kind && item.kind !== 'record'
        ? [{ file: item.file, line: item.line, reason: item.reason }]
        : [],
    );
  return {
    source,
    team,
    services,
    new: having('ResourceSubmitted'),
    revised: having('ResourceRevised'),
    approved: having('ResourceApproved'),
    deactivated: having('ResourceDeactivated'),
    unchanged: results.filter(({ outcome }) => outcome?.appended.length === 0).length,
    problems: places('problem'),
    warnings: places('warning'),
  };
}

function describe(report: ImportReport): string[] {
  const lines = [
    `${report.services} services from ${report.source} for ${report.team}: ${report.new} new, ${report.revised} revised, ` +
      `${report.approved} approved, ${report.deactivated} deactivated, ${report.unchanged} unchanged, ${report.problems.length} not usable.`,
  ];
  const rows = (list: ImportReport['problems']) => list.map((each) => [each.file, each.line, each.reason]);
  if (report.problems.length > 0)
    lines.push('', 'Not usable:', table(['FILE', 'LINE', 'REASON'], rows(report.problems)));
  if (report.warnings.length > 0)
    lines.push('', 'Left out:', table(['FILE', 'LINE', 'REASON'], rows(report.warnings)));
  return lines;
}
