import { join } from 'node:path';
import { Command, Option } from 'commander';
import { counted } from '../../ground/counted.ts';
import { backupNameAt } from '../../backup/backup-folder.ts';
import { BackupRefused } from '../../backup/manifest.ts';
import { pruneBackups } from '../../backup/prune.ts';
import type { Config } from '../../config.ts';
import { backUp } from '../../runtime/operators/backups.ts';
import { waitForStores } from '../../runtime/wait-for-stores.ts';
import { stopSignal, withStores, type CommandLine } from '../command-line.ts';
import { count, UsageError } from '../options.ts';
import { answer } from '../../ground/print.ts';
import { phaseBar } from '../progress.ts';
import { backupCopyCommand } from './backup-copy.ts';
import { backupDrillCommand } from './backup-drill.ts';

interface BackupOptions {
  readonly side?: boolean;
  readonly byJob?: boolean;
  readonly json?: boolean;
}

export function backupCommand(line: CommandLine): Command {
  const command = new Command('backup')
    .description(
      'Take a backup while everything runs: the log, the vault as it is sealed, and what goes with them.',
    )
    .argument(
      '[folder]',
      'a folder that does not exist yet; default: one in BACKUP_DIR, named after the time',
    )
    .option('--side', 'also the side store: mails that wait, and what receivers of webhooks answered')
    .option('--json', 'answer in JSON, for programs')
    .addOption(new Option('--by-job', 'the job of the server takes it').hideHelp())
    .action((folder: string | undefined, { side = false, json = false, byJob = false }: BackupOptions) =>
      withStores(line, async (system, actor) => {
        const signal = stopSignal();
        if (!(await waitForStores(system, signal, console.error))) throw interrupted();
        const target = folder ?? join(backupDirOf(system.config), backupNameAt(new Date()));
        const bar = json ? undefined : phaseBar();
        try {
          const manifest = await backUp(system, {
            ...(byJob ? {} : { actor }),
            folder: target,
            side,
            signal,
            ...(bar ? { onProgress: bar.update } : {}),
          });
          bar?.stop();
          answer(json, { folder: target, ...manifest }, [
            `${counted(manifest.log.events, 'event is', 'events are')} in ${target}; digest ${manifest.log.digest}.`,
            manifest.master_key,
          ]);
        } catch (error) {
          throw signal.aborted ? interrupted() : error;
        } finally {
          bar?.stop();
        }
      }),
    );
  command
    .command('prune')
    .description('Remove backups in BACKUP_DIR that are too old. The newest is never removed.')
    .option('--keep-days <n>', 'remove those older than so many days; default: BACKUP_KEEP_DAYS')
    .option('--in <folder>', 'the folder of the backups; default: BACKUP_DIR')
    .action((_options: unknown, self: Command) => {
      const {
        keepDays,
        in: directory,
        json,
      } = self.optsWithGlobals<{
        keepDays?: string;
        in?: string;
        json?: boolean;
      }>();
      return withStores(line, async (system) => {
        const { config } = system;
        const installation = await system.installation.id();
        if (installation === undefined) throw new BackupRefused('The log is empty, so it has no backups.');
        const days = keepDays === undefined ? config.backupKeepDays : count('--keep-days', keepDays);
        const pruned = pruneBackups(directory ?? backupDirOf(config), {
          installation,
          keepDays: days,
          now: new Date(),
        });
        answer(json, { ...pruned, overdue: pruned.overdue ?? null }, [
          `${counted(pruned.removed.length, 'backup')} older than ${counted(days, 'day')} ${pruned.removed.length === 1 ? 'is' : 'are'} removed, ${counted(pruned.kept, 'is', 'are')} kept.`,
          ...(pruned.overdue === undefined
            ? []
            : [`${pruned.overdue} is older too, and stays until there is a newer one. Take a backup.`]),
        ]);
      });
    });
  return command.addCommand(backupCopyCommand(line)).addCommand(backupDrillCommand(line));
}

function backupDirOf({ backupDir }: Config): string {
  if (backupDir !== undefined) return backupDir;
  throw new UsageError('Name a folder, or set BACKUP_DIR.');
}

const interrupted = () => new BackupRefused('Interrupted: nothing was backed up, and nothing is left of it.');
