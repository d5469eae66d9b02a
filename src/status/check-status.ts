import { lateBackup, type BackupRecords } from '../backup/record.ts';
import type { Verification } from '../doctor/record.ts';

/** Of backups by `commonweal backup`. */
export interface BackupStatus {
  /** ISO 8601 UTC. When the newest was taken. Null: none was. */
  readonly newest_at: string | null;
  /** A daily one is expected, and there is none. */
  readonly late: boolean;
  /** When the newest of those was taken that BACKUP_AFTER has copied. Null: none was copied. */
  readonly copied_at: string | null;
  /** Since when BACKUP_AFTER fails, and how it ended. Null: it does not. */
  readonly copy_failure: { readonly since: string; readonly error: string } | null;
  /** The newest test of a backup. Null: there was none. */
  readonly drill: DrillStatus | null;
}

export interface DrillStatus {
  /** ISO 8601 UTC. When it ended, and when the backup was taken. */
  readonly at: string;
  readonly taken_at: string | null;
  readonly events: number | null;
  readonly seconds: number;
  readonly verified: boolean;
  /** Why it failed. Null: it did not. */
  readonly failure: string | null;
}

export function backupStatus(records: BackupRecords, now: Date): BackupStatus {
  const { backup, copies, drills } = records;
  const drill = drills?.newest;
  return {
    newest_at: backup?.at ?? null,
    late: lateBackup(backup, now) !== undefined,
    copied_at: copies?.at ?? null,
    copy_failure: copies?.failure ?? null,
    drill: drill
      ? {
          at: drill.at,
          taken_at: drill.taken_at ?? null,
          events: drill.events ?? null,
          seconds: drill.seconds,
          verified: drill.verified,
          failure: drill.failure?.sentence ?? null,
        }
      : null,
  };
}

/** Of a check that takes long. Null: it has not run yet. */
export interface RunStatus {
  /** ISO 8601 UTC. When it ended. */
  readonly newest_at: string | null;
  readonly problems: number | null;
  readonly events: number | null;
  readonly seconds: number | null;
}

export const runStatus = (verified: Verification | undefined): RunStatus =>
  verified?.problems === undefined
    ? { newest_at: null, problems: null, events: null, seconds: null }
    : {
        newest_at: verified.at,
        problems: verified.problems,
        events: verified.events ?? null,
        seconds: verified.seconds ?? null,
      };
