import { counted } from '../ground/counted.ts';
import type { JobFailure } from '../ground/job-failures.ts';
import { noDailyBackup, type BackupRecord, type BackupRecords } from '../backup/record.ts';
import { findingsOfBackups } from '../doctor/backups.ts';
import type { ParkedWork } from '../dispatch/backlog.ts';
import type { Weight } from '../doctor/catalogue.ts';
import { weightOf, type Finding } from '../doctor/finding.ts';
import { problemsFound, verifiedProblems, type Examination, type Verification } from '../doctor/record.ts';
import { scarceRoom, type Room } from '../doctor/room.ts';
import type { ProjectionFailure } from '../projections/engine/stalled-projections.ts';
import type { UnknownEventType } from '../projections/engine/unknown-events.ts';
import { pauseReasons } from '../events/directory/upkeep/following.ts';
import type { FollowedStatus } from './followed-status.ts';
import type { Lag } from './lag.ts';
import type { MailState } from './mail-state.ts';
import { shownBy } from './read-model-words.ts';

/**
 * Something that an operator should know while it lasts. Health, `status` and the page of operations say the same of it.
 * Its sentence is public: it contains no person, path or stream.
 */
export interface Problem extends Finding {
  /** The same while the problem lasts. */
  readonly id: string;
  /** Whether changes fail or are shown too late because of it. */
  readonly stopsChanges: boolean;
}

/** An announced event that is not fanned out after this long waits for a dispatcher. One that works needs seconds. */
const fanOutLateS = 300;
/** An event is signed within a minute or so. One that waits for longer than this waits for a signer. */
const unsignedLateS = 3_600;
/** A read model that is further behind does not keep up, or nobody works on it. */
const behindS = 60;
/** A mail server that asks to try again later usually takes the next mail. */
const refusingMs = 10 * 60_000;

const severe = { severity: 'problem', stopsChanges: false } as const;
const mild = { severity: 'warning', stopsChanges: false } as const;

/** The problem of a read model that stands still because of a failure. */
export const failedReadModel = (name: string): string => `failed ${name}`;

export const ofFailure = (name: string, failure: ProjectionFailure, stopsChanges: boolean): Problem => ({
  id: failedReadModel(name),
  check: 'read models',
  severity: 'problem',
  sentence: failure.rebuilding
    ? `The rebuild of the read model ${name} (${shownBy(name)}) has failed since ${failure.since}, and its current version stays in use: ${whyFailed(failure)}`
    : `The read model ${name} has stood still since ${failure.since}, so what it shows is old (${shownBy(name)}): ${whyFailed(failure)}`,
  stopsChanges: stopsChanges && !failure.rebuilding,
});

function whyFailed({ event, unknown }: ProjectionFailure): string {
  if (event === undefined) return '`status` says why.';
  return unknown
    ? `this release does not know the event ${event} as it was written. Start the release that wrote it.`
    : `it cannot take in an event ${event}; \`status\` says why.`;
}

export const ofNewerRelease = ({ type, since }: UnknownEventType): Problem => ({
  ...severe,
  id: `unknown ${type}`,
  check: 'newer release',
  sentence: `The log has held events ${type} since ${since}, and this release does not know them: no read model here shows them. Start the release that wrote them.`,
});

/** Read models that follow the log, have not failed, and are far behind. */
export function ofLateReadModels(lags: readonly (readonly [name: string, lag: Lag])[]): Problem[] {
  const late = lags.filter(([, { seconds }]) => seconds > behindS);
  if (late.length === 0) return [];
  const each = late.map(
    ([name, { seconds, events, isMinimum }]) =>
      `${shownBy(name)} (${counted(Math.round(seconds / 60), 'minute')}, ${counted(events, 'event')}${isMinimum ? ' or more' : ''})`,
  );
  const sentence = `What is shown is behind the log: ${each.join('; ')}. It catches up by itself while a projector runs. If the numbers grow, look at its log and its disk.`;
  return [{ ...mild, id: 'behind', check: 'read models', sentence }];
}

/** One problem per job, however many processes it fails in. */
export function ofJobs(failing: readonly JobFailure[]): Problem[] {
  return [...Map.groupBy(failing, ({ job }) => job)].map(([job, failures]) => {
    const since = failures.map((each) => each.since).reduce((oldest, at) => (at < oldest ? at : oldest));
    const sentence = `The background job ${job} has failed again and again since ${since}; \`status\` says why.`;
    return { ...severe, id: `job ${job}`, check: 'jobs', sentence };
  });
}

/** `waitedS`: for how long the oldest announced event has waited for its deliveries. */
export function ofWebhooks(parked: ParkedWork | undefined, waitedS: number | undefined): Problem[] {
  const problems: Problem[] = [];
  if (parked && parked.events + parked.deliveries > 0) {
    const sentence = `Webhooks are parked, because they failed again and again for reasons of our own (events: ${parked.events}, deliveries: ${parked.deliveries}); \`webhooks parked list\` says why.`;
    problems.push({ ...mild, id: 'parked webhooks', check: 'webhooks', sentence });
  }
  if (waitedS !== undefined && waitedS > fanOutLateS) {
    const sentence = `Events have waited for more than ${counted(fanOutLateS / 60, 'minute')} for the scheduling of their webhooks. Is there a dispatcher, and does it work?`;
    problems.push({ ...severe, id: 'fan-out late', check: 'fan-out', sentence });
  }
  return problems;
}

/** Webhooks that the service has paused. `atMost`: it was not counted further. */
export function ofPausedWebhooks(paused: number, atMost: number): Problem[] {
  if (paused === 0) return [];
  const many = counted(paused, 'webhook is', `${paused < atMost ? '' : 'or more '}webhooks are`);
  const sentence = `${many} paused, because the receiver did not respond. What happens meanwhile is held: ask their teams to repair the receivers, and to resume them.`;
  return [{ ...mild, id: 'paused webhooks', check: 'paused webhooks', sentence }];
}

/** Directories that teams follow and that are paused, by the service and not by their team. */
export function ofPausedFollowings({ paused }: Pick<FollowedStatus, 'paused'>): Problem[] {
  const byService = { ...paused, team: 0 };
  const many = Object.values(byService).reduce((sum, each) => sum + each, 0);
  if (many === 0) return [];
  const sentence = `${counted(many, 'directory that a team follows is', 'directories that teams follow are')} paused (${pausedReasons({ paused: byService })}). Their records stay as they were: the pages of followed directories tell the teams what was found, and what to do.`;
  return [{ ...mild, id: 'paused followings', check: 'followed directories', sentence }];
}

/** Why directories are paused: "rewritten 2, silent 1". Empty: none is. */
export const pausedReasons = ({ paused }: Pick<FollowedStatus, 'paused'>): string =>
  pauseReasons
    .filter((reason) => paused[reason] > 0)
    .map((reason) => `${reason} ${paused[reason]}`)
    .join(', ');

export function ofProofLog(unsignedS: number | undefined): Problem[] {
  if (unsignedS === undefined || unsignedS <= unsignedLateS) return [];
  const sentence =
    'Events have waited for more than an hour for their place in the proof log. Is there a signer, and does it work? `status` says more.';
  return [{ ...mild, id: 'proof log late', check: 'proof log', sentence }];
}

/** How many problems of each weight there are. */
export type ProblemsByWeight = Readonly<Record<'cannot_serve' | 'in_danger' | 'needs_attention', number>>;

/**
 * All that is found, once: what is looked at all the time, and what the newest run of the doctor and the newest verification
 * found besides. Their sentences that only count them are for those who do not see them.
 */
export function findingsOf(
  problems: readonly Problem[],
  examination: Pick<Examination, 'findings'> | undefined,
  verification?: Pick<Verification, 'findings'>,
): readonly Finding[] {
  const isNamed = ({ id }: Problem) =>
    (id === 'doctor' && examination?.findings !== undefined) ||
    (id === 'verify' && verification?.findings !== undefined);
  const byId = new Map(problems.map((each) => [each.id, each] as const));
  const all = [...(examination?.findings ?? []), ...(verification?.findings ?? [])];
  const found = [...new Map(all.map((each) => [each.sentence, each])).values()].filter(
    ({ id }) => id === undefined,
  );
  return [...[...byId.values()].filter((each) => !isNamed(each)), ...found];
}

/** Warnings are left out: what is risky is no alert. */
export function problemsByWeight(findings: readonly Finding[]): ProblemsByWeight {
  const of = (weight: Weight) =>
    findings.filter((each) => each.severity === 'problem' && weightOf(each) === weight).length;
  return {
    cannot_serve: of('cannot serve'),
    in_danger: of('in danger'),
    needs_attention: of('needs attention'),
  };
}

export function ofDoctor(examination: Examination | undefined): Problem[] {
  const sentence = problemsFound(examination);
  return sentence === undefined ? [] : [{ ...severe, id: 'doctor', check: 'doctor', sentence }];
}

/** What the newest verification of the log found: data is in danger, and people are served. */
export function ofVerification(verification: Verification | undefined): Problem[] {
  const sentence = verifiedProblems(verification);
  return sentence === undefined ? [] : [{ ...severe, id: 'verify', check: 'log', sentence }];
}

export const ofBackups = (records: BackupRecords | undefined, now: Date): Problem[] =>
  findingsOfBackups(records ?? {}, now, { reasons: false }).map((each) => ({ ...each, stopsChanges: false }));

/** Not for health, which is public: it is no news, and tells who has no copy. */
export function ofNoBackup(
  record: BackupRecord | undefined,
  backupDir: string | undefined,
  now: Date,
): Problem[] {
  const sentence = noDailyBackup(record, backupDir, now);
  return sentence === undefined ? [] : [{ ...mild, id: 'no backup', check: 'backup', sentence }];
}

export function ofRoom(room: Room | undefined): Problem[] {
  const sentence = room && scarceRoom('The disk of the data folder', room);
  return sentence === undefined ? [] : [{ ...severe, id: 'disk', check: 'disk', sentence }];
}

export function ofMails(mail: MailState | undefined, now: Date): Problem[] {
  if (!mail) return [];
  const { set_up, waiting, late, refused_since: since } = mail;
  const isRefused = since !== null && now.getTime() - Date.parse(since) > refusingMs;
  if (late === 0 && !(isRefused && waiting > 0)) return [];
  const waited = `${counted(late, 'email has', 'emails have')} waited for more than an hour`;
  const sentence = !set_up
    ? `${waited}, because no mail server is set up. Set SMTP_URL, or hand the links on from the outbox.`
    : `${isRefused ? `The mail server has taken no email since ${since}, and ${counted(waiting, 'waits', 'wait')}` : waited}. Check SMTP_URL and the mail server; they are sent as soon as it takes them.`;
  return [{ ...mild, id: 'mail', check: 'mail', sentence }];
}

/** The processes that serve. While none does, nothing is missing. */
export function ofNodes(
  nodes: readonly { readonly release: string; readonly projects: boolean }[],
): Problem[] {
  const releases = [...new Set(nodes.map(({ release }) => release))].sort();
  const problems: Problem[] = [];
  if (nodes.length > 0 && !nodes.some(({ projects }) => projects))
    problems.push({
      ...severe,
      id: 'no projector',
      check: 'no projector',
      sentence:
        'No server builds the read models, so changes are not shown. Start one with the role projector.',
    });
  if (releases.length > 1)
    problems.push({
      ...mild,
      id: 'releases',
      check: 'releases',
      sentence: `Servers of several releases run: ${releases.join(', ')}. Finish the update: start each with the newest.`,
    });
  return problems;
}
