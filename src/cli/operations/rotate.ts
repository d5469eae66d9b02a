import { existsSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { counted } from '../../ground/counted.ts';
import {
  forgetPreviousKey,
  makeNewKey,
  refuseNodesWithoutKey,
  resealAll,
} from '../../backup/key-rotation.ts';
import { BackupRefused } from '../../backup/manifest.ts';
import { recordOfInstallation } from '../../commands/installation-record.ts';
import { ConfigError, readConfig } from '../../config.ts';
import type { System } from '../../container.ts';
import { requireData } from '../../data-folder.ts';
import type { Actor } from '../../events/metadata.ts';
import { Outbox } from '../../mail/outbox.ts';
import { waitForStores } from '../../runtime/wait-for-stores.ts';
import { keyFilesFreshMs, masterKeyFile, previousKeyFile } from '../../stores/vault/key-files.ts';
import { keyIdOf, masterKeys } from '../../ground/master-key.ts';
import { stopSignal, withStores, type CommandLine } from '../command-line.ts';
import { answer } from '../../ground/print.ts';
import { phaseBar } from '../progress.ts';

interface RotateOptions {
  readonly finish?: boolean;
  readonly json?: boolean;
}

export function rotateCommand(line: CommandLine): Command {
  const command = new Command('rotate').description('Replace keys.');
  command
    .command('master-key')
    .description(
      'Seal the vault under a new master key, while everything runs. Can be interrupted and run again.',
    )
    .option('--finish', 'end the rotation: nothing is opened with the previous key any more')
    .action(async ({ finish = false, json = false }: RotateOptions) => {
      const config = readConfig(line.environment);
      requireData(config);
      const inFile = config.masterKey === undefined;
      if (inFile && !existsSync(masterKeyFile(config.dataDir))) {
        throw new ConfigError(`There is no master key in ${config.dataDir}, and MASTER_KEY is unset.`);
      }
      if (inFile && finish && !existsSync(previousKeyFile(config.dataDir))) {
        answer(json, { finished: true }, 'There is no previous master key: nothing is to be done.');
        return;
      }
      if (!inFile && config.masterKeyPrevious === undefined) {
        throw new ConfigError(
          'MASTER_KEY_PREVIOUS must be set to the key before MASTER_KEY, here and on every node: docs/backup.md, "Rotating the master key".',
        );
      }
      if (inFile && !finish) makeNewKey(config.dataDir);
      await withStores(line, (system, actor) => rotate(system, { finish, json, inFile, actor }));
    });
  return command;
}

async function rotate(
  system: System,
  {
    finish,
    json,
    inFile,
    actor,
  }: {
    readonly finish: boolean;
    readonly json: boolean;
    readonly inFile: boolean;
    readonly actor: Actor;
  },
): Promise<void> {
  const signal = stopSignal();
  if (!(await waitForStores(system, signal, console.error))) throw new BackupRefused('Interrupted.');
  const keyId = keyIdOf(masterKeys(system.masterKey)[0]);
  // Processes on this folder notice its new key by themselves; they announce it when they have.
  if (inFile) await noticed(system, keyId, signal);
  else refuseNodesWithoutKey(await system.nodes.present(), keyId);
  const bar = json ? undefined : phaseBar();
  const { checked, resealed } = await resealAll(system.vault, {
    signal,
    ...(bar ? { onSecrets: (done: number) => bar.update('secrets', done, 0) } : {}),
  }).finally(() => bar?.stop());
  const mails = await new Outbox(system).underOtherKeys();
  const record = (kind: 'master-key-rotated' | 'master-key-rotation-ended') =>
    recordOfInstallation(system, { kind, key: keyId }, { actor, commandId: randomUUID(), at: new Date() });
  await record('master-key-rotated');
  const result = { checked, resealed, mails_under_previous: mails, finished: finish };
  if (!finish) {
    answer(json, result, [
      `${counted(checked, 'secret is', 'secrets are')} sealed under the new master key, ${resealed} of them since this command began.`,
      inFile
        ? `It is in ${masterKeyFile(system.config.dataDir)}: keep a copy in another place. The previous one is beside it; backups that were taken until now need it, so keep a copy of it as long as those.`
        : 'Backups that were taken until now need the previous key: keep it as long as those.',
      'Open pages, cursors and waiting mails still work with the previous one. After a day, end the rotation:',
      inFile
        ? '`rotate master-key --finish`'
        : '`rotate master-key --finish`, then unset MASTER_KEY_PREVIOUS on every node.',
    ]);
    return;
  }
  if (mails > 0) {
    throw new BackupRefused(
      `${counted(mails, 'mail that waits is', 'mails that wait are')} sealed under the previous master key. Let what waits be sent or expire, and run this again.`,
    );
  }
  // First: once the previous key is gone, there is nothing to run again.
  await record('master-key-rotation-ended');
  if (inFile) forgetPreviousKey(system.config.dataDir);
  answer(json, result, [
    `Nothing is sealed under the previous master key any more (${counted(checked, 'secret')}).`,
    inFile ? 'It is removed from the data folder.' : 'Unset MASTER_KEY_PREVIOUS on every node.',
  ]);
}

/** Longer than a node takes to register again with what it has noticed, in milliseconds. */
const announcedWithinMs = 20_000;

async function noticed(system: System, keyId: string, signal: AbortSignal): Promise<void> {
  const until = Date.now() + announcedWithinMs;
  for (;;) {
    const nodes = await system.nodes.present();
    if (nodes.every(({ keys }) => keys.includes(keyId))) return;
    if (Date.now() >= until) refuseNodesWithoutKey(nodes, keyId);
    await sleep(keyFilesFreshMs, undefined, { signal });
  }
}
