import { basename } from 'node:path';
import { backupRecord } from '../backup/record.ts';
import type { System } from '../container.ts';
import { newestChecks } from '../doctor/record.ts';
import { whyNotWritable } from '../data-folder.ts';
import { nameOf, type AnyProjection } from '../projections/engine/read-model.ts';
import { failuresTable, type ProjectionFailure } from '../projections/engine/stalled-projections.ts';
import { unknownEvents } from '../projections/engine/unknown-events.ts';
import { fanOutLag, parkedWork } from '../dispatch/backlog.ts';
import { pause } from '../ground/back-off.ts';
import { remedyOf } from '../stores/embedded-files.ts';
import { jobFailures } from '../ground/job-failures.ts';
import { mailState } from '../status/mail-state.ts';
import {
  ofBackups,
  ofDoctor,
  ofFailure,
  ofJobs,
  ofMails,
  ofNewerRelease,
  ofProofLog,
  ofRoom,
  ofVerification,
  ofWebhooks,
  type Problem,
} from '../status/problems.ts';
import { unsignedSeconds } from '../status/proof-log-status.ts';
import { roomOf } from '../status/storage.ts';

/** How often health is checked, and how old a reported result may be. */
const everyMs = 5_000;
const freshMs = 1_000;
/** A read model that is behind and has not advanced for this long is stalled. */
const stillMs = 15_000;
/** A store that takes longer counts as down. */
const answerMs = 5_000;
/** A look at the files opens each of them: some milliseconds of this thread. */
const filesEveryMs = 5_000;
/** Without these, requests are answered and changes are recorded. */
const notNeeded: readonly string[] = ['log.db', 'consumers.db'];
/** A name that no secret has: asking for it reads the vault. */
const noSecret = 'readiness';

export interface HealthOptions {
  readonly system: Pick<
    System,
    'store' | 'documents' | 'side' | 'vault' | 'proofLog' | 'config' | 'damagedFiles' | 'movedFiles'
  >;
  readonly projections: readonly AnyProjection[];
  /** Called once when a problem begins and once when it ends. */
  readonly say: (sentence: string) => void;
}

/** Checks the service by using what it depends on. */
export class Health {
  readonly #options: HealthOptions;
  readonly #reported = new Map<string, string>();
  /** Since when a read model that is behind has not advanced. */
  readonly #still = new Map<string, { readonly checkpoint: bigint; readonly since: number }>();
  #ofReadModels: readonly Problem[] = [];
  #files: { readonly at: number; readonly problems: readonly Problem[] } | undefined;
  #looking: { readonly at: number; readonly problems: Promise<readonly Problem[]> } | undefined;
  /** What the newest look that has ended found: at most some seconds old while somebody watches. */
  newest: readonly Problem[] = [];

  constructor(options: HealthOptions) {
    this.#options = options;
  }

  /** All current problems. */
  troubles(): Promise<readonly Problem[]> {
    const now = performance.now();
    if (!this.#looking || now - this.#looking.at > freshMs) {
      this.#looking = { at: now, problems: this.#look() };
    }
    return this.#looking.problems;
  }

  /** Reports problems that begin and end, until the signal aborts. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#tell(await this.troubles());
      await pause(everyMs, signal);
    }
  }

  #tell(troubles: readonly Problem[]): void {
    const now = new Map(troubles.map(({ id, sentence }) => [id, sentence]));
    for (const [id, sentence] of now) if (!this.#reported.has(id)) this.#options.say(sentence);
    for (const [id, sentence] of this.#reported) if (!now.has(id)) this.#options.say(`Over: ${sentence}`);
    this.#reported.clear();
    for (const [id, sentence] of now) this.#reported.set(id, sentence);
  }

  async #look(): Promise<readonly Problem[]> {
    return (this.newest = await this.#found());
  }

  async #found(): Promise<readonly Problem[]> {
    const { store, documents, side, vault, proofLog, config } = this.#options.system;
    const now = new Date();
    const [head, progress, failures, unknown, failing, parked, lag, unsigned, backup, checks, mail, opened] =
      await Promise.all([
        answered(() => store.head()),
        answered(() => documents.progress()),
        answered(() => side.table<ProjectionFailure>(failuresTable).list()),
        answered(() => unknownEvents(side)),
        answered(() => jobFailures(side)),
        answered(() => parkedWork({ store, documents })),
        answered(() => fanOutLag(store, now)),
        answered(() => unsignedSeconds(store, proofLog, now)),
        answered(() => backupRecord(side).all()),
        answered(() => newestChecks(side)),
        answered(() => mailState({ side, config }, now)),
        answered(async () => [await vault.get(noSecret)]),
      ]);
    const troubles = [...(await this.#ofDataFolder()), ...this.#ofFiles()];
    if (head === undefined) troubles.push(stops('log', 'stores', 'The event store does not answer.'));
    if (progress === undefined)
      troubles.push(
        stops('read-models', 'stores', 'The store of the read models does not answer, or cannot be read.'),
      );
    if (failures === undefined || unknown === undefined)
      troubles.push(stops('side', 'stores', 'The side store does not answer, or cannot be read.'));
    if (opened === undefined)
      troubles.push(
        stops(
          'vault',
          'stores',
          'The vault does not answer, or cannot be read: what is sealed cannot be opened.',
        ),
      );
    // When the read models cannot be checked, the last known problems stay.
    if (head !== undefined && progress !== undefined && failures !== undefined && unknown !== undefined) {
      const failed = new Map(failures.map(({ id, value }) => [id, value]));
      const at = new Map([...progress].map(([name, { checkpoint }]) => [name, checkpoint]));
      this.#ofReadModels = [
        ...this.#thoseFailed(failed),
        ...this.#thoseStill(head, at, failed),
        ...unknown.map(ofNewerRelease),
      ];
    }
    return [
      ...troubles,
      ...this.#ofReadModels,
      ...ofJobs(failing ?? []),
      ...ofWebhooks(parked, lag),
      ...ofProofLog(unsigned),
      ...ofBackups(backup, now),
      ...ofMails(mail, now),
      ...ofDoctor(checks?.examined),
      ...ofVerification(checks?.verified),
    ];
  }

  async #ofDataFolder(): Promise<Problem[]> {
    const { eventStoreUrl, mongoUrl, dataDir } = this.#options.system.config;
    if (eventStoreUrl !== undefined && mongoUrl !== undefined) return [];
    const why = whyNotWritable(dataDir);
    if (why === undefined) return ofRoom(await answered(() => roomOf(dataDir)));
    return [
      why === 'ENOSPC' || why === 'EDQUOT'
        ? stops('data-folder', 'disk', 'There is no room left in the data folder: nothing can be changed.')
        : stops(
            'data-folder',
            'files',
            `The data folder cannot be written (${why}): nothing can be changed.`,
          ),
    ];
  }

  #ofFiles(): readonly Problem[] {
    const now = performance.now();
    if (!this.#files || now - this.#files.at > filesEveryMs)
      this.#files = { at: now, problems: this.#lookAtFiles() };
    return this.#files.problems;
  }

  #lookAtFiles(): Problem[] {
    const { system } = this.#options;
    const of = (path: string) => ({
      check: 'files',
      severity: 'problem' as const,
      stopsChanges: !notNeeded.includes(basename(path)),
    });
    return [
      ...system.damagedFiles().map((path) => ({
        ...of(path),
        id: `damaged ${basename(path)}`,
        sentence: `${basename(path)} is damaged. ${remedyOf(basename(path))}`,
      })),
      ...system.movedFiles().map((path) => ({
        ...of(path),
        id: `moved ${basename(path)}`,
        sentence: `${basename(path)} was moved, removed or replaced while the service runs, which goes on with the file that it opened: what is written now is not in the folder. Put that file back with its -wal and -shm; if it is gone, stop the service and restore a backup.`,
      })),
    ];
  }

  #thoseFailed(failed: ReadonlyMap<string, ProjectionFailure>): Problem[] {
    return this.#options.projections.map(nameOf).flatMap((name) => {
      const failure = failed.get(name);
      if (!failure) return [];
      return ofFailure(name, failure, this.#isAwaited(name));
    });
  }

  /** Whether commands wait for a read model. They fail while it is stalled. */
  #isAwaited(name: string): boolean {
    return this.#options.projections.some((each) => nameOf(each) === name && each.awaited !== false);
  }

  /** Stalled without a failure: the holder of the lease hangs, or no projector runs. */
  #thoseStill(
    head: bigint,
    at: ReadonlyMap<string, bigint>,
    failed: ReadonlyMap<string, ProjectionFailure>,
  ): Problem[] {
    const now = performance.now();
    const still = this.#options.projections.map(nameOf).filter((name) => {
      const checkpoint = at.get(name) ?? -1n;
      const before = this.#still.get(name);
      if (checkpoint >= head || failed.has(name)) this.#still.delete(name);
      else if (before?.checkpoint !== checkpoint) this.#still.set(name, { checkpoint, since: now });
      else return now - before.since >= stillMs;
      return false;
    });
    if (still.length === 0) return [];
    const sentence = `Read models stand still, though there is something new for them: ${still.join(', ')}. Is there a projector, and does it answer?`;
    return [
      {
        ...{ id: 'still', check: 'read models', severity: 'problem', sentence },
        stopsChanges: still.some((name) => this.#isAwaited(name)),
      },
    ];
  }
}

const stops = (id: string, check: string, sentence: string): Problem => ({
  ...{ id, check, sentence },
  severity: 'problem',
  stopsChanges: true,
});

/** The answer of a store. Undefined when it fails or is too slow. */
async function answered<Result>(ask: () => Promise<Result>): Promise<Result | undefined> {
  const early = new AbortController();
  try {
    return await Promise.race([ask(), pause(answerMs, early.signal)]);
  } catch {
    // The caller reports it.
    return undefined;
  } finally {
    early.abort();
  }
}
