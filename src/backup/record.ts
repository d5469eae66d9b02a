import { defined } from '../ground/defined.ts';
import type { SideStore } from '../stores/side/port.ts';

/** What is known of the newest backup. It survives a restart and is the same on every node. */
export interface BackupRecord {
  /** ISO 8601 UTC. Undefined: none was taken yet. */
  readonly at?: string;
  readonly folder?: string;
  /** ISO 8601 UTC. Since when a daily backup is expected. Undefined: none is. */
  readonly expectedSince?: string;
}

/** What BACKUP_AFTER has done. */
export interface CopyRecord {
  /** ISO 8601 UTC. When the newest backup that was copied was taken. Undefined: none was copied yet. */
  readonly at?: string;
  /** ISO 8601 UTC. Since when backups are to be copied. Undefined: they are not. */
  readonly expectedSince?: string;
  /** Since the newest success. */
  readonly failure?: CopyFailure;
}

export interface CopyFailure {
  /** ISO 8601 UTC. */
  readonly since: string;
  /** How it ended, without what it printed. */
  readonly error: string;
}

/** A test of a backup: it was restored into a temporary folder, and looked at there. */
export interface Drill {
  /** ISO 8601 UTC. When it ended. */
  readonly at: string;
  /** ISO 8601 UTC. When the backup was taken. Undefined: its manifest cannot be read. */
  readonly taken_at?: string | undefined;
  readonly events?: number | undefined;
  readonly seconds: number;
  /** Whether the log is as its proof log signed it. False when nothing was signed yet, too. */
  readonly verified: boolean;
  readonly failure?: DrillFailure | undefined;
}

export interface DrillFailure {
  /** `failed`: the backup is of no use. */
  readonly kind: 'failed' | 'no-room';
  /** For operators: it names paths. */
  readonly sentence: string;
}

export interface DrillRecord {
  readonly newest?: Drill;
  /** ISO 8601 UTC. Since when there is a drill every week. Undefined: there is none. */
  readonly expectedSince?: string;
}

/** All that is known of backups. */
export interface BackupRecords {
  readonly backup?: BackupRecord | undefined;
  readonly copies?: CopyRecord | undefined;
  readonly drills?: DrillRecord | undefined;
}

const ids = { backup: 'newest', copies: 'copied', drills: 'drilled' } as const;

export function backupRecord(side: SideStore) {
  const table = side.table<BackupRecord>('backups');
  const copies = side.table<CopyRecord>('backups');
  const drills = side.table<DrillRecord>('backups');
  const copied = async () => (await copies.get(ids.copies)) ?? {};
  const drilled = async () => (await drills.get(ids.drills)) ?? {};
  return {
    newest: () => table.get(ids.backup),
    copied,
    drilled,
    /** In one read. */
    async all(): Promise<BackupRecords> {
      const found = new Map((await table.list()).map(({ id, value }) => [id, value]));
      return {
        backup: found.get(ids.backup),
        copies: found.get(ids.copies) as CopyRecord | undefined,
        drills: found.get(ids.drills) as DrillRecord | undefined,
      };
    },
    async taken({ at, folder }: { readonly at: string; readonly folder: string }): Promise<void> {
      await table.put(ids.backup, { ...(await table.get(ids.backup)), at, folder });
    },
    /** A daily backup is expected from now on, unless it was already. */
    async expected(since: Date): Promise<void> {
      const existing = await table.get(ids.backup);
      if (existing?.expectedSince === undefined)
        await table.put(ids.backup, { ...existing, expectedSince: since.toISOString() });
    },
    /** From now on backups are to be copied, unless they were already. */
    async copyExpected(since: Date): Promise<void> {
      const existing = await copied();
      if (existing.expectedSince === undefined)
        await copies.put(ids.copies, { ...existing, expectedSince: since.toISOString() });
    },
    /** The backup that was taken at that time is copied. */
    async copySucceeded(at: string): Promise<void> {
      const { expectedSince } = await copied();
      await copies.put(ids.copies, defined({ at, expectedSince }));
    },
    async copyFailed(error: string, now: Date): Promise<void> {
      const existing = await copied();
      const since = existing.failure?.since ?? now.toISOString();
      await copies.put(ids.copies, { ...existing, failure: { since, error } });
    },
    /** BACKUP_AFTER is not set any more. */
    async copyEnded(): Promise<void> {
      const { at } = await copied();
      await copies.put(ids.copies, at === undefined ? {} : { at });
    },
    /** From now on there is a drill every week, unless there was already. */
    async drillExpected(since: Date): Promise<void> {
      const existing = await drilled();
      if (existing.expectedSince === undefined)
        await drills.put(ids.drills, { ...existing, expectedSince: since.toISOString() });
    },
    async drillDone(newest: Drill): Promise<void> {
      await drills.put(ids.drills, { ...(await drilled()), newest });
    },
    /** BACKUP_DRILL is `never` now. */
    async drillEnded(): Promise<void> {
      const { newest } = await drilled();
      await drills.put(ids.drills, newest === undefined ? {} : { newest });
    },
  };
}

/** Over a day, so that a daily backup that takes long is not late, in milliseconds. */
const lateAfterMs = 30 * 60 * 60_000;

/** A sentence when no node takes backups by itself, and nobody has taken one lately. `backupDir`: of this process. */
export function noDailyBackup(
  record: BackupRecord | undefined,
  backupDir: string | undefined,
  now: Date,
): string | undefined {
  if (backupDir !== undefined || record?.expectedSince !== undefined) return undefined;
  if (record?.at !== undefined && now.getTime() - Date.parse(record.at) <= lateAfterMs) return undefined;
  return 'BACKUP_DIR is unset, so no backup is taken by itself. Set it on one node to a folder on another device, or run `commonweal backup` every day.';
}

/** A sentence when a daily backup is expected and the newest one is too old. */
export function lateBackup(record: BackupRecord | undefined, now: Date): string | undefined {
  if (record?.expectedSince === undefined) return undefined;
  const since = record.at ?? record.expectedSince;
  if (now.getTime() - Date.parse(since) <= lateAfterMs) return undefined;
  return record.at === undefined
    ? `No backup has been taken, though a daily one is expected since ${since}; \`status\` says why.`
    : `The newest backup is of ${since}, and a daily one is expected; \`status\` says why there is none.`;
}

/** Over a day and the hours that a copy may take, in milliseconds. */
const copyLateAfterMs = 36 * 60 * 60_000;

/** A sentence when the newest backup is not where BACKUP_AFTER copies it. It names no path. */
export function missingCopy({ backup, copies }: BackupRecords, now: Date): string | undefined {
  if (copies?.expectedSince === undefined) return undefined;
  const { at, expectedSince, failure } = copies;
  if (failure !== undefined)
    return `Backups are not copied: BACKUP_AFTER has failed since ${failure.since} (${failure.error}).`;
  const isBehind = backup?.at !== undefined && (at === undefined || at < backup.at);
  if (!isBehind || now.getTime() - Date.parse(at ?? expectedSince) <= copyLateAfterMs) return undefined;
  return at === undefined
    ? `No backup has been copied by BACKUP_AFTER, which is set since ${expectedSince}.`
    : `The newest backup that BACKUP_AFTER has copied is of ${at}, and there are newer ones.`;
}

/** A week, and some days in which a server may be off, in milliseconds. */
const drillLateAfterMs = 10 * 24 * 60 * 60_000;

/** A sentence when backups are to be tried every week, and none was. */
export function lateDrill({ backup, drills }: BackupRecords, now: Date): string | undefined {
  if (drills?.expectedSince === undefined || backup?.at === undefined) return undefined;
  const since = drills.newest?.at ?? drills.expectedSince;
  if (now.getTime() - Date.parse(since) <= drillLateAfterMs) return undefined;
  return `No backup has been restored for a test since ${since}, though one is every week.`;
}
