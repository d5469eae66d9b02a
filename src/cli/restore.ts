import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { counted } from '../ground/counted.ts';
import { BackupRefused } from '../backup/manifest.ts';
import { ledgersFor, refuseOlderLedger, refuseWithoutLedger } from '../backup/resurrection.ts';
import { forgetWitnessKeys } from '../audit/proof-log/format/witness-key.ts';
import { markRestored } from '../backup/restored.ts';
import type { LogAfterRestore } from '../backup/proof-log-after-restore.ts';
import { restoreBackup } from '../backup/restore.ts';
import { ConfigError, ledgerName, placesOf, readConfig, type Config } from '../config.ts';
import { masterKeyFrom, openLedgerFile, openSystem, type System } from '../container.ts';
import { hasMasterKey, prepareDataFolder, restoringFolder } from '../data-folder.ts';
import { replayErasures } from '../erasure/replay.ts';
import { embeddedAt } from '../runtime/operators/backups.ts';
import { refuseStoresOfAnotherLog } from '../runtime/check-stores.ts';
import { waitForStores } from '../runtime/wait-for-stores.ts';
import { addMissing, holdersIn, type ErasureLedger } from '../stores/vault/erasure-ledger-port.ts';
import { StoreError } from '../stores/errors.ts';
import type { MasterKey } from '../ground/master-key.ts';
import { stopSignal, type CommandLine } from './command-line.ts';
import { operator } from './accounts/operator.ts';
import { UsageError } from './options.ts';
import { answer } from '../ground/print.ts';
import { phaseBar } from './progress.ts';

interface RestoreOptions {
  readonly replace?: boolean;
  readonly acceptResurrection?: boolean;
  readonly newestCheckpoint?: string;
  readonly json?: boolean;
}

export function restoreCommand(line: CommandLine): Command {
  return new Command('restore')
    .description(
      'Restore a backup into an empty DATA_DIR or to empty servers. Checks everything before it is used.',
    )
    .argument('<folder>', 'the backup')
    .option('--replace', 'replace what is in DATA_DIR; the service must be stopped')
    .option(
      '--accept-resurrection',
      'restore although the erasure ledger is lost: whoever was erased after the backup comes back',
    )
    .option(
      '--newest-checkpoint <file>',
      'the newest checkpoint that the proof log has given out: where the backup has it, the log goes on',
    )
    .action(async (folder: string, options: RestoreOptions) => {
      const { replace = false, acceptResurrection = false, json = false } = options;
      const config = readConfig(line.environment);
      const { dataDir } = config;
      if (!existsSync(restoringFolder(dataDir))) prepareDataFolder(dataDir);
      const masterKey = theMasterKey(config);
      const openWithLedger = embeddedAt(
        config,
        () => masterKey,
        config.erasureLedger ?? join(dataDir, ledgerName),
      );
      // A backup without a side store begins a new one: the next command need not wonder where it is.
      const beginsSide = config.mongoUrl === undefined && !existsSync(join(dataDir, 'side.db'));
      const dropped = { witnessKey: false };
      const signal = stopSignal();
      const bar = json ? undefined : phaseBar();
      try {
        const onServers = config.eventStoreUrl !== undefined || config.mongoUrl !== undefined;
        const newestCheckpoint = await broughtIn(options.newestCheckpoint);
        const { manifest, proofLog } = await restoreBackup<System>({
          folder,
          dataDir,
          replace,
          open: embeddedAt(config, () => masterKey),
          openServers: onServers ? () => emptyServers(config, signal) : undefined,
          groupsFit,
          newestCheckpoint,
          proofLogInFolder: config.mongoUrl === undefined,
          actorOf: (staged) => operator(staged, line.as),
          // With MongoDB the ledger is a collection too, which is looked at when the servers are open.
          accept: async (manifest) => {
            if (acceptResurrection || config.mongoUrl !== undefined) return;
            refuseWithoutLedger(manifest, await ledgersFor(manifest, folder, config, openLedgerFile));
          },
          prepare: async (staged, manifest) => {
            const found = await ledgersFor(manifest, folder, config, openLedgerFile);
            if (!acceptResurrection && config.mongoUrl === undefined)
              await refuseOlderLedger(manifest, staged.erasureLedger, found);
            const actor = await operator(staged, line.as);
            await eraseAgain(staged, found, await openWithLedger(restoringFolder(dataDir)));
            dropped.witnessKey = await forgetWitnessKeys(staged.vault);
            await markRestored(staged.vault, manifest, { actor, at: new Date() });
            if (beginsSide) await staged.side.table('backups').get('none');
          },
          copyLedger: async ({ erasureLedger }, servers, manifest) => {
            const files = await ledgersFor(manifest, folder, config, openLedgerFile);
            const collection = servers.erasureLedger;
            const isEmpty = (await holdersIn([collection])).size === 0;
            if (!acceptResurrection) {
              const found = isEmpty ? files : [...files, collection];
              refuseWithoutLedger(manifest, found);
              await refuseOlderLedger(manifest, erasureLedger, found);
            }
            for (const ledger of [erasureLedger, ...files]) await addMissing(ledger, collection);
          },
          signal,
          ...(bar ? { onProgress: bar.update } : {}),
        });
        bar?.stop();
        const { log, readModels } = placesOf(config);
        answer(
          json,
          {
            log: manifest.log,
            installation: manifest.installation,
            taken_at: manifest.taken_at,
            proof_log: { continues: proofLog.continues, name: proofLog.name, vkey: proofLog.vkey },
          },
          [
            `${counted(manifest.log.events, 'event is', 'events are')} at ${log}, as the log was at ${manifest.taken_at}; digest ${manifest.log.digest}.`,
            `The vault is at ${readModels}. Start the service: it makes the read models anew.`,
            ...(dropped.witnessKey
              ? [
                  'It was a witness of other logs, and may have cosigned more than the backup knows: it is now a new witness under a new name. Give its key to those who named it: "commonweal audit log peer".',
                ]
              : []),
            ...sentencesOf(proofLog),
          ],
        );
      } catch (error) {
        throw signal.aborted ? new BackupRefused('Interrupted: nothing was restored.') : error;
      } finally {
        bar?.stop();
      }
    });
}

/** @throws UsageError */
async function broughtIn(path: string | undefined) {
  if (path === undefined) return undefined;
  try {
    return { name: path, text: await readFile(path, 'utf8') };
  } catch (error) {
    throw new UsageError(`--newest-checkpoint: ${(error as Error).message}`);
  }
}

/** Which log goes on, and who must be told. */
function sentencesOf({ continues, name, vkey, ended }: LogAfterRestore): string[] {
  if (name === undefined) return [];
  if (continues) return [`The proof log ${name} goes on.`];
  const why = ended
    ? `${ended.origin} ended, because checkpoints may have been given out that this log does not continue. `
    : '';
  return [
    `${why}A new proof log began: ${name}. Give its key to your witnesses, and to those who keep checkpoints:`,
    `  ${vkey ?? ''}`,
  ];
}

/**
 * Nobody who was erased since the backup comes back: what the ledger of the backup and those that were found say is added
 * to the one that is kept, and that is replayed.
 */
async function eraseAgain(
  { erasureLedger }: System,
  found: readonly Pick<ErasureLedger, 'entries'>[],
  withLedger: System,
): Promise<void> {
  try {
    for (const ledger of [erasureLedger, ...found]) await addMissing(ledger, withLedger.erasureLedger);
    await replayErasures(withLedger, withLedger.erasureLedger);
  } finally {
    await withLedger.close();
  }
}

/** A backup never holds the master key, so it must be there already: a new one would open nothing. */
function theMasterKey(config: Config): MasterKey {
  const { dataDir, masterKey } = config;
  if (masterKey === undefined && !hasMasterKey(dataDir)) {
    throw new ConfigError(
      `The vault of a backup is sealed under the master key, which is not in the backup. Set MASTER_KEY, or put master.key into ${dataDir}.`,
    );
  }
  return masterKeyFrom(config);
}

/** Whether the consumer groups of a backup continue in its log. */
async function groupsFit(staged: System): Promise<boolean> {
  try {
    await refuseStoresOfAnotherLog(staged, { groups: true });
    return true;
  } catch (error) {
    if (error instanceof StoreError && error.code === 'incompatible') return false;
    throw error;
  }
}

/**
 * Opens the servers, with the erasure ledger that is in MongoDB alone. Read models there would be ahead of the restored
 * log, or of another one.
 */
async function emptyServers(config: Config, signal: AbortSignal): Promise<System> {
  const servers = await openSystem({
    ...config,
    erasureLedger: undefined,
    backupDir: undefined,
    // Nothing of ours may be opened in the data folder itself until the restore has ended.
    dataDir: restoringFolder(config.dataDir),
  });
  try {
    if (!(await waitForStores(servers, signal, console.error))) signal.throwIfAborted();
    if (config.mongoUrl !== undefined && (await servers.documents.progress()).size > 0) {
      throw new BackupRefused(
        `There are read models at ${placesOf(config).readModels}. Stop all nodes and start the read models anew first: docs/backup.md, "Starting the read models anew".`,
      );
    }
    return servers;
  } catch (error) {
    await servers.close();
    throw error;
  }
}
