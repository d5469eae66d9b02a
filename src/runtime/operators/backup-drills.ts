import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { drillBackup, drillFolder, removeDrillFolder } from '../../backup/drill.ts';
import { BackupRefused } from '../../backup/manifest.ts';
import { backupRecord, type Drill } from '../../backup/record.ts';
import type { RestorePhase } from '../../backup/restore.ts';
import { recordOfInstallation } from '../../commands/installation-record.ts';
import type { System } from '../../container.ts';
import type { Actor } from '../../events/metadata.ts';
import { pause } from '../../ground/back-off.ts';
import { startJob, type Job, type Supervision } from '../../ground/job.ts';
import { newestBackup } from './backup-copies.ts';
import { embeddedAt } from './backups.ts';
import { runLongCheck } from './long-check.ts';

const dayMs = 24 * 60 * 60_000;
const everyMs = 7 * dayMs;
/** After one that failed: what was wrong may be repaired, and the finding should end with it. */
const againMs = dayMs;
const lookEveryMs = 5 * 60_000;

/** Of one installation one drill runs at a time: its temporary folder has one name. */
const drillLease = 'backup-drill';
const drillJob: Actor = { kind: 'system', id: 'backup-drill' };

export interface DrillRun {
  readonly folder: string;
  /** Where the temporary folder is made. */
  readonly place: string;
  /** Who asked for it. Default: the job. */
  readonly actor?: Actor;
  readonly signal: AbortSignal;
  readonly now?: () => Date;
  readonly onProgress?: (phase: RestorePhase, done: number, total: number) => void;
}

/**
 * Tests a backup by restoring it into a temporary folder, and records the result, in the log where it came to one.
 * @throws BackupRefused when one is being tested already
 */
export async function runDrill(system: System, run: DrillRun): Promise<Drill> {
  const { actor = drillJob, now = () => new Date(), ...options } = run;
  const installation = await system.installation.id();
  if (installation === undefined) throw new BackupRefused('The log is empty, so it has no backups.');
  const lease = await system.leases.tryAcquire(drillLease);
  if (!lease) throw new BackupRefused('A backup of this installation is being tested already.');
  try {
    const signal = AbortSignal.any([options.signal, lease.lost]);
    const open = embeddedAt(system.config, () => system.masterKey);
    const { manifest, ...drill } = await drillBackup({ ...options, installation, open, now, signal });
    await backupRecord(system.side).drillDone(drill);
    if (manifest?.installation === installation && drill.failure?.kind !== 'no-room') {
      const { taken_at, log } = manifest;
      await recordOfInstallation(
        system,
        {
          kind: 'backup-tested',
          backup: { taken_at, events: log.events, digest: log.digest },
          outcome: drill.failure ? 'failed' : drill.verified ? 'verified' : 'restored',
          seconds: Math.ceil(drill.seconds),
        },
        { actor, commandId: randomUUID(), at: now() },
      );
    }
    return drill;
  } finally {
    await lease.release();
  }
}

/**
 * Starts the job that tests the newest backup in BACKUP_DIR every week, in a process of its own that other work goes
 * before. Undefined without BACKUP_DIR, or when it is switched off. It runs in one process at a time.
 */
export function startBackupDrills(system: System, supervision: Supervision): Job | undefined {
  const { backupDir, backupDrill, dataDir } = system.config;
  if (backupDir === undefined || backupDrill === 'never') return undefined;
  return startJob(supervision, {
    name: 'backup-drill',
    lease: 'backup-drill-job',
    async work(signal, progress) {
      await removeLeftOver(system, [backupDir, dataDir]);
      while (!signal.aborted) {
        await drillWhenDue(system, new Date(), () => drillInProcess(supervision, signal));
        progress.succeeded();
        await pause(lookEveryMs, signal);
      }
    },
  });
}

/** What a drill has left that was killed. One that runs keeps its folder: it holds the lease. */
export async function removeLeftOver(
  { installation, leases }: Pick<System, 'installation' | 'leases'>,
  places: readonly string[],
): Promise<void> {
  const id = await installation.id();
  if (id === undefined || !places.some((place) => existsSync(drillFolder(place, id)))) return;
  const lease = await leases.tryAcquire(drillLease);
  if (!lease) return;
  try {
    for (const place of places) removeDrillFolder(place, id);
  } finally {
    await lease.release();
  }
}

/** One look of the job. The first drill is due a day after the first look, so that there is a backup. */
export async function drillWhenDue(
  parts: Pick<System, 'config' | 'installation' | 'side'>,
  now: Date,
  drill: () => Promise<void>,
): Promise<void> {
  const record = backupRecord(parts.side);
  await record.drillExpected(now);
  const { newest, expectedSince = now.toISOString() } = await record.drilled();
  const since = now.getTime() - Date.parse(newest?.at ?? expectedSince);
  if (since < (newest === undefined ? dayMs : newest.failure ? againMs : everyMs)) return;
  if ((await newestBackup(parts)) !== undefined) await drill();
}

/** @throws Error when it did not come to a result. A backup that is of no use is a finding, and no failure of the job. */
async function drillInProcess({ leases }: Supervision, signal: AbortSignal): Promise<void> {
  const words = ['backup', 'drill', '--by-job', '--json'];
  const { stdout, stderr } = await runLongCheck(leases, words, signal);
  if (stdout === '') throw new Error(stderr.trim());
}
