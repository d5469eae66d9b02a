import { previewImport, previewParts } from '../commands/directory/import-preview.ts';
import { importResource, type ImportedRecord } from '../commands/directory/resource.ts';
import type { CommandContext } from '../events/metadata.ts';
import type { Vault } from '../stores/vault/port.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import type { PersonalData } from '../personal/personal-data.ts';
import { svcIdOfService } from '../hsds/export/ids.ts';
import type { HsdsRecord } from '../hsds/item.ts';
import type { ThreadedDatapackage } from '../hsds/source/open-in-thread.ts';
import type { Change } from '../projections/until-shown.ts';
import type { Documents } from '../stores/documents/port.ts';
import { ownRow, reviseOwn } from './own-rows.ts';
import { ImportTally, type ImportReport, type ItemOutcome } from './report.ts';

/** What an import is carried out with. */
export interface ImportParts {
  readonly store: EventStore;
  readonly vault: Vault;
  readonly personal: PersonalData;
  readonly documents: Pick<Documents, 'collection'>;
  /** The context of one change. */
  context(): CommandContext;
  /** Resolves when the read models show the changes. @throws NotYetVisible */
  waitUntilVisible(changes: readonly Change[], timeoutMs: number): Promise<void>;
}

export interface ImportOptions {
  /** The team that owns the directory. It must exist, unless `dryRun`. */
  readonly team: string;
  /** The name of the source. The same record of the same source is the same resource. */
  readonly source: string;
  /** Approves new records at once. */
  readonly approve: boolean;
  /** Changes nothing, and reports what would change. */
  readonly dryRun: boolean;
  /** So many records are imported at a time: appends that arrive together share one commit. */
  readonly concurrency: number;
  /** So many changes, problems and warnings are listed each. Default: `mostListed`. */
  readonly listed?: number;
  /** Awaited before each record: lets other work of the thread go first. */
  readonly rest?: () => Promise<void> | undefined;
  /** Ends the import between two records. What was imported stays. */
  readonly signal?: AbortSignal;
  /** Called after each row of services, with the number of those that are done. */
  readonly onProgress?: (done: number) => void;
}

/** How long an import waits until the read models show it. It is recorded by then. */
const visibleWithinMs = 600_000;

/**
 * Imports all valid records of a source. Others are listed in the report by file, line and reason.
 * @throws the reason of the signal
 */
export async function importDatapackage(
  parts: ImportParts,
  datapackage: ThreadedDatapackage,
  options: ImportOptions,
): Promise<ImportReport> {
  const { team, source, approve, dryRun, onProgress = () => undefined } = options;
  const importItem = dryRun ? previewer(parts) : importer(parts);
  const writing = dryRun ? previewParts(parts) : parts;
  // An export of ours has a column for everything, and rows without an id are new.
  const covered = datapackage.sheet?.own ? undefined : datapackage.sheet?.covered;
  const tally = new ImportTally(options.listed);
  let done = 0;
  await eachOf(datapackage.records(), options, async (item) => {
    const own = item.kind === 'record' && item.own ? await ownRow(parts, item.own, team) : undefined;
    if (item.kind === 'record' && own) {
      const { outcome, warnings } = await reviseOwn(writing, own, parts.context());
      for (const reason of warnings) tally.add({ kind: 'warning', file: item.file, line: item.line, reason });
      const { types, position } = outcome;
      if (!dryRun) tally.addChange({ types, position });
      tally.add(item, { types: outcome.events, ...(dryRun ? { preview: outcome.preview } : {}) });
    } else if (item.kind === 'record')
      tally.add(item, await importItem({ ...recordOf(item, team, source, approve), covered }, tally));
    else if (item.kind !== 'organization') tally.add(item);
    if (item.kind === 'record' || item.kind === 'problem') onProgress(++done);
  });
  await parts.waitUntilVisible(tally.changes(), visibleWithinMs);
  const summary = await datapackage.summary();
  const { services, sheet } = datapackage;
  const read = sheet ? { sheet: sheet.mapping } : {};
  return tally.report({ source, team, services, dry_run: dryRun, ...read }, summary);
}

/** Processes `concurrency` items at a time and reads no further ahead: a directory may be larger than memory. */
async function eachOf<Item>(
  items: AsyncGenerator<Item>,
  { concurrency, rest, signal }: Pick<ImportOptions, 'concurrency' | 'rest' | 'signal'>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const worker = async () => {
    for (;;) {
      await rest?.();
      signal?.throwIfAborted();
      const next = await items.next();
      if (next.done) return;
      await work(next.value);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

type ImportRecord = (record: ImportedRecord, tally: ImportTally) => Promise<ItemOutcome>;

const importer =
  (parts: ImportParts): ImportRecord =>
  async (record, tally) => {
    const { events, types, position } = await importResource(parts, record, parts.context());
    tally.addChange({ types, position });
    return { types: events.map(({ type }) => type) };
  };

function previewer(parts: ImportParts): ImportRecord {
  const reading = previewParts(parts);
  return async (record) => {
    const { types, ...preview } = await previewImport(reading, record, parts.context());
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
