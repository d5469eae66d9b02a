import { backupRecord } from '../backup/record.ts';
import { placesOf, type Config } from '../config.ts';
import type { System } from '../container.ts';
import type { Finding } from '../doctor/finding.ts';
import { newestChecks } from '../doctor/record.ts';
import { backupStatus, runStatus, type BackupStatus, type RunStatus } from './check-status.ts';
import {
  backlogOf,
  countedUpTo,
  dueCountedUpTo,
  pausedByService,
  pausedCountedUpTo,
  type Backlog,
} from '../dispatch/backlog.ts';
import { announcedTypes } from '../dispatch/payload-of-event.ts';
import { fanOutGroup } from '../dispatch/fan-out.ts';
import { projections } from '../projections/all.ts';
import { nameOf } from '../projections/engine/read-model.ts';
import { foreignEvents, type ForeignEvents } from '../projections/engine/foreign-events.ts';
import { unknownEvents, type UnknownEventType } from '../projections/engine/unknown-events.ts';
import type { Position } from '../stores/event-store/port.ts';
import { jobFailures, type JobFailure } from '../ground/job-failures.ts';
import { release } from '../release.ts';
import { requestStatus, type RequestStatus } from './answered-requests.ts';
import { followedStatus, type FollowedStatus } from './followed-status.ts';
import { lagsOf, readAtMost, type Lag } from './lag.ts';
import { mailState, type MailState } from './mail-state.ts';
import {
  findingsOf,
  ofBackups,
  ofDoctor,
  ofFailure,
  ofJobs,
  ofLateReadModels,
  ofMails,
  ofNewerRelease,
  ofNoBackup,
  ofNodes,
  ofPausedFollowings,
  ofPausedWebhooks,
  ofProofLog,
  ofRoom,
  ofVerification,
  ofWebhooks,
  problemsByWeight,
  type Problem,
  type ProblemsByWeight,
} from './problems.ts';
import { projectionStatuses, followersOf, type ProjectionStatus } from './projection-status.ts';
import { proofLogStatus, signedFollower, type ProofLogStatus } from './proof-log-status.ts';
import { storageOf, type Storage } from './storage.ts';

/** Rises when a field is removed or changes its meaning. New fields do not raise it. */
export const statusFormat = 1;

/** The state of an installation, as every process sees it. Names no person and holds no secret. */
export interface Status {
  readonly format: typeof statusFormat;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly release: string;
  readonly data_dir: string;
  readonly log: string;
  readonly read_models: string;
  /** Null: no node has told how it answered. */
  readonly requests: RequestStatus | null;
  readonly mail: MailState;
  /** What an operator should know and do, the worst first. */
  readonly problems: readonly Problem[];
  /** Of these and of what the newest run of the doctor found besides. */
  readonly problems_by_weight: ProblemsByWeight;
  /** The newest position of the log. */
  readonly head: string;
  readonly log_size: LogSize;
  readonly projections: readonly ProjectionStatus[];
  readonly consumer_groups: readonly ConsumerGroupStatus[];
  readonly webhooks: WebhookStatus;
  readonly proof_log: ProofLogStatus;
  readonly followed: FollowedStatus;
  readonly backup: BackupStatus;
  /** The newest run of `commonweal doctor`, by the daily job or by hand. Null: there was none yet. */
  readonly doctor: Pick<RunStatus, 'newest_at' | 'problems'>;
  /** The same of `commonweal verify`. */
  readonly verify: RunStatus;
  readonly nodes: readonly { readonly release: string; readonly projects: boolean }[];
  readonly failing_jobs?: readonly JobFailure[];
  readonly foreign_events?: ForeignEvents;
  readonly unknown_events?: readonly UnknownEventType[];
  /** Null with both servers: nothing is stored in the data folder. */
  readonly storage: Storage | null;
}

interface LogSize {
  /** Null where the store does not count them. */
  readonly events: number | null;
  readonly bytes: number | null;
}

interface ConsumerGroupStatus {
  readonly name: string;
  readonly in_flight: number;
  readonly parked: number;
  /** Null before its first checkpoint. */
  readonly reconciler: ReconcilerStatus | null;
}

/** How far it is certain that every event was handled. */
interface ReconcilerStatus {
  readonly checkpoint: string;
  readonly lag: { readonly events: number; readonly is_minimum: boolean; readonly seconds: number };
  readonly repaired: number;
  readonly repaired_at: string | null;
}

interface WebhookStatus {
  readonly pending: number;
  readonly oldest_due_at: string | null;
  /** Due deliveries by how long they have been due. */
  readonly due: Backlog['due'];
  readonly failed: number;
  /** Webhooks that the service has paused. */
  readonly paused: number;
  readonly parked: number;
  readonly parked_events: number;
  readonly parked_deliveries: number;
  readonly reconciler: ReconcilerStatus | null;
}

type StatusSystem = Pick<System, 'config' | 'store' | 'proofLog' | 'documents' | 'side' | 'nodes'>;

/** How far is counted. */
export interface StatusBounds {
  /** Events after each checkpoint. */
  readonly lag: number;
  /** Deliveries that wait or have failed. What was set aside is few. */
  readonly deliveries: number;
  /** Deliveries that are due, of which the times are read. 0: none is told. */
  readonly due: number;
}

const wholeBounds: StatusBounds = { lag: readAtMost, deliveries: countedUpTo, due: dueCountedUpTo };

/**
 * Gathers the status. Its cost does not grow with the log: counts end at a bound, and say so.
 * @throws StoreError when a store does not answer
 */
export async function gatherStatus(
  system: StatusSystem,
  now = new Date(),
  bounds = wholeBounds,
): Promise<Status> {
  const { config, store, documents, side } = system;
  const head = await store.head();
  const [followers, signed, places] = await Promise.all([
    followersOf(documents, projections),
    signedFollower(system.proofLog),
    store.groupPlaces(fanOutGroup),
  ]);
  const reconciled = places.find(({ filter }) => filter !== undefined);
  const fanOut = reconciled && {
    name: fanOutGroup,
    after: reconciled.checkpoint,
    types: new Set<string>(announcedTypes),
  };
  const all = [...followers, signed.follower, ...(fanOut ? [fanOut] : [])];
  const lags = await lagsOf(store, all, head, now, bounds.lag);
  signed.found(lags);
  const [
    projected,
    backlog,
    paused,
    inFlight,
    backup,
    { examined, verified },
    jobs,
    foreign,
    unknown,
    nodes,
    mail,
    followed,
    storage,
  ] = await Promise.all([
    projectionStatuses({ store, documents, side }, projections, { head, lags }),
    backlogOf({ store, documents }, now, bounds),
    pausedByService({ documents }),
    store.inFlight(fanOutGroup),
    backupRecord(side).all(),
    newestChecks(side),
    jobFailures(side),
    foreignEvents(side),
    unknownEvents(side),
    system.nodes.present(),
    mailState(system, now),
    followedStatus({ documents, side }),
    usesDataFolder(config) ? storageOf(config.dataDir) : null,
  ]);
  const reconciler = reconciled
    ? {
        checkpoint: reconciled.checkpoint.toString(),
        lag: lagFields(lags.get(fanOutGroup)),
        repaired: reconciled.repaired ?? 0,
        repaired_at: reconciled.repairedAt ?? null,
      }
    : null;
  const { log, readModels } = placesOf(config);
  const proofLog = proofLogStatus(signed.newest, lags);
  const awaited = new Set(projections.filter((each) => each.awaited !== false).map(nameOf));
  const problems = [
    ...projected.flatMap(({ name, failure }) =>
      failure ? [ofFailure(name, failure, awaited.has(name))] : [],
    ),
    ...unknown.map(ofNewerRelease),
    ...ofNodes(nodes),
    ...ofRoom(storage ? { free: storage.disk_free, size: storage.disk_size } : undefined),
    ...ofBackups(backup, now),
    ...ofJobs(jobs),
    ...ofDoctor(examined),
    ...ofVerification(verified),
    ...ofWebhooks(
      { events: backlog.parked_events, deliveries: backlog.parked_deliveries },
      reconciler?.lag.seconds,
    ),
    ...ofMails(mail, now),
    ...ofLateReadModels(lateOf(projected)),
    ...ofProofLog(proofLog.waiting_seconds),
    ...ofPausedWebhooks(paused, pausedCountedUpTo),
    ...ofPausedFollowings(followed),
    ...ofNoBackup(backup.backup, config.backupDir, now),
  ];
  return {
    format: statusFormat,
    at: now.toISOString(),
    release,
    data_dir: config.dataDir,
    log,
    read_models: readModels,
    requests: requestStatus(nodes),
    mail,
    problems: worstFirst(problems),
    problems_by_weight: problemsByWeight(findingsOf(problems, examined, verified)),
    head: head.toString(),
    log_size: logSizeOf(config, head, storage),
    projections: projected,
    consumer_groups: [{ name: fanOutGroup, in_flight: inFlight, parked: backlog.parked_events, reconciler }],
    webhooks: { ...backlog, paused, reconciler },
    proof_log: proofLog,
    followed,
    backup: backupStatus(backup, now),
    doctor:
      examined?.problems === undefined
        ? { newest_at: null, problems: null }
        : { newest_at: examined.at, problems: examined.problems },
    verify: runStatus(verified),
    nodes: nodes.map(({ release: of, projects }) => ({ release: of, projects })),
    ...(jobs.length > 0 ? { failing_jobs: jobs } : {}),
    ...(foreign ? { foreign_events: foreign } : {}),
    ...(unknown.length > 0 ? { unknown_events: unknown } : {}),
    storage,
  };
}

/** Whether something needs an operator: the exit code of `status`. */
export const isFailing = ({ problems }: { readonly problems: readonly Finding[] }): boolean =>
  problems.some(({ severity }) => severity === 'problem');

/** What is wrong now before what is risky. */
export const worstFirst = <Each extends Finding>(all: readonly Each[]): readonly Each[] => [
  ...all.filter(({ severity }) => severity === 'problem'),
  ...all.filter(({ severity }) => severity !== 'problem'),
];

/** What is being built for the first time, or has failed, is behind for a reason that is said elsewhere. */
const lateOf = (all: readonly ProjectionStatus[]): Parameters<typeof ofLateReadModels>[0] =>
  all
    .filter(({ generation, failure }) => generation !== null && (!failure || failure.rebuilding))
    .map(({ name, lag: events, lag_is_minimum: isMinimum, lag_seconds: seconds }) => [
      name,
      { events, isMinimum, seconds },
    ]);

const usesDataFolder = ({ eventStoreUrl, mongoUrl }: Config): boolean =>
  eventStoreUrl === undefined || mongoUrl === undefined;

/**
 * Positions of the embedded log are consecutive, so its newest one counts the events. EventStoreDB's are byte offsets
 * in its files, which hold more than our events.
 */
function logSizeOf({ eventStoreUrl }: Config, head: Position, storage: Storage | null): LogSize {
  const before = head < 0n ? 0 : Number(head);
  if (eventStoreUrl !== undefined) return { events: null, bytes: before };
  return { events: before, bytes: storage?.files.find(({ name }) => name === 'events.db')?.bytes ?? null };
}

const lagFields = (lag: Lag | undefined): ReconcilerStatus['lag'] => ({
  events: lag?.events ?? 0,
  is_minimum: lag?.isMinimum ?? false,
  seconds: lag?.seconds ?? 0,
});
