import { randomUUID } from 'node:crypto';
import { backupRecord } from '../../backup/record.ts';
import { recordRestores } from '../../backup/restored.ts';
import { takeBackup, type BackupOptions } from '../../backup/take.ts';
import { BackupRefused, type Manifest } from '../../backup/manifest.ts';
import { recordOfInstallation } from '../../commands/installation-record.ts';
import type { Config } from '../../config.ts';
import { openSystem, type System } from '../../container.ts';
import type { Actor } from '../../events/metadata.ts';
import { pause } from '../../ground/back-off.ts';
import { masterKeys, type MasterKey } from '../../ground/master-key.ts';
import { runCommandProcess } from './command-process.ts';
import { startJob, type Job, type Supervision } from '../../ground/job.ts';
import { release } from '../../release.ts';

/** Opens another folder as embedded stores of the same installation, with its master key. The ledger: its own, or a file. */
export const embeddedAt =
  (config: Config, masterKey: () => MasterKey, erasureLedger?: string) =>
  (dataDir: string): Promise<System> => {
    const [current, previous] = masterKeys(masterKey()).map((key) => Buffer.from(key).toString('base64'));
    return openSystem({
      ...config,
      dataDir,
      eventStoreUrl: undefined,
      eventStoreNamespace: undefined,
      mongoUrl: undefined,
      erasureLedger,
      backupDir: undefined,
      masterKey: current,
      masterKeyPrevious: previous,
    });
  };

const backupJob: Actor = { kind: 'system', id: 'backup' };

export interface BackUpOptions extends Pick<BackupOptions, 'folder' | 'signal'> {
  /** Who takes it. Default: the job. */
  readonly actor?: Actor;
  readonly side?: boolean;
  readonly onProgress?: BackupOptions['onProgress'];
  readonly now?: () => Date;
}

/**
 * Takes a backup of the running installation, and records it.
 * @throws BackupRefused, StoreError. When it says that the backup is whole, only what follows it has failed.
 */
export async function backUp(
  system: System,
  { actor = backupJob, folder, side = false, signal, onProgress, now = () => new Date() }: BackUpOptions,
): Promise<Manifest> {
  const manifest = await takeBackup({
    source: system,
    open: embeddedAt(system.config, () => system.masterKey),
    folder,
    side,
    release,
    now,
    signal,
    ...(onProgress ? { onProgress } : {}),
  });
  await backupRecord(system.side).taken({ at: manifest.taken_at, folder });
  try {
    await system.erasureLedger.begin(manifest.installation);
    await recordRestores(system, now());
    const { events, digest } = manifest.log;
    await recordOfInstallation(
      system,
      { kind: 'backup-taken', backup: { taken_at: manifest.taken_at, events, digest } },
      { actor, commandId: randomUUID(), at: now() },
    );
  } catch (cause) {
    const { message } = cause as Error;
    throw new BackupRefused(`The backup in ${folder} is whole, and what follows it failed: ${message}`, {
      cause,
    });
  }
  return manifest;
}

/** How often it looks whether a backup is due, in milliseconds. */
const lookEveryMs = 5 * 60_000;
/** After a failure: each try is a process that reads the whole log. */
const retryFirstMs = 60_000;
/** How old the newest backup may be before another is taken, in milliseconds: a day. */
const everyMs = 24 * 60 * 60_000;

/**
 * Starts the job that takes a backup into BACKUP_DIR every day and removes those that are older than BACKUP_KEEP_DAYS.
 * Undefined when BACKUP_DIR is not set. It runs in one process at a time.
 */
export function startBackups(system: System, supervision: Supervision): Job | undefined {
  if (system.config.backupDir === undefined) return undefined;
  return startJob(supervision, {
    name: 'backup',
    lease: 'backup-daily',
    firstMs: retryFirstMs,
    longestMs: lookEveryMs,
    async work(signal, progress) {
      await endWhatIsUnset(system);
      while (!signal.aborted) {
        await backUpWhenDue(system, new Date(), () => backUpInProcess(signal));
        // A command without BACKUP_DIR writes to the ledger of the stores alone.
        await system.erasureLedger.level();
        progress.succeeded();
        await pause(lookEveryMs, signal);
      }
    },
  });
}

/** Nothing is late that nobody expects any more. */
async function endWhatIsUnset({ config, side }: Pick<System, 'config' | 'side'>): Promise<void> {
  const record = backupRecord(side);
  if (config.backupAfter === undefined) await record.copyEnded();
  if (config.backupDrill === 'never') await record.drillEnded();
}

/** One look of the job. */
export async function backUpWhenDue(
  { side }: Pick<System, 'side'>,
  now: Date,
  take: () => Promise<void>,
): Promise<void> {
  const record = backupRecord(side);
  await record.expected(now);
  const newest = await record.newest();
  if (newest?.at !== undefined && now.getTime() - Date.parse(newest.at) < everyMs) return;
  await take();
}

/** @throws Error with what the command said. The job, which is named after it, is said with it */
async function backUpInProcess(signal: AbortSignal): Promise<void> {
  for (const command of [['--by-job'], ['prune']]) {
    const { code, stderr } = await runCommandProcess(['backup', ...command, '--json'], signal);
    const failure = command.includes('prune') ? ['prune', stderr.trim()] : [stderr.trim()];
    if (code !== 0) throw new Error(failure.join(': '));
  }
}
