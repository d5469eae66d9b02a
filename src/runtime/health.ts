import { basename } from 'node:path';
import { counted } from '../ground/counted.ts';
import { backupRecord, lateBackup, type BackupRecord } from '../backup/record.ts';
import type { System } from '../container.ts';
import { examinations, problemsFound, type Examination } from '../doctor/record.ts';
import { whyNotWritable } from '../data-folder.ts';
import { nameOf, type AnyProjection } from '../projections/engine/define.ts';
import { failuresTable, type ProjectionFailure } from '../projections/engine/failures.ts';
import { unknownEvents, type UnknownEventType } from '../projections/engine/unknown-events.ts';
import { fanOutLag, parkedWork, type ParkedWork } from '../dispatch/backlog.ts';
import { pause } from '../ground/back-off.ts';
import { remedyOf } from '../stores/embedded-files.ts';
import { jobFailures, type JobFailure } from '../ground/job-failures.ts';
import { unsignedSeconds } from '../status/proof-log-status.ts';

/** A problem that affects the service. */
export interface HealthProblem {
  /** The same while the problem lasts. */
  readonly id: string;
  /** Public: contains no person, path or stream. */
  readonly sentence: string;
  /** Whether changes fail or are shown too late because of it. */
  readonly stopsChanges: boolean;
}

/** The problem of a read model that stands still because of a failure. */
export const failedReadModel = (name: string): string => `failed ${name}`;

/** How often health is checked, and how old a reported result may be. */
const everyMs = 5_000;
const freshMs = 1_000;
/** A read model that is behind and has not advanced for this long is stalled. */
const stillMs = 15_000;
/** An announced event that is not fanned out after this long waits for a dispatcher. One that works needs seconds. */
const fanOutLateS = 300;
/** An event is signed within a minute or so. One that waits for longer than this waits for a signer. */
const unsignedLateS = 3_600;
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
    'store' | 'documents' | 'side' | 'vault' | 'proofLog' | 'config' | 'damagedFiles'
  >;
  readonly projections: readonly AnyProjection[];
  /** Called once when a problem begins and once when it ends. */
  readonly say: (sentence: string) => void;
}

/** Checks the service by using what it depends on. */
export class Health {
  readonly #options: HealthOptions;
  readonly #said = new Map<string, string>();
  /** Since when a read model that is behind has not advanced. */
  readonly #still = new Map<string, { readonly checkpoint: bigint; readonly since: number }>();
  #ofReadModels: readonly HealthProblem[] = [];
  #files: { readonly at: number; readonly damaged: readonly string[] } | undefined;
  #looking: { readonly at: number; readonly problems: Promise<readonly HealthProblem[]> } | undefined;

  constructor(options: HealthOptions) {
    this.#options = options;
  }

  /** All current problems. */
  troubles(): Promise<readonly HealthProblem[]> {
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

  #tell(troubles: readonly HealthProblem[]): void {
    const now = new Map(troubles.map(({ id, sentence }) => [id, sentence]));
    for (const [id, sentence] of now) if (!this.#said.has(id)) this.#options.say(sentence);
    for (const [id, sentence] of this.#said) if (!now.has(id)) this.#options.say(`Over: ${sentence}`);
    this.#said.clear();
    for (const [id, sentence] of now) this.#said.set(id, sentence);
  }

  async #look(): Promise<readonly HealthProblem[]> {
    const { store, documents, side, vault, proofLog } = this.#options.system;
    const [head, progress, failures, unknown, failing, parked, lag, unsigned, backup, examination, opened] =
      await Promise.all([
        answered(() => store.head()),
        answered(() => documents.progress()),
        answered(() => side.table<ProjectionFailure>(failuresTable).list()),
        answered(() => unknownEvents(side)),
        answered(() => jobFailures(side)),
        answered(() => parkedWork({ store, documents })),
        answered(() => fanOutLag(store, new Date())),
        answered(() => unsignedSeconds(store, proofLog, new Date())),
        answered(() => backupRecord(side).newest()),
        answered(() => examinations(side).newest()),
        answered(async () => [await vault.get(noSecret)]),
      ]);
    const troubles = [...this.#ofDataFolder(), ...this.#ofFiles()];
    if (head === undefined) troubles.push(stops('log', 'The event store does not answer.'));
    if (progress === undefined)
      troubles.push(stops('read-models', 'The store of the read models does not answer, or cannot be read.'));
    if (failures === undefined || unknown === undefined)
      troubles.push(stops('side', 'The side store does not answer, or cannot be read.'));
    if (opened === undefined)
      troubles.push(
        stops('vault', 'The vault does not answer, or cannot be read: what is sealed cannot be opened.'),
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
      ...ofBackups(backup),
      ...ofDoctor(examination),
    ];
  }

  #ofDataFolder(): HealthProblem[] {
    const { eventStoreUrl, mongoUrl, dataDir } = this.#options.system.config;
    if (eventStoreUrl !== undefined && mongoUrl !== undefined) return [];
    const why = whyNotWritable(dataDir);
    if (why === undefined) return [];
    return [
      why === 'ENOSPC' || why === 'EDQUOT'
        ? stops('data-folder', 'There is no room left in the data folder: nothing can be changed.')
        : stops('data-folder', `The data folder cannot be written (${why}): nothing can be changed.`),
    ];
  }

  #ofFiles(): HealthProblem[] {
    const now = performance.now();
    if (!this.#files || now - this.#files.at > filesEveryMs)
      this.#files = { at: now, damaged: this.#options.system.damagedFiles().map((path) => basename(path)) };
    return this.#files.damaged.map((name) => ({
      id: `damaged ${name}`,
      sentence: `${name} is damaged. ${remedyOf(name)}`,
      stopsChanges: !notNeeded.includes(name),
    }));
  }

  #thoseFailed(failed: ReadonlyMap<string, ProjectionFailure>): HealthProblem[] {
    return this.#options.projections.map(nameOf).flatMap((name) => {
      const failure = failed.get(name);
      if (!failure) return [];
      const sentence = `The read model ${name} has stood still since ${failure.since}: ${whyFailed(failure)}`;
      return { id: failedReadModel(name), sentence, stopsChanges: this.#isAwaited(name) };
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
  ): HealthProblem[] {
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
    return [{ id: 'still', sentence, stopsChanges: still.some((name) => this.#isAwaited(name)) }];
  }
}

/** One problem per job, however many processes it fails in. */
function ofJobs(failing: readonly JobFailure[]): HealthProblem[] {
  return [...Map.groupBy(failing, ({ job }) => job)].map(([job, failures]) => {
    const since = failures.map((each) => each.since).reduce((oldest, at) => (at < oldest ? at : oldest));
    const sentence = `The background job ${job} has failed again and again since ${since}; \`status\` says why.`;
    return { id: `job ${job}`, sentence, stopsChanges: false };
  });
}

function ofWebhooks(parked: ParkedWork | undefined, lag: number | undefined): HealthProblem[] {
  const problems: HealthProblem[] = [];
  if (parked && parked.events + parked.deliveries > 0) {
    const sentence = `Webhooks are parked, because they failed again and again for reasons of our own (events: ${parked.events}, deliveries: ${parked.deliveries}); \`webhooks parked list\` says why.`;
    problems.push({ id: 'parked webhooks', sentence, stopsChanges: false });
  }
  if (lag !== undefined && lag > fanOutLateS) {
    const sentence = `Events have waited for more than ${counted(fanOutLateS / 60, 'minute')} for the scheduling of their webhooks. Is there a dispatcher, and does it work?`;
    problems.push({ id: 'fan-out late', sentence, stopsChanges: false });
  }
  return problems;
}

function ofProofLog(unsigned: number | undefined): HealthProblem[] {
  if (unsigned === undefined || unsigned <= unsignedLateS) return [];
  const sentence =
    'Events have waited for more than an hour for their place in the proof log. Is there a signer, and does it work? `status` says more.';
  return [{ id: 'proof log late', sentence, stopsChanges: false }];
}

function ofDoctor(examination: Examination | undefined): HealthProblem[] {
  const sentence = problemsFound(examination);
  return sentence === undefined ? [] : [{ id: 'doctor', sentence, stopsChanges: false }];
}

function ofBackups(record: BackupRecord | undefined): HealthProblem[] {
  const sentence = lateBackup(record, new Date());
  return sentence === undefined ? [] : [{ id: 'backup late', sentence, stopsChanges: false }];
}

const ofNewerRelease = ({ type, since }: UnknownEventType): HealthProblem => ({
  id: `unknown ${type}`,
  sentence: `The log has held events ${type} since ${since}, and this release does not know them: no read model here shows them. Start the release that wrote them.`,
  stopsChanges: false,
});

function whyFailed({ event, unknown }: ProjectionFailure): string {
  if (event === undefined) return '`status` says why.';
  return unknown
    ? `this release does not know the event ${event} as it was written. Start the release that wrote it.`
    : `it cannot take in an event ${event}; \`status\` says why.`;
}

const stops = (id: string, sentence: string): HealthProblem => ({ id, sentence, stopsChanges: true });

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
