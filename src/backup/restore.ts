import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { restoringFolder, sync } from '../data-folder.ts';
import { StoreError } from '../stores/errors.ts';
import { embeddedFiles, readModelsFile, withJournals } from '../stores/embedded-files.ts';
import { damageOf, factsOf, isInUse, leaveWal } from '../stores/sqlite-files.ts';
import { refuseMisfit } from './restore-misfit.ts';
import { BackupRefused, readManifest, sha256Of, type Manifest } from './manifest.ts';
import { copyFormerFiles, settleProofLog, type LogAfterRestore } from './proof-log-after-restore.ts';
import type { Actor } from '../events/metadata.ts';
import { toServers, type ToServersOptions } from './restore-to-servers.ts';
import type { BackedUp } from './take.ts';

export type RestorePhase = 'copying' | 'reading' | 'verifying' | 'transferring';

export interface RestoreOptions<Stores extends BackedUp> extends ToServersOptions<Stores> {
  /** The backup. */
  readonly folder: string;
  readonly dataDir: string;
  /** Whether stores that are there may be replaced. */
  readonly replace: boolean;
  /** The servers to restore to: log, vault, or both. Undefined: everything is embedded. */
  readonly openServers?: (() => Promise<Stores>) | undefined;
  /** Whether consumer groups fit the log. Those that do not are removed, and begin at the first event. */
  readonly groupsFit: (staged: Stores) => Promise<boolean>;
  /** Who restores. */
  readonly actorOf: (staged: Stores) => Promise<Actor>;
  /** Whether the proof log that is replaced is in the data folder, and on no server. */
  readonly proofLogInFolder: boolean;
  /** A file with the newest checkpoint that the log has given out, when somebody has brought it. */
  readonly newestCheckpoint?: { readonly name: string; readonly text: string } | undefined;
  /** Asks before anything is copied. May refuse. */
  readonly accept: (manifest: Manifest) => Promise<void>;
  /** Repeats erasures that are newer than the backup, and whatever else must be true before it serves. */
  readonly prepare: (staged: Stores, manifest: Manifest) => Promise<void>;
  readonly onProgress?: (phase: RestorePhase, done: number, total: number) => void;
}

/**
 * Restores a backup. Everything is copied into a folder of its own, checked there, and only then takes the place of what
 * was there. While that folder exists nothing else opens the data folder, so a run that was killed leaves nothing that
 * could be served; the next run begins again.
 *
 * @throws BackupRefused, naming what does not fit. What was there before is still there then.
 */
export async function restoreBackup<Stores extends BackedUp>(
  options: RestoreOptions<Stores>,
): Promise<{ readonly manifest: Manifest; readonly proofLog: LogAfterRestore }> {
  const { folder, dataDir, replace, signal } = options;
  const manifest = readManifest(folder);
  const staging = restoringFolder(dataDir);
  const wasInterrupted = existsSync(staging);
  const present = presentIn(dataDir);
  if (present.length > 0 && !replace && !wasInterrupted) {
    throw new BackupRefused(
      `DATA_DIR ${dataDir} holds ${present.join(', ')} already. Add --replace to replace them, or set DATA_DIR to an empty folder.`,
    );
  }
  refuseInUse(dataDir, present);
  if (!wasInterrupted && present.includes('events.db')) await refuseOtherInstallation(manifest, options);
  await options.accept(manifest);
  mkdirSync(staging, { recursive: true, mode: 0o700 });
  let proofLog: LogAfterRestore;
  try {
    // Again, for what was started before the folder was there.
    refuseInUse(dataDir, present);
    for (const name of readdirSync(staging)) rmSync(join(staging, name), { recursive: true, force: true });
    await stage(staging, manifest, options);
    // After an interrupted restore the files are those of neither.
    proofLog = await checkStaged(
      staging,
      manifest,
      options,
      wasInterrupted || !options.proofLogInFolder ? undefined : dataDir,
    );
    signal.throwIfAborted();
  } catch (error) {
    // Where an earlier run has begun to replace files, the mark stays: what is there must not be served.
    if (!wasInterrupted) rmSync(staging, { recursive: true, force: true });
    throw error;
  }
  const { openServers } = options;
  const moved = openServers ? await toServers(staging, openServers, manifest, options) : [];
  putInPlace(staging, dataDir, moved);
  return { manifest, proofLog };
}

/** What of ours a data folder holds. The master key may be there before a restore. */
const presentIn = (dataDir: string): string[] =>
  [...embeddedFiles.map(({ name }) => name), readModelsFile].filter((name) =>
    existsSync(join(dataDir, name)),
  );

function refuseInUse(dataDir: string, present: readonly string[]): void {
  const used = present.find((name) => isInUse(join(dataDir, name)));
  if (used === undefined) return;
  throw new BackupRefused(`Commonweal is running on ${dataDir} (${used} is in use); stop it first.`);
}

/** Refuses to replace the log of another installation. A log that cannot be read is what one restores for. */
async function refuseOtherInstallation<Stores extends BackedUp>(
  { installation }: Manifest,
  { dataDir, open }: RestoreOptions<Stores>,
): Promise<void> {
  let there: string | undefined;
  try {
    const stores = await open(dataDir);
    try {
      there = await stores.installation.id();
    } finally {
      await stores.close();
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
  if (there === undefined || there === installation) return;
  throw new BackupRefused(
    `The backup is of another installation (${installation}) than DATA_DIR (${there}). Set DATA_DIR to an empty folder.`,
  );
}

/** Copies the files into the staging folder, and checks there that they are what the manifest says. */
export async function stage(
  staging: string,
  { files }: Manifest,
  {
    folder,
    signal,
    onProgress = () => undefined,
  }: Pick<RestoreOptions<BackedUp>, 'folder' | 'signal' | 'onProgress'>,
): Promise<void> {
  const filesByName = new Map(embeddedFiles.map((file) => [file.name, file]));
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  for (const { name, bytes, sha256 } of files) {
    signal.throwIfAborted();
    const from = join(folder, name);
    const to = join(staging, name);
    const size = statSync(from, { throwIfNoEntry: false })?.size;
    if (size === undefined) throw new BackupRefused(`${from} is missing: the backup is not whole.`);
    if (size !== bytes) {
      throw new BackupRefused(
        `${from} has ${size} bytes, and had ${bytes} when the backup was taken: it is truncated or was changed.`,
      );
    }
    copyInto(from, to);
    if ((await sha256Of(to, (read) => onProgress('copying', (done += read), total))) !== sha256) {
      throw new BackupRefused(`${from} is not the file that was backed up: its SHA-256 differs.`);
    }
    const file = filesByName.get(name);
    if (!file) continue;
    const { format } = factsOf(to);
    if (format > file.format) {
      throw new BackupRefused(
        `${from} was written by a newer release (format ${format}; this one reads ${file.format}). Restore it with that release.`,
      );
    }
    const [damage] = damageOf(to);
    if (damage !== undefined) throw new BackupRefused(`${from} is damaged: ${damage}.`);
  }
}

function copyInto(from: string, to: string): void {
  try {
    copyFileSync(from, to);
    chmodSync(to, 0o600);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw code === 'ENOSPC' || code === 'EDQUOT'
      ? new StoreError('full', `${to}: no room left on the device`, { cause })
      : cause;
  }
}

async function checkStaged<Stores extends BackedUp>(
  staging: string,
  manifest: Manifest,
  options: RestoreOptions<Stores>,
  replaced: string | undefined,
): Promise<LogAfterRestore> {
  const { open, newestCheckpoint, signal } = options;
  let staged = await open(staging);
  let fit: boolean;
  let proofLog: LogAfterRestore;
  try {
    await refuseMisfit(staged, manifest, options);
    const copied = replaced === undefined ? undefined : copyFormerFiles(replaced, staging);
    const former = copied === undefined ? undefined : await open(copied);
    try {
      const actor = await options.actorOf(staged);
      proofLog = await settleProofLog({ staged, former, manifest, newestCheckpoint, actor, signal });
    } finally {
      await former?.close();
      if (copied !== undefined) rmSync(copied, { recursive: true, force: true });
    }
    fit = await options.groupsFit(staged);
  } finally {
    await staged.close();
  }
  if (!fit) for (const name of withJournals('consumers.db')) rmSync(join(staging, name), { force: true });
  staged = await open(staging);
  try {
    await options.prepare(staged, manifest);
  } finally {
    await staged.close();
  }
  return proofLog;
}

/**
 * Removes what was there and puts the checked files in its place. Read models go, and are made anew; so do consumer
 * groups that the backup does not have. A side store stays unless the backup has one: it counts wrong passwords.
 */
function putInPlace(staging: string, dataDir: string, moved: readonly string[]): void {
  const staged = embeddedFiles
    .map(({ name }) => name)
    .filter((name) => existsSync(join(staging, name)) && !moved.includes(name));
  const removed = new Set(['events.db', 'log.db', 'consumers.db', 'vault.db', readModelsFile, ...staged]);
  for (const name of removed)
    for (const file of withJournals(name)) rmSync(join(dataDir, file), { force: true });
  for (const name of staged) {
    leaveWal(join(staging, name));
    sync(join(staging, name));
    renameSync(join(staging, name), join(dataDir, name));
  }
  sync(dataDir);
  rmSync(staging, { recursive: true, force: true });
}
