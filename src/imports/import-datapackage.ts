import { previewImport, previewParts } from '../commands/directory/import-preview.ts';
import { causeOf, commandImport } from '../commands/directory/import.ts';
import { importResource, type ImportedRecord } from '../commands/directory/import-record.ts';
import { precedenceOf } from '../commands/directory/source.ts';
import { removeMissing } from '../commands/directory/resource.ts';
import { fieldsOfGroups } from '../events/directory/upkeep/fields-of-groups.ts';
import { defined } from '../ground/defined.ts';
import type { CommandContext } from '../events/metadata.ts';
import type { Vault } from '../stores/vault/port.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import type { PersonalData } from '../personal/personal-data.ts';
import { svcIdOfService } from '../hsds/export/ids.ts';
import type { UnsealedFields } from '../events/directory/resource-fields.ts';
import type { HsdsRecord } from '../hsds/item.ts';
import type { ThreadedDatapackage } from '../hsds/source/open-in-thread.ts';
import type { Change } from '../projections/until-shown.ts';
import type { Documents } from '../stores/documents/port.ts';
import type { SideStore } from '../stores/side/port.ts';
import { fieldsIn } from '../projections/directory/document-fields.ts';
import { resources } from '../projections/directory/resources.ts';
import { confirmedOf } from '../projections/directory/shown-fields.ts';
import { assuredDate } from '../hsds/export/assured-date.ts';
import { resourceStreamOf, SourceDigests } from './source-digests.ts';
import { ImportedOrganizations } from './import-organizations.ts';
import { ownRow, reviseOwn } from './own-rows.ts';
import { isTooMany, missingRecords, TooManyMissing } from './missing-records.ts';
import { takenOf, takeNone, type Take } from './take.ts';
import { ImportTally, leftOutOf, type ImportReport, type ItemOutcome } from './report.ts';

/** What an import is carried out with. */
export interface ImportParts {
  readonly store: EventStore;
  readonly vault: Vault;
  readonly personal: PersonalData;
  readonly documents: Documents;
  readonly side: SideStore;
  /** The context of one change. */
  context(): CommandContext;
  /** Resolves when the read models show the changes. @throws NotYetVisible */
  waitUntilVisible(changes: readonly Change[], timeoutMs: number): Promise<void>;
}

export interface ImportOptions {
  /** The team that owns the directory. It must exist, unless `dryRun`. */
  readonly team: string;
  /** The id of the source. The same record of the same source is the same resource. */
  readonly source: string;
  /** What the source is called, for the report. */
  readonly sourceName?: string | undefined;
  /** The id of the import, which is the correlation of all its events. */
  readonly importId: string;
  /** Of what the source and a person have both changed: what becomes as the source says. Default: nothing. */
  readonly take?: Take | undefined;
  /**
   * Takes out what the file does not have: unless that is more than a fifth of the source, or however many that is.
   * Default: nothing is taken out.
   */
  readonly removeMissing?: 'few' | 'any' | undefined;
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
  const {
    team,
    source,
    dryRun,
    importId: id,
    removeMissing: removing,
    onProgress = () => undefined,
  } = options;
  const ids = new Set((await datapackage.names()).map((each) => each.id));
  const missing = await missingRecords(parts.documents, { team, source }, ids);
  if (!dryRun && removing === 'few' && isTooMany(missing)) throw new TooManyMissing(missing);
  const cause = { correlationId: id, causationId: causeOf(id, 'begin') };
  const { store, documents, side } = parts;
  const context = (): CommandContext => ({ ...parts.context(), ...cause });
  if (!dryRun) await commandImport(parts.store, id, { kind: 'begin', team, source }, parts.context());
  const writing = dryRun ? previewParts(parts) : parts;
  // Rows of an export of ours are compared with what they were when they were exported.
  const digests = datapackage.sheet?.own
    ? undefined
    : await SourceDigests.load(
        { store, documents, side, personal: writing.personal },
        options,
        datapackage.sheet?.covered,
      );
  const first = fieldsOfGroups(await precedenceOf(store, team, source));
  const importItem = dryRun
    ? previewer(parts)
    : importer({ store, personal: parts.personal, documents, context }, digests);
  // An export of ours has a column for everything, and rows without an id are new.
  const covered = datapackage.sheet?.own ? undefined : datapackage.sheet?.covered;
  const tally = new ImportTally(options.listed);
  tally.addMissing(missing);
  const organizations = new ImportedOrganizations(
    { store: writing.store, personal: writing.personal, documents },
    context,
    options,
    digests,
  );
  let done = 0;
  // With nothing to look up and nothing to remember, no digest has to be made.
  const isRemembered = !dryRun || (digests?.before.digests.size ?? 0) > 0;
  await eachOf(datapackage.records(isRemembered ? digests?.before : undefined), options, async (item) => {
    if (item.kind === 'unchanged') {
      tally.addUnchanged(item.of);
      if (item.of === 'organization') organizations.again(item.digest);
      if (!dryRun) await digests?.again(item.digest);
      if (item.of === 'service') onProgress(++done);
      return;
    }
    const own = item.kind === 'record' && item.own ? await ownRow(parts, item.own, team) : undefined;
    if (item.kind === 'record' && own) {
      const { outcome, warnings } = await reviseOwn(writing, own, context());
      for (const reason of warnings) tally.add({ kind: 'warning', file: item.file, line: item.line, reason });
      const { types, position, events, preview } = outcome;
      if (!dryRun) tally.addChange({ types, position });
      const { svc_id, fields } = preview;
      tally.add(item, { types: events, svc_id, conflicts: [], erased: 0, ...(dryRun ? { fields } : {}) });
    } else if (item.kind === 'record')
      tally.add(
        item,
        await importItem(
          {
            ...(await withOwnDate(
              documents,
              recordOf(item, await organizations.named(item), { ...options, first }),
            )),
            covered,
          },
          tally,
          item,
        ),
      );
    else if (item.kind !== 'organization') tally.add(item);
    // The rows of an export of ours say what organizations are called, and not more.
    else if (!datapackage.sheet?.own) await organizations.import(item, tally);
    if (item.kind === 'record' || item.kind === 'problem') onProgress(++done);
  });
  const removes = removing === 'any' || (removing === 'few' && !isTooMany(missing));
  if (removes && !dryRun)
    await eachOf(each(missing.records), options, async ({ svc_id }) => {
      const { events, types, position } = await removeMissing({ store }, svc_id, context());
      tally.addChange({ types, position });
      tally.addRemoved(events.map(({ type }) => type));
    });
  if (!datapackage.sheet?.own)
    await organizations.end(tally, removing, () => parts.waitUntilVisible(tally.changes(), visibleWithinMs));
  const summary = await datapackage.summary();
  const report = tally.report(
    {
      source,
      ...defined({ source_name: options.sourceName }),
      ...(dryRun ? {} : { import: id }),
      team,
      services: datapackage.services,
      dry_run: dryRun,
      ...(datapackage.sheet ? { sheet: datapackage.sheet.mapping } : {}),
      missing_removed: removes,
    },
    summary,
  );
  if (!dryRun) await digests?.end();
  const ended = dryRun ? [] : [await end(parts, id, report)];
  await parts.waitUntilVisible([...tally.changes(), ...ended], visibleWithinMs);
  return report;
}

const end = (parts: ImportParts, id: string, report: ImportReport) => {
  const { new: fresh, revised, approved, deactivated, reactivated, unchanged, conflicts, missing } = report;
  const counts = { new: fresh, revised, approved, deactivated, reactivated, unchanged, conflicts, missing };
  return commandImport(
    parts.store,
    id,
    { kind: 'end', counts: { ...counts, left_out: leftOutOf(report) } },
    { ...parts.context(), causationId: causeOf(id, 'begin') },
  );
};

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
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

type ImportRecord = (record: ImportedRecord, tally: ImportTally, item: HsdsRecord) => Promise<ItemOutcome>;

const importer =
  (
    parts: Pick<ImportParts, 'store' | 'personal' | 'documents' | 'context'>,
    digests: SourceDigests | undefined,
  ): ImportRecord =>
  async (record, tally, { digest }) => {
    const context = parts.context();
    const outcome = await importResource(parts, record, context);
    const { events, types, position, conflicts, erased, state, merged } = outcome;
    tally.addChange({ types, position });
    const svc_id = state?.svc_id ?? '';
    // What is said of a record that was merged stands in its own stream, and is read each time.
    if (digests && digest !== undefined && record.active && erased === 0 && !merged)
      await digests.remember(digest, { stream: resourceStreamOf(svc_id), events, ...context }, async () => {
        const doc = await parts.documents.collection(resources.collection).get(svc_id);
        return doc?.read_event;
      });
    return { types: events.map(({ type }) => type), svc_id, conflicts, erased };
  };

function previewer(parts: ImportParts): ImportRecord {
  const reading = previewParts(parts);
  return (record) => previewImport(reading, record, parts.context());
}

const recordOf = (
  record: HsdsRecord,
  fields: UnsealedFields,
  {
    team,
    source: system,
    approve,
    take = takeNone,
    first,
  }: ImportOptions & { readonly first: readonly string[] },
): ImportedRecord => ({
  team,
  source: { system, id: record.source_id },
  fields,
  checked: true,
  active: record.status === 'active',
  approve,
  take: takenOf(take, record.source_id, first),
  exportedAs: svcIdOfService(record.source_id),
});

/**
 * The export of a record of ours says when people here confirmed it, in the place of the day of its source. Where it comes back
 * with no later day, that says nothing new: the record keeps what it has there.
 */
async function withOwnDate(
  documents: ImportParts['documents'],
  record: ImportedRecord,
): Promise<ImportedRecord> {
  const { exportedAs, team, fields } = record;
  if (exportedAs === undefined || fields.last_verified === undefined) return record;
  const doc = await documents.collection(resources.collection).get(exportedAs);
  if (doc?.team !== team) return record;
  const own = fieldsIn(doc, 'stored');
  if (fields.last_verified > (assuredDate(own, confirmedOf(doc)) ?? '')) return record;
  const { last_verified } = own;
  const { last_verified: _, ...rest } = fields;
  return { ...record, fields: last_verified === undefined ? rest : { ...fields, last_verified } };
}
