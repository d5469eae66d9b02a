import { CommandRefused } from '../ground/refusals.ts';
import { requireOpenTeam } from '../commands/teams/team.ts';
import { line } from '../events/define.ts';
import { pause } from '../ground/back-off.ts';
import { DatapackageError } from '../hsds/errors.ts';
import { openInThread } from '../hsds/source/open-in-thread.ts';
import { NotYetVisible } from '../projections/engine/read-your-writes.ts';
import { untilShown, type Change } from '../projections/until-shown.ts';
import { importDatapackage } from './import-datapackage.ts';
import { changesIn, leftOutOf, type ImportReport } from './report.ts';
import { throttle } from '../ground/throttle.ts';
import {
  chooseSource,
  nameSource,
  SourceQuestion,
  type ChosenSource,
  type NamesOf,
} from './choose-source.ts';
import type { ImportRecords, ImportState, SourceQuestioned } from './import-state.ts';
import { requiredColumns, choiceOf, type RememberedColumns } from './sheet-columns.ts';
import type { PersonalData } from '../personal/personal-data.ts';
import type { Documents } from '../stores/documents/port.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import type { Leases } from '../stores/leases/port.ts';
import type { SideStore } from '../stores/side/port.ts';
import type { Vault } from '../stores/vault/port.ts';

/** What imports are carried out with. */
export interface ImportJobParts {
  readonly store: EventStore;
  readonly vault: Vault;
  readonly personal: PersonalData;
  readonly documents: Documents;
  readonly side: SideStore;
  readonly leases: Leases;
  readonly config: { readonly dataDir: string };
  readonly now?: (() => Date) | undefined;
  /** Told of a fault of ours that has ended an import. */
  readonly onFault: (error: unknown) => void;
  /** Awaited before each record. Default: the import takes at most half of the thread. */
  readonly rest?: () => Promise<void> | undefined;
  /** The most bytes of a file. Default: `mostUploadBytes`. */
  readonly mostBytes?: number;
}

/** Records imported at a time: enough that they share commits, few enough that requests come between. */
const concurrency = 16;
/** The lists of a report are kept for a month, so they are shorter than those of the command line. */
const listed = 2_000;
/** What a file may unpack to. A directory of 100,000 services is about 200 MB. */
export const limits = { entries: 1_000, bytes: 256 * 1024 * 1024 };
/** How often the others are told how far it is. */
const tellEveryMs = 500;

interface Work {
  readonly state: ImportState;
  readonly path: string;
  readonly records: ImportRecords;
  readonly columns: RememberedColumns;
  readonly signal: AbortSignal;
  readonly onProgress: (now: Pick<ImportState, 'done' | 'total'>) => void;
}

/**
 * Compares or imports a file, as the phase of the state says, and answers the state after it. What is wrong with the file
 * is part of that state.
 * @throws the reason of the signal, and faults of ours
 */
export async function carryOut(parts: ImportJobParts, work: Work): Promise<ImportState> {
  const { state, signal, onProgress } = work;
  const progress = { done: 0, total: 0 };
  const telling = new AbortController();
  const reporting = tell(work, progress, telling.signal);
  try {
    const datapackage = await openInThread(work.path, {
      signal,
      name: nameOf(state),
      limits,
      sheet: choiceOf(state.sheet),
    });
    try {
      const sheet =
        state.phase === 'comparing' ? await requiredColumns(datapackage, state, work.columns) : undefined;
      if (sheet) return { ...state, phase: 'columns', sheet };
      const proposed = line(200).safeParse(datapackage.name);
      if (!proposed.success && state.source === undefined) return failed(state, sourceSentence);
      await requireOpenTeam(parts.store, state.team);
      const chosen = await sourceOf(parts, state, (most) => datapackage.names(most), proposed.data ?? '');
      if ('doubt' in chosen) return { ...state, phase: 'asking', question: chosen };
      const { source, name } = chosen;
      const importing = importParts(parts, state, signal);
      const total = datapackage.services;
      onProgress(Object.assign(progress, { total }));
      const rest = parts.rest ?? throttle();
      const dryRun = state.phase === 'comparing';
      if (!dryRun) await nameSource(importing, { team: state.team, source, name });
      const report = await importDatapackage(importing, datapackage, {
        team: state.team,
        source,
        sourceName: name,
        importId: state.id,
        ...(await work.records.choices(state)),
        approve: state.approve,
        dryRun,
        concurrency,
        listed,
        rest: () => {
          const resting = rest();
          return resting && unlessAborted(resting, signal);
        },
        signal,
        onProgress: (done) => onProgress(Object.assign(progress, { done })),
      });
      await work.records.putReport(state, report);
      if (dryRun && isUnusable(report)) return { ...failed(state, unusable), source, source_name: name };
      const phase = dryRun ? 'compared' : 'imported';
      return { ...state, phase, source, source_name: name, done: total, total };
    } finally {
      await datapackage.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof DatapackageError || error instanceof CommandRefused)
      return failed(state, error.message);
    throw error;
  } finally {
    telling.abort();
    await reporting;
  }
}

/** The source that was found when the file was compared, or is found now. A question, when it is not clear. */
async function sourceOf(
  { documents }: ImportJobParts,
  { phase, team, source, source_name: name, same_source: isSame }: ImportState,
  names: NamesOf,
  proposed: string,
): Promise<ChosenSource | SourceQuestioned> {
  if (phase === 'importing' && source !== undefined && name !== undefined) return { source, name };
  try {
    const input = isSame ? { sameAs: source } : { source };
    return await chooseSource(documents, names, { team, proposed, ...input });
  } catch (error) {
    if (!(error instanceof SourceQuestion)) throw error;
    return { doubt: error.doubt, sentence: error.message, ...error.of };
  }
}

/** With the ending that says how it is read, whatever the person calls it. */
export const nameOf = ({ file, kind }: ImportState): string => {
  if (kind === 'json' && !/\.jsonl?$/i.test(file)) return `${file}.json`;
  return kind === 'csv' && !/\.[ct]sv$/i.test(file) ? `${file.replace(/\.txt$/i, '')}.csv` : file;
};

const failed = (state: ImportState, problem: string): ImportState => ({
  ...state,
  phase: 'failed',
  during: state.phase,
  problem,
});

const sourceSentence =
  'The file names its source with signs that a name may not have. Give the source a name when you send the file.';

/** Something was read, and no record could be made of it: no decision is needed. */
const isUnusable = (report: ImportReport): boolean =>
  leftOutOf(report) > 0 && changesIn(report) + report.unchanged === 0;

const unusable = 'No record of this file could be used. See below why.';

function importParts(
  { store, vault, personal, documents, side, now }: ImportJobParts,
  state: ImportState,
  signal: AbortSignal,
) {
  const by = state.imported_by ?? state.by;
  return {
    store,
    vault,
    personal,
    documents,
    side,
    context: () => ({
      actor: { kind: 'user' as const, id: by },
      commandId: crypto.randomUUID(),
      at: now?.() ?? new Date(),
      correlationId: state.id,
    }),
    async waitUntilVisible(changes: readonly Change[], timeoutMs: number): Promise<void> {
      try {
        await unlessAborted(untilShown(documents, changes, timeoutMs), signal);
      } catch (error) {
        if (!(error instanceof NotYetVisible)) throw error;
      }
    },
  };
}

/** What the promise resolves with. @throws the reason of the signal, when that aborts before */
async function unlessAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason as Error);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Writes how far it is until the signal aborts. */
async function tell(
  { state, records }: Work,
  progress: { readonly done: number; readonly total: number },
  until: AbortSignal,
): Promise<void> {
  let reported = -1;
  for (;;) {
    await pause(tellEveryMs, until);
    if (until.aborted) return;
    try {
      if (progress.done + progress.total !== reported) await records.put({ ...state, ...progress });
      reported = progress.done + progress.total;
    } catch {
      // The side store is away for a moment. The end of the import is written again, or it is found interrupted.
    }
  }
}
