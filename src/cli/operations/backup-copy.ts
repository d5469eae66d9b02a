import { Command, Option } from 'commander';
import { resolve } from 'node:path';
import { BackupRefused, readManifest } from '../../backup/manifest.ts';
import { CopyFailed } from '../../backup/run-after.ts';
import { answer } from '../../ground/print.ts';
import { copyBackup, newestBackup, uncopied } from '../../runtime/operators/backup-copies.ts';
import { withParent } from '../../runtime/operators/command-process.ts';
import { stopSignal, withStores, type CommandLine } from '../command-line.ts';
import { UsageError } from '../options.ts';

/** `backup copy`: what BACKUP_AFTER does after each backup. */
export const backupCopyCommand = (line: CommandLine): Command =>
  new Command('copy')
    .description('Have the program of BACKUP_AFTER copy a backup now, and say what it printed when it fails.')
    .argument('[folder]', 'the backup; default: the newest in BACKUP_DIR')
    .addOption(new Option('--by-job', 'the job of the server asks for it').hideHelp())
    .action((folder: string | undefined, _options: unknown, self: Command) => {
      const { byJob = false, json = false } = self.optsWithGlobals<{ byJob?: boolean; json?: boolean }>();
      const stop = stopSignal();
      const signal = byJob ? withParent(stop) : stop;
      return withStores(line, async (system) => {
        const { backupAfter } = system.config;
        if (backupAfter === undefined)
          throw new UsageError('BACKUP_AFTER is unset, so nothing copies a backup. Set it to a program.');
        const backup =
          folder === undefined
            ? await (byJob ? uncopied : newestBackup)(system)
            : { folder, manifest: readManifest(folder) };
        if (!backup) {
          if (!byJob)
            throw new BackupRefused('There is no backup in BACKUP_DIR. Take one: `commonweal backup`.');
          answer(json, { folder: null }, []);
          return;
        }
        try {
          await copyBackup(system, backupAfter, backup, { environment: line.environment, signal });
        } catch (error) {
          if (signal.aborted) throw new BackupRefused('Interrupted: the backup is not copied.');
          if (error instanceof CopyFailed) throw new BackupRefused(`BACKUP_AFTER failed: ${error.message}`);
          throw error;
        }
        const { taken_at } = backup.manifest;
        answer(json, { folder: resolve(backup.folder), taken_at }, [`${backup.folder} is copied.`]);
      });
    });
