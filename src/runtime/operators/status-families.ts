import { gauge, type Family, type Series } from '../../status/metric-families.ts';
import type { ProjectionStatus } from '../../status/projection-status.ts';
import type { Status } from '../../status/status.ts';

const prefixed = (name: string, help: string, series: readonly Series[]): Family =>
  gauge(`commonweal_${name}`, help, series);

const one = (name: string, help: string, value: number | null | undefined): Family =>
  prefixed(name, help, value === null || value === undefined ? [] : [{ labels: {}, value }]);

const secondsOf = (at: string | null | undefined): number | undefined =>
  at === null || at === undefined ? undefined : Date.parse(at) / 1_000;

/** The status as gauges. Their labels are names of ours: read models, files, jobs, releases. */
export function statusFamilies(status: Status): Family[] {
  const { projections, consumer_groups: groups, webhooks, log_size, storage, nodes, followed } = status;
  const byModel = (name: string, help: string, valueOf: (each: ProjectionStatus) => number): Family =>
    prefixed(
      name,
      help,
      projections.map((each) => ({ labels: { projection: each.model }, value: valueOf(each) })),
    );
  const byGroup = (name: string, help: string, valueOf: (each: (typeof groups)[number]) => number): Family =>
    prefixed(
      name,
      help,
      groups.map((each) => ({ labels: { group: each.name }, value: valueOf(each) })),
    );
  return [
    byModel(
      'projection_lag_events',
      'Events that a read model lacks, counted up to a bound.',
      (each) => each.lag,
    ),
    byModel(
      'projection_lag_seconds',
      'Age of the oldest event that a read model lacks.',
      (each) => each.lag_seconds,
    ),
    byModel('projection_failed', '1 while a read model cannot go on.', (each) => (each.failure ? 1 : 0)),
    prefixed(
      'projection_rebuild_progress',
      'The part of the log that a new generation has passed, from 0 to 1.',
      projections.flatMap(({ model, building }) =>
        building.slice(-1).map(({ progress }) => ({ labels: { projection: model }, value: progress })),
      ),
    ),
    byGroup('consumer_group_in_flight', 'Events that consumers work on.', (each) => each.in_flight),
    byGroup('consumer_group_parked', 'Events set aside for reasons of our own.', (each) => each.parked),
    byGroup(
      'consumer_group_lag_seconds',
      'Age of the oldest event that is not known to be handled; 10 to 20 s are usual.',
      (each) => each.reconciler?.lag.seconds ?? 0,
    ),
    byGroup(
      'consumer_group_repaired',
      'Events that the store had not handed over, found by the reconciler.',
      (each) => each.reconciler?.repaired ?? 0,
    ),
    one('webhook_deliveries_pending', 'Deliveries that are not settled, held ones too.', webhooks.pending),
    prefixed(
      'webhook_deliveries_due',
      'Deliveries that have been due for longer than so many seconds, held ones too.',
      Object.entries(webhooks.due).map(([longer_than, value]) => ({
        labels: { longer_than: longer_than === 'all' ? '0' : longer_than },
        value,
      })),
    ),
    one('webhook_deliveries_failed', 'Deliveries that were given up.', webhooks.failed),
    one(
      'webhook_deliveries_parked',
      'Deliveries set aside for reasons of our own.',
      webhooks.parked_deliveries,
    ),
    one('webhooks_paused', 'Webhooks that the service has paused, counted up to 1,000.', webhooks.paused),
    prefixed(
      'job_failing',
      '1 for a background job that has failed again and again.',
      [...new Set((status.failing_jobs ?? []).map(({ job }) => job))].map((job) => ({
        labels: { background_job: job },
        value: 1,
      })),
    ),
    one(
      'unknown_event_types',
      'Event types of a newer release in the log.',
      status.unknown_events?.length ?? 0,
    ),
    one('foreign_events', 'Events of others in the same store.', status.foreign_events?.count ?? 0),
    one('proof_log_entries', 'Entries of the newest checkpoint.', status.proof_log.entries),
    one(
      'proof_log_signed_timestamp_seconds',
      'When the newest checkpoint was signed.',
      status.proof_log.signed_at === null ? null : Date.parse(status.proof_log.signed_at) / 1_000,
    ),
    one(
      'proof_log_waiting_events',
      'Events that are in no checkpoint yet, counted up to a bound.',
      status.proof_log.waiting,
    ),
    one(
      'proof_log_waiting_seconds',
      'Age of the oldest event that is in no checkpoint yet.',
      status.proof_log.waiting_seconds,
    ),
    one('followed_directories', 'Directories of other installations that are read.', followed.following),
    prefixed(
      'followed_directories_paused',
      'Directories of other installations that are followed and paused, by why.',
      Object.entries(followed.paused).map(([reason, value]) => ({ labels: { reason }, value })),
    ),
    one(
      'followed_directories_answered_timestamp_seconds',
      'When the followed directory that has been silent longest answered last.',
      secondsOf(followed.oldest_answer_at),
    ),
    one(
      'backup_timestamp_seconds',
      'When the newest backup was taken by `commonweal backup`.',
      status.backup.newest_at === null ? null : Date.parse(status.backup.newest_at) / 1_000,
    ),
    one(
      'backup_copied_timestamp_seconds',
      'When the newest backup was taken that BACKUP_AFTER has copied.',
      secondsOf(status.backup.copied_at),
    ),
    one('backup_copy_failing', '1 while BACKUP_AFTER fails.', status.backup.copy_failure === null ? 0 : 1),
    one(
      'backup_drill_timestamp_seconds',
      'When the newest test of a backup ended.',
      secondsOf(status.backup.drill?.at),
    ),
    one(
      'backup_drill_failed',
      '1 when the newest test of a backup failed.',
      status.backup.drill && (status.backup.drill.failure === null ? 0 : 1),
    ),
    one('backup_drill_seconds', 'How long the newest test of a backup took.', status.backup.drill?.seconds),
    one(
      'verify_timestamp_seconds',
      'When the newest verification of the whole log ended.',
      secondsOf(status.verify.newest_at),
    ),
    one('verify_problems', 'Problems that the newest verification of the log found.', status.verify.problems),
    one('verify_seconds', 'How long the newest verification of the log took.', status.verify.seconds),
    one('backup_late', '1 when a daily backup is expected and there is none.', status.backup.late ? 1 : 0),
    one(
      'doctor_timestamp_seconds',
      'When the newest run of `commonweal doctor` ended.',
      status.doctor.newest_at === null ? null : Date.parse(status.doctor.newest_at) / 1_000,
    ),
    one(
      'doctor_problems',
      'Problems that the newest run of `commonweal doctor` found.',
      status.doctor.problems,
    ),
    prefixed(
      'problems',
      'Problems of the status and of the newest run of `commonweal doctor`, by weight.',
      Object.entries(status.problems_by_weight).map(([weight, value]) => ({ labels: { weight }, value })),
    ),
    prefixed(
      'nodes',
      'Processes that serve, by release.',
      [...Map.groupBy(nodes, ({ release }) => release)].map(([release, of]) => ({
        labels: { release },
        value: of.length,
      })),
    ),
    one('projector_nodes', 'Processes that may project.', nodes.filter(({ projects }) => projects).length),
    one('log_events', 'Events in the log, where the store counts them.', log_size.events),
    one('log_bytes', 'Size of the log.', log_size.bytes),
    prefixed(
      'file_bytes',
      'Size of a file in the data folder, with its write-ahead log.',
      (storage?.files ?? []).map(({ name, bytes }) => ({ labels: { file: name }, value: bytes })),
    ),
    one('disk_free_bytes', 'Free room on the disk of the data folder.', storage?.disk_free),
    one('disk_size_bytes', 'Size of the disk of the data folder.', storage?.disk_size),
  ];
}
