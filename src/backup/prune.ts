import { backupsIn, removeBackup } from './backup-folder.ts';

export interface Pruned {
  readonly removed: readonly string[];
  readonly kept: number;
  /** The newest one, where it is old enough to be removed: it is kept until there is a newer one. */
  readonly overdue: string | undefined;
}

const dayMs = 86_400_000;

/**
 * Removes the backups of an installation that are older than so many days: a backup still has the data keys of people who
 * were erased after it. The newest is never removed, however old it is.
 */
export function pruneBackups(
  directory: string,
  { installation, keepDays, now }: { installation: string; keepDays: number; now: Date },
): Pruned {
  const before = new Date(now.getTime() - keepDays * dayMs).toISOString();
  const found = backupsIn(directory, installation);
  const newest = found.at(-1);
  const isOld = ({ manifest }: (typeof found)[number]) => manifest.taken_at < before;
  const old = found.filter((each) => each !== newest && isOld(each));
  for (const { folder } of old) removeBackup(folder);
  return {
    removed: old.map(({ folder }) => folder),
    kept: found.length - old.length,
    overdue: newest && isOld(newest) ? newest.folder : undefined,
  };
}
