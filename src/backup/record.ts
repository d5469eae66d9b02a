import type { SideStore } from '../stores/side/port.ts';

/** What is known of the newest backup. It survives a restart and is the same on every node. */
export interface BackupRecord {
  /** ISO 8601 UTC. Undefined: none was taken yet. */
  readonly at?: string;
  readonly folder?: string;
  /** ISO 8601 UTC. Since when a daily backup is expected. Undefined: none is. */
  readonly expectedSince?: string;
}

const id = 'newest';

export function backupRecord(side: SideStore) {
  const table = side.table<BackupRecord>('backups');
  return {
    newest: () => table.get(id),
    async taken({ at, folder }: { readonly at: string; readonly folder: string }): Promise<void> {
      await table.put(id, { ...(await table.get(id)), at, folder });
    },
    /** A daily backup is expected from now on, unless it was already. */
    async expected(since: Date): Promise<void> {
      const existing = await table.get(id);
      if (existing?.expectedSince === undefined)
        await table.put(id, { ...existing, expectedSince: since.toISOString() });
    },
  };
}

/** Over a day, so that a daily backup that takes long is not late. */
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
