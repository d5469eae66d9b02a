import { lateBackup, lateDrill, missingCopy, type BackupRecords } from '../backup/record.ts';
import { findingOf, type Finding } from './finding.ts';

interface BackupFinding extends Finding {
  readonly id: string;
}

/** What is wrong with backups. `reasons`: with those of the newest drill, which name paths. */
export function findingsOfBackups(
  records: BackupRecords,
  now: Date,
  { reasons }: { readonly reasons: boolean },
): readonly BackupFinding[] {
  const found: BackupFinding[] = [];
  const report = (name: Parameters<typeof findingOf>[0], id: string, sentence: string | undefined) => {
    if (sentence !== undefined) found.push({ ...findingOf(name, sentence), id });
  };
  report('backup-late', 'backup late', lateBackup(records.backup, now));
  report('backup-not-copied', 'backup copy', missingCopy(records, now));
  const drill = records.drills?.newest;
  if (drill?.failure !== undefined) {
    const { kind, sentence } = drill.failure;
    const which = drill.taken_at === undefined ? 'A backup' : `The backup of ${drill.taken_at}`;
    const why = reasons ? `: ${sentence}` : '.';
    if (kind === 'failed')
      report(
        'drill-failed',
        'backup drill',
        `${which} was tested at ${drill.at}, and could not be restored${why}`,
      );
    else
      report(
        'drill-no-room',
        'backup drill',
        `${which} was not tested at ${drill.at}, because there was no room${why}`,
      );
  }
  report('drill-late', 'backup drill late', lateDrill(records, now));
  return found;
}
