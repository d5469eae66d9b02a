import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { BackupRefused, manifestName, readManifest, sha256Of, type Manifest } from './manifest.ts';
import { sync } from '../data-folder.ts';

/** What a backup is called until it is whole. */
const unfinished = '.partial';

/** A folder that becomes a backup when it is finished, and is no backup before. */
export class BackupDraft {
  readonly path: string;
  readonly #target: string;

  /** Whoever calls this holds the lease of backups: what an earlier run has left unfinished there is removed. */
  constructor(target: string) {
    this.#target = resolve(target);
    this.path = this.#target + unfinished;
    if (existsSync(this.#target)) {
      throw new BackupRefused(`${target} exists already. Name a folder that does not exist yet.`);
    }
    try {
      rmSync(this.path, { recursive: true, force: true });
      mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
      mkdirSync(this.path, { mode: 0o700 });
    } catch (cause) {
      throw new BackupRefused(`${target} cannot be made: ${(cause as Error).message}.`, { cause });
    }
  }

  /** The files, with their sizes and hashes. */
  async files(onBytes: (done: number, total: number) => void): Promise<Manifest['files']> {
    const found = readdirSync(this.path)
      .sort()
      .map((name) => ({ name, bytes: statSync(join(this.path, name)).size }));
    const total = found.reduce((sum, { bytes }) => sum + bytes, 0);
    let done = 0;
    const files: Manifest['files'] = [];
    for (const file of found) {
      const path = join(this.path, file.name);
      chmodSync(path, 0o600);
      const sha256 = await sha256Of(path, (read) => onBytes((done += read), total));
      files.push({ ...file, sha256 });
    }
    return files;
  }

  /** Writes the manifest and gives the folder its name. Until then all of it is on the device. */
  finish(manifest: Manifest): void {
    writeFileSync(join(this.path, manifestName), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    for (const name of readdirSync(this.path)) sync(join(this.path, name));
    sync(this.path);
    renameSync(this.path, this.#target);
    sync(dirname(this.#target));
  }

  discard(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

export interface FoundBackup {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** The name of a backup in a folder of backups. Names sort by time. */
export const backupNameAt = (at: Date): string =>
  `commonweal-${at.toISOString().slice(0, 19).replaceAll(':', '')}Z`;

/** The whole backups of an installation in a folder, oldest first. */
export function backupsIn(directory: string, installation: string): FoundBackup[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(directory, entry.name, manifestName)))
    .flatMap(({ name }) => {
      const folder = join(directory, name);
      try {
        return [{ folder, manifest: readManifest(folder) }];
      } catch (error) {
        // Not ours to judge, and not ours to remove.
        if (error instanceof BackupRefused) return [];
        throw error;
      }
    })
    .filter(({ manifest }) => manifest.installation === installation)
    .sort((one, other) => one.manifest.taken_at.localeCompare(other.manifest.taken_at));
}

/** Removes a backup, its manifest first: what a crash leaves behind is no whole backup. */
export function removeBackup(folder: string): void {
  rmSync(join(folder, manifestName));
  rmSync(folder, { recursive: true });
}
