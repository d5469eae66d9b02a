import { counted } from '../ground/counted.ts';
import { countedUpTo } from '../dispatch/backlog.ts';
import { figuresOf } from './figures.ts';
import type { ProjectionStatus } from './projection-status.ts';
import type { Status } from './status.ts';
import { pausedReasons } from './problems.ts';
import { table } from '../ground/print.ts';

/** The status for a person, in lines of at most 80 characters where no name or error is longer. */
export function statusText(status: Status): string[] {
  const { log, read_models: readModels, head, projections } = status;
  return [
    ...figuresOf(status).map(
      ({ name, value, detail }) => `${name}: ${value}${detail === '' ? '' : ` (${detail})`}`,
    ),
    ...status.problems.map(
      ({ check, severity, sentence }) => `${severity.toUpperCase()} ${check}: ${sentence}`,
    ),
    '',
    log === readModels ? `Log and read models: ${log}` : `Log: ${log}; read models: ${readModels}`,
    `Newest position ${head}${sizeOf(status)}`,
    ...storageLines(status),
    '',
    table(
      ['READ MODEL', 'GENERATION', 'CHECKPOINT', 'LAG', 'STATE'],
      projections.map((each) => [
        each.name,
        each.generation ?? '-',
        each.checkpoint ?? '-',
        lagText(each),
        stateOf(each),
      ]),
    ),
    ...projections.flatMap(failureLines),
    '',
    ...webhookLines(status),
    reconcilerLine(status),
    proofLogLine(status),
    ...followedLines(status),
    backupLine(status),
    ...copyLines(status),
    ...drillLines(status),
    doctorLine(status),
    verifyLine(status),
    ...(status.failing_jobs ?? []).map(
      ({ job, since, error }) => `Background job ${job}: FAILED since ${since}: ${error}`,
    ),
    ...foreignLines(status),
    ...(status.unknown_events ?? []).map(
      ({ type, since }) =>
        `UNKNOWN since ${since}: events ${type}, which a newer release wrote and no read model here shows`,
    ),
  ];
}

const thousands = (count: number): string => count.toLocaleString('en-US');
const orMore = (count: number, isMinimum: boolean): string =>
  `${thousands(count)}${isMinimum ? ' or more' : ''}`;

/** In the largest unit in which it has at least one digit before the point. */
export function bytesText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let index = 0;
  let value = bytes;
  for (; value >= 1_000 && index < units.length - 1; index += 1) value /= 1_000;
  return `${value >= 10 || index === 0 ? Math.round(value) : value.toFixed(1)} ${units[index] ?? 'B'}`;
}

function sizeOf({ log_size: { events, bytes } }: Status): string {
  const parts = [
    ...(events === null ? [] : [`${thousands(events)} ${events === 1 ? 'event' : 'events'}`]),
    ...(bytes === null ? [] : [bytesText(bytes)]),
  ];
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`;
}

function storageLines({ storage }: Status): string[] {
  if (!storage) return [];
  const files = storage.files.map(({ name, bytes }) => `${name} ${bytesText(bytes)}`).join(', ');
  return [`Files: ${files}`, `Disk: ${bytesText(storage.disk_free)} of ${bytesText(storage.disk_size)} free`];
}

function lagText({ lag, lag_is_minimum, lag_seconds }: ProjectionStatus): string {
  return lag === 0 ? '0' : `${orMore(lag, lag_is_minimum)}, ${Math.round(lag_seconds)} s`;
}

function stateOf({ failure, building, events_per_second: rate }: ProjectionStatus): string {
  const built = building.at(-1);
  const states = [
    ...(failure ? ['FAILED'] : []),
    ...(built ? [`rebuilding ${Math.floor(built.progress * 100)} %`] : []),
    ...(rate > 0 ? [`${thousands(Math.round(rate))}/s`] : []),
  ];
  return states.join(', ') || 'well';
}

function failureLines({ name, model, failure }: ProjectionStatus): string[] {
  if (!failure) return [];
  const { at, error, since } = failure;
  return [
    `${name}: FAILED since ${since}: ${error}`,
    ...(at ? [`  at ${at.type} ${at.id}, ${at.stream}@${at.revision}`] : []),
    `  After a repair: commonweal projections retry ${model}`,
  ];
}

function webhookLines({ webhooks, consumer_groups: groups }: Status): string[] {
  const { pending, oldest_due_at, failed, parked, due } = webhooks;
  const many = (count: number) => orMore(count, count >= countedUpTo);
  const since = oldest_due_at === null ? '' : ` (the oldest due since ${oldest_due_at})`;
  const why = parked === 0 ? '' : '; see "commonweal webhooks parked list"';
  const inFlight = groups.reduce((sum, group) => sum + group.in_flight, 0);
  return [
    `Webhooks: ${many(pending)} pending${since}, ${many(failed)} failed, ${parked} parked${why}`,
    ...(due.all > 0 ? [`Due: ${due.all}; for over a minute ${due['60']}, over an hour ${due['3600']}`] : []),
    ...(inFlight > 0 ? [`Events that the fan-out works on: ${inFlight}`] : []),
  ];
}

function reconcilerLine({ webhooks: { reconciler } }: Status): string {
  if (!reconciler) return 'Fan-out reconciler: has not run yet';
  const { checkpoint, lag, repaired, repaired_at } = reconciler;
  const events = (count: number) => counted(count, 'event');
  const behind = `${events(lag.events)}${lag.is_minimum ? ' or more' : ''}, ${Math.round(lag.seconds)} s behind`;
  const last = repaired_at === null ? '' : `, last at ${repaired_at}`;
  return `Fan-out reconciler: checkpoint ${checkpoint}, ${behind}; ${events(repaired)} repaired${last}`;
}

function proofLogLine({ proof_log: { entries, signed_at, waiting, waiting_is_minimum } }: Status): string {
  if (signed_at === null) return 'Proof log: nothing is signed yet';
  return `Proof log: ${thousands(entries)} ${entries === 1 ? 'entry' : 'entries'}, signed ${signed_at}; ${orMore(waiting, waiting_is_minimum)} not in it yet`;
}

/** The directories that teams follow, where there are any. */
function followedLines({ followed }: Status): string[] {
  const { following, oldest_answer_at: oldest } = followed;
  const paused = pausedReasons(followed);
  if (following === 0 && paused === '') return [];
  const answered = oldest === null ? '' : `, the longest silent one answered ${oldest}`;
  return [`Followed directories: ${following} read${answered}; paused: ${paused === '' ? 'none' : paused}`];
}

/** What BACKUP_AFTER has copied, where it is or was set. */
function copyLines({ backup: { copied_at: at, copy_failure: failure } }: Status): string[] {
  if (failure) return [`Backups are NOT COPIED since ${failure.since}: ${failure.error}`];
  return at === null ? [] : [`Newest copied backup: ${at}`];
}

function drillLines({ backup: { drill } }: Status): string[] {
  if (!drill) return [];
  const of = drill.taken_at === null ? '' : ` of the backup of ${drill.taken_at}`;
  const what =
    drill.failure === null
      ? `restored ${counted(drill.events ?? 0, 'event')} in ${Math.ceil(drill.seconds)} s, ${drill.verified ? 'verified' : 'nothing signed yet'}`
      : `FAILED: ${drill.failure}`;
  return [`Last drill: ${drill.at}${of}: ${what}`];
}

const verifyLine = ({ verify: { newest_at: at, problems, events, seconds } }: Status): string => {
  if (at === null || problems === null) return 'Verification of the log: has not run yet';
  if (problems > 0)
    return `Verification of the log: ${counted(problems, 'PROBLEM')} found at ${at}; "commonweal verify" names them`;
  return `Verification of the log: ${counted(events ?? 0, 'event')} in ${Math.ceil(seconds ?? 0)} s, no problem found at ${at}`;
};

const backupLine = ({ backup: { newest_at: newest, late } }: Status): string =>
  `Newest backup: ${newest ?? 'none by `commonweal backup`'}${late ? ': LATE, a daily one is expected' : ''}`;

function doctorLine({ doctor: { newest_at: newest, problems } }: Status): string {
  if (newest === null || problems === null) return 'Doctor: has not run yet';
  return problems === 0
    ? `Doctor: no problem found at ${newest}`
    : `Doctor: ${counted(problems, 'PROBLEM')} found at ${newest}; "commonweal doctor" names them`;
}

const foreignLines = ({ foreign_events: foreign }: Status): string[] =>
  foreign
    ? [
        `${counted(foreign.count, 'event')} of other products or installations in the same store, passed over; newest ${foreign.newest.type} in ${foreign.newest.stream}`,
      ]
    : [];
