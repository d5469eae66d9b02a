import { mkdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { missingCheckpoints } from '../audit/proof-log/sealed-count.ts';
import { sealNewest } from '../audit/proof-log/sealed-tree.ts';
import { messageOf } from '../ground/store-error.ts';
import { StoreError } from '../stores/errors.ts';
import { BackupRefused, readManifest, type Manifest } from './manifest.ts';
import type { Drill, DrillFailure } from './record.ts';
import { refuseMisfit } from './restore-misfit.ts';
import { stage, type RestorePhase } from './restore.ts';
import type { BackedUp } from './take.ts';

export interface DrillOptions {
  /** The backup. */
  readonly folder: string;
  /** Where the temporary folder is made. */
  readonly place: string;
  readonly installation: string;
  /** Opens a folder as embedded stores with the master key of the installation. */
  readonly open: (dataDir: string) => Promise<BackedUp>;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly onProgress?: (phase: RestorePhase, done: number, total: number) => void;
}

/** Opening and checking writes journals beside the copies, in bytes and as a part of the backup. */
const spareBytes = 32 * 1024 ** 2;
const sparePart = 0.1;

/** Where a backup is restored for a test. Of each installation one: what a killed drill has left has the same name. */
export const drillFolder = (place: string, installation: string): string =>
  join(place, `drill-${installation}`);

/** Removes what a drill has left that was killed. Whoever calls this knows that none runs. */
export const removeDrillFolder = (place: string, installation: string): void =>
  rmSync(drillFolder(place, installation), { recursive: true, force: true });

/**
 * Restores a backup into a temporary folder with all checks of a restore and the verification of the log, and removes it.
 * Nothing else is written, and nothing is sent: stores are opened, and no server. No erasure is repeated and no proof log
 * begins, because nothing of it stays.
 * @throws the reason of the signal; the error of a place that cannot be written
 */
export async function drillBackup(
  options: DrillOptions,
): Promise<Drill & { readonly manifest?: Manifest | undefined }> {
  const { folder, place, installation, open, signal, now, onProgress } = options;
  const began = performance.now();
  const dataDir = drillFolder(place, installation);
  let manifest: Manifest | undefined;
  let failure: DrillFailure | undefined;
  try {
    manifest = readManifest(folder);
    refuseOfAnother(manifest, options);
    removeDrillFolder(place, installation);
    const short = shortOfRoom(manifest, place);
    if (short === undefined) {
      mkdirSync(dataDir, { recursive: true, mode: 0o700 });
      const how = { folder, signal, ...(onProgress ? { onProgress } : {}) };
      await stage(dataDir, manifest, how);
      await refuseUseless(dataDir, manifest, { ...how, open });
    } else failure = { kind: 'no-room', sentence: short };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof BackupRefused || error instanceof StoreError || isOfBackup(error, options)))
      throw error;
    failure = { kind: isFull(error) ? 'no-room' : 'failed', sentence: messageOf(error) };
  } finally {
    removeDrillFolder(place, installation);
  }
  return {
    at: now().toISOString(),
    taken_at: manifest?.taken_at,
    events: manifest?.log.events,
    seconds: Math.round((performance.now() - began) / 100) / 10,
    verified: failure === undefined && (manifest?.proof_log ?? null) !== null,
    failure,
    manifest,
  };
}

function refuseOfAnother(manifest: Manifest, { folder, installation }: DrillOptions): void {
  if (manifest.installation === installation) return;
  throw new BackupRefused(
    `The backup in ${folder} is of another installation (${manifest.installation}) than this one (${installation}).`,
  );
}

/** A sentence when the temporary folder does not have room for the files of a backup. */
function shortOfRoom({ files }: Manifest, place: string): string | undefined {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const needed = bytes * (1 + sparePart) + spareBytes;
  const { bavail, bsize } = statfsSync(place);
  if (bavail * bsize >= needed) return undefined;
  const megabytes = (count: number) => `${Math.ceil(count / 1024 ** 2)} MB`;
  return `${place} has ${megabytes(bavail * bsize)} free, and the test of a backup needs ${megabytes(needed)}.`;
}

/** Opens what was restored, with all checks of a restore. Only the copy is written to. */
async function refuseUseless(
  dataDir: string,
  manifest: Manifest,
  { open, ...how }: Pick<DrillOptions, 'folder' | 'signal' | 'open' | 'onProgress'>,
): Promise<void> {
  const stores = await open(dataDir);
  try {
    await refuseMisfit(stores, manifest, how);
    // The vault was copied after the proof log, and may hold the tree of a newer checkpoint.
    await sealNewest(stores);
    const missing = await missingCheckpoints(stores);
    if (missing !== undefined) throw new BackupRefused(missing);
  } finally {
    await stores.close();
  }
}

/** A file of the backup that cannot be read. A place that cannot be written says nothing of the backup. */
function isOfBackup(error: unknown, { place, installation }: DrillOptions): boolean {
  const { syscall, path = '' } = error as NodeJS.ErrnoException;
  const isOfPlace = path === place || path.startsWith(drillFolder(place, installation));
  return syscall !== undefined && (!isOfPlace || isFull(error));
}

const isFull = (error: unknown): boolean =>
  error instanceof StoreError
    ? error.code === 'full'
    : ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
