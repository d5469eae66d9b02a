import { statSync } from 'node:fs';
import { Command, Option } from 'commander';
import { BackupRefused } from '../../backup/manifest.ts';
import { backupRecord, type Drill } from '../../backup/record.ts';
import type { System } from '../../container.ts';
import { counted } from '../../ground/counted.ts';
import { answer } from '../../ground/print.ts';
import { newestBackup } from '../../runtime/operators/backup-copies.ts';
import { runDrill } from '../../runtime/operators/backup-drills.ts';
import { withParent } from '../../runtime/operators/command-process.ts';
import { waitForStores } from '../../runtime/wait-for-stores.ts';
import { stopSignal, withStores, type CommandLine } from '../command-line.ts';
import { UsageError } from '../options.ts';
import { phaseBar } from '../progress.ts';

interface Options {
  readonly in?: string;
  readonly byJob?: boolean;
  readonly json?: boolean;
}

/** `backup drill`: whether a backup can be restored. */
export const backupDrillCommand = (line: CommandLine): Command =>
  new Command('drill')
    .description(
      'Restore a backup into a temporary folder, verify it there, and remove the folder. Exit code 1: it failed.',
    )
    .argument('[folder]', 'the backup; default: the newest in BACKUP_DIR, or the one that was taken last')
    .option('--in <folder>', 'where the temporary folder is made; default: BACKUP_DIR, or DATA_DIR')
    .addOption(new Option('--by-job', 'the job of the server asks for it').hideHelp())
    .action((folder: string | undefined, _options: unknown, self: Command) => {
      const { in: place, byJob = false, json = false } = self.optsWithGlobals<Options>();
      const stop = stopSignal();
      const signal = byJob ? withParent(stop) : stop;
      return withStores(line, async (system, actor) => {
        if (!(await waitForStores(system, signal, console.error))) throw interrupted();
        const bar = json ? undefined : phaseBar();
        try {
          const drill = await runDrill(system, {
            folder: folder ?? (await folderOf(system)),
            place: placeOf(system, place),
            signal,
            ...(byJob ? {} : { actor }),
            ...(bar ? { onProgress: bar.update } : {}),
          });
          bar?.stop();
          if (drill.failure) line.exitCode = 1;
          answer(json, { ...drill, failure: drill.failure ?? null }, [sentenceOf(drill)]);
        } catch (error) {
          throw signal.aborted ? interrupted() : error;
        } finally {
          bar?.stop();
        }
      });
    });

async function folderOf(system: System): Promise<string> {
  const folder = (await newestBackup(system))?.folder ?? (await backupRecord(system.side).newest())?.folder;
  if (folder !== undefined) return folder;
  throw new UsageError('There is no backup in BACKUP_DIR, and none was taken. Name the folder of one.');
}

function placeOf({ config: { backupDir, dataDir } }: System, place: string | undefined): string {
  const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (place !== undefined && !isFolder(place)) throw new UsageError(`--in: ${place} is no folder.`);
  return place ?? (backupDir !== undefined && isFolder(backupDir) ? backupDir : dataDir);
}

function sentenceOf({ taken_at, events = 0, seconds, verified, failure }: Drill): string {
  const which = taken_at === undefined ? 'The backup' : `The backup of ${taken_at}`;
  if (failure?.kind === 'no-room') return `${which} was not tested: ${failure.sentence}`;
  if (failure) return `${which} is of no use: ${failure.sentence}`;
  const signed = verified ? 'as they were signed' : 'which were not signed yet';
  return `${which} can be restored: ${counted(events, 'event')} in ${Math.ceil(seconds)} s, ${signed}.`;
}

const interrupted = () =>
  new BackupRefused('Interrupted: the backup was not tested, and nothing is left of it.');
