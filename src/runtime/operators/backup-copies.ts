import { resolve } from 'node:path';
import { backupsIn, type FoundBackup } from '../../backup/backup-folder.ts';
import { BackupRefused } from '../../backup/manifest.ts';
import { backupRecord } from '../../backup/record.ts';
import { CopyFailed, runAfterBackup } from '../../backup/run-after.ts';
import type { BackupAfter } from '../../config.ts';
import type { System } from '../../container.ts';
import { pause } from '../../ground/back-off.ts';
import { startJob, type Job, type Supervision } from '../../ground/job.ts';
import { runCommandProcess } from './command-process.ts';

/** How often it looks at the record of backups, and at the folder whatever the record says, in milliseconds. */
const requestEveryMs = 2_000;
const lookEveryMs = 5 * 60_000;
/** After a failure. A copy that fails may have taken hours. */
const retryFirstMs = 60_000;
const retryLongestMs = 60 * 60_000;

/** Of one installation one backup is copied at a time, whoever asks for it. */
const copyLease = 'backup-copy';

/**
 * Starts the job that has BACKUP_AFTER copy the newest backup in BACKUP_DIR, as soon as there is one that was not copied: one that a
 * kill has interrupted, too. Undefined when BACKUP_AFTER is not set. It runs in one process at a time.
 */
export function startBackupCopies(system: System, supervision: Supervision): Job | undefined {
  const { backupAfter } = system.config;
  if (backupAfter === undefined) return undefined;
  return startJob(supervision, {
    name: 'backup-copy',
    lease: 'backup-copy-job',
    firstMs: retryFirstMs,
    longestMs: retryLongestMs,
    async work(signal, progress) {
      const record = backupRecord(system.side);
      await record.copyExpected(new Date());
      while (!signal.aborted) {
        const newest = (await record.newest())?.at;
        if ((await uncopied(system)) !== undefined) await copyInProcess(signal);
        progress.succeeded();
        await untilAnother(newest, record, signal);
      }
    },
  });
}

/** In a process of its own, which holds the lease for as long as the program runs, and stops it when this one is gone. */
async function copyInProcess(signal: AbortSignal): Promise<void> {
  const { code, stderr } = await runCommandProcess(['backup', 'copy', '--by-job', '--json'], signal);
  if (code !== 0) throw new Error(stderr.trim() || `The copying ended with exit code ${code ?? 'none'}.`);
}

/** Until another backup than this was taken, or for some minutes. */
async function untilAnother(
  newest: string | undefined,
  record: Pick<ReturnType<typeof backupRecord>, 'newest'>,
  signal: AbortSignal,
): Promise<void> {
  const until = Date.now() + lookEveryMs;
  while (!signal.aborted && Date.now() < until && (await record.newest())?.at === newest)
    await pause(requestEveryMs, signal);
}

type CopyParts = Pick<System, 'config' | 'side' | 'installation' | 'leases'>;

/** The newest backup in BACKUP_DIR, when it was not copied. Older ones are left: the newest has what they have. */
export async function uncopied(parts: CopyParts): Promise<FoundBackup | undefined> {
  const newest = await newestBackup(parts);
  const { at } = await backupRecord(parts.side).copied();
  return newest && (at === undefined || at < newest.manifest.taken_at) ? newest : undefined;
}

/** The newest backup of this installation in BACKUP_DIR. */
export async function newestBackup({
  config,
  installation,
}: Pick<System, 'config' | 'installation'>): Promise<FoundBackup | undefined> {
  const id = await installation.id();
  if (config.backupDir === undefined || id === undefined) return undefined;
  return backupsIn(resolve(config.backupDir), id).at(-1);
}

/**
 * Has BACKUP_AFTER copy a backup, and records how it went.
 * @throws BackupRefused when one is being copied; CopyFailed
 */
export async function copyBackup(
  { side, leases }: CopyParts,
  after: BackupAfter,
  { folder, manifest }: FoundBackup,
  { environment, signal }: { readonly environment: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<void> {
  const lease = await leases.tryAcquire(copyLease);
  if (!lease) throw new BackupRefused('A backup of this installation is being copied already.');
  const record = backupRecord(side);
  try {
    const stop = AbortSignal.any([signal, lease.lost]);
    await runAfterBackup({ ...after, folder: resolve(folder), environment, signal: stop });
    await record.copySucceeded(manifest.taken_at);
  } catch (error) {
    if (error instanceof CopyFailed) await record.copyFailed(error.ending, new Date());
    throw error;
  } finally {
    await lease.release();
  }
}
