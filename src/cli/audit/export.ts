import { resolve } from 'node:path';
import { Command } from 'commander';
import { counted } from '../../ground/counted.ts';
import { reverseDns } from '../../audit/exports/cloudevents.ts';
import { exportable } from '../../audit/exports/exportable.ts';
import { ExportError } from '../../audit/exports/export-error.ts';
import {
  conditionsOf,
  exportConditions,
  exportFilter,
  type ExportFilter,
} from '../../audit/exports/filter.ts';
import type { ExportManifest } from '../../audit/exports/manifest.ts';
import { writeExport } from '../../audit/exports/write-export.ts';
import { cosignersOf } from '../../audit/proof-log/format/cosignature.ts';
import { logKey } from '../../audit/proof-log/format/log-key.ts';
import { recordLogExport } from '../../actions/audit-readings.ts';
import type { System } from '../../container.ts';
import { exportFormat } from '../../events/audit.ts';
import type { Actor, CommandContext } from '../../events/metadata.ts';
import { withStores, type CommandLine } from '../command-line.ts';
import { namedTeam } from '../named-team.ts';
import { option } from '../options.ts';
import { answer } from '../../ground/print.ts';
import { progressBar } from '../progress.ts';
import { fillWhole, refuseExisting } from '../target.ts';

interface ExportOptions extends ExportFilter {
  readonly format: string;
  readonly out: string;
  readonly json?: boolean;
}

export function exportCommand(line: CommandLine): Command {
  return new Command('export')
    .description(
      'Write events to a new folder, with what proves them: all up to the newest checkpoint, or those that a filter selects.',
    )
    .requiredOption('--out <folder>', 'the new folder')
    .option('--format <format>', exportFormat.options.join(', '), 'ndjson')
    .option('--type <type>', 'only events of this type')
    .option('--stream <name>', 'only events of this stream')
    .option('--actor <kind:id>', 'only what this actor did, such as user:4b1c… or system:cli')
    .option('--subject <kind:id>', 'only events about this subject, such as person:4b1c… or key:k_1…')
    .option('--team <slug>', 'only events of this team')
    .option('--correlation <id>', 'only events of one request')
    .option('--from <time>', 'only events at this time or later, such as 2026-01-31T00:00:00Z')
    .option('--until <time>', 'only events before this time')
    .action(({ format, out, json, ...conditions }: ExportOptions) =>
      withStores(line, async (system, actor) => {
        const exported = option('--format', exportFormat, format);
        const filter = filterOf(conditions);
        await namedTeam(system, conditions.team);
        await refuseExisting(out);
        const manifest = await exportTo(out, system, { format: exported, filter, actor }, !json);
        const { count, tree_size } = manifest;
        answer(json, { ...manifest, path: resolve(out) }, [
          `${counted(count, 'event')} of ${tree_size} ${count === 1 ? 'is' : 'are'} in ${out}, with the checkpoint of ${counted(tree_size, 'entry', 'entries')} of ${manifest.log}.`,
          `Verify them anywhere: commonweal verify --export ${out} --vkey <key>. "commonweal audit log status" shows the key.`,
        ]);
      }),
    );
}

/** @throws UsageError naming the option */
function filterOf(conditions: Readonly<Record<string, unknown>>): ExportFilter {
  for (const [name, schema] of Object.entries(exportConditions))
    option(`--${name}`, schema, conditions[name]);
  return exportFilter.parse(conditions);
}

/** The folder has its name when everything is written and the export is recorded. */
async function exportTo(
  out: string,
  { store, proofLog, vault, installation, config }: System,
  {
    format,
    filter,
    actor,
  }: {
    readonly format: ReturnType<typeof exportFormat.parse>;
    readonly filter: ExportFilter;
    readonly actor: Actor;
  },
  show: boolean,
): Promise<ExportManifest> {
  const key = await logKey(vault);
  const from = await exportable(store, proofLog, key, cosignersOf(config.witnesses));
  const stop = new AbortController();
  const stopped = () =>
    stop.abort(new ExportError(`Stopped. Nothing was exported, and ${out} does not exist.`));
  process.once('SIGINT', stopped);
  process.once('SIGTERM', stopped);
  const bar = show ? progressBar('export', from.checkpoint.size) : undefined;
  try {
    let manifest: ExportManifest | undefined;
    await fillWhole(out, async (folder) => {
      manifest = await writeExport(folder, from, {
        format,
        filter,
        installation: await installation.ensureId(),
        domain: reverseDns(config.baseUrl),
        now: new Date(),
        signal: stop.signal,
        onRead: (events) => bar?.update(events),
      });
      stop.signal.throwIfAborted();
      const { count: events, tree_size } = manifest;
      const data = { format, filter: conditionsOf(filter), events, tree_size };
      await recordLogExport({ store }, data, contextOf(actor));
    });
    return manifest as unknown as ExportManifest;
  } finally {
    bar?.stop();
    process.off('SIGINT', stopped);
    process.off('SIGTERM', stopped);
  }
}

const contextOf = (actor: Actor): CommandContext => ({
  actor,
  commandId: crypto.randomUUID(),
  correlationId: crypto.randomUUID(),
  at: new Date(),
});
