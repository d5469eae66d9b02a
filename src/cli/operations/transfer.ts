import { Command } from 'commander';
import { counted } from '../../ground/counted.ts';
import { ConfigError, placesOf, readConfig } from '../../config.ts';
import { openSystem, type System } from '../../container.ts';
import { hasMasterKey, requireData } from '../../data-folder.ts';
import { projections } from '../../projections/all.ts';
import { keepFromProjecting } from '../../projections/engine/projector-takeover.ts';
import { addMissing } from '../../stores/vault/erasure-ledger-port.ts';
import { beginning } from '../../stores/event-store/port.ts';
import type { SignedTree } from '../../stores/side/proof-log-port.ts';
import { copyLog, TransferRefused, type CopiedLog } from '../../backup/transfer-log.ts';
import { copyProofLog, relocateEntries } from '../../backup/transfer-proof-log.ts';
import { masterKeys } from '../../ground/master-key.ts';
import { copyVault } from '../../backup/transfer-vault.ts';
import type { CommandLine } from '../command-line.ts';
import { UsageError } from '../options.ts';
import { answer } from '../../ground/print.ts';
import { progressBar } from '../progress.ts';
import { waitForStores } from '../../runtime/wait-for-stores.ts';

interface TransferOptions {
  readonly to?: string;
  readonly from?: string;
  readonly mongodb?: string;
  readonly json?: boolean;
}

export function transferCommand(line: CommandLine): Command {
  return new Command('transfer')
    .description(
      'Copy the log, its proof log and the vault from the data folder to EventStoreDB and MongoDB, or back.',
    )
    .option('--to <url>', 'the EventStoreDB to copy to: esdb://…')
    .option('--from <url>', 'the EventStoreDB to copy from, into DATA_DIR; also makes a backup')
    .option(
      '--mongodb <url>',
      'the MongoDB that holds the vault; default: MONGODB_URL; without it, the vault stays in DATA_DIR',
    )
    .action(async (options: TransferOptions) => {
      const stop = new AbortController();
      process.once('SIGINT', () => stop.abort());
      process.once('SIGTERM', () => stop.abort());
      const { folder, servers } = await bothSides(line.environment, options);
      try {
        const [source, target] = options.to === undefined ? [servers, folder] : [folder, servers];
        const copied = await transfer(source, target, folder, !options.json, stop.signal);
        const where = placesOf(target.config);
        answer(options.json, copied, [
          `${counted(copied.events, 'event is', 'events are')} at ${where.log}, ${copied.copied} copied now; digest ${copied.digest}.`,
          copied.secrets === undefined
            ? `The vault stays in ${folder.config.dataDir}.`
            : `${counted(copied.secrets, 'secret is', 'secrets are')} at ${where.readModels}.`,
          copied.proved === 0
            ? 'Nothing was signed in the proof log yet.'
            : `${counted(copied.proved, 'entry of the proof log is', 'entries of the proof log are')} there as signed, and the events are the same.`,
          ...(target.config.mongoUrl === undefined
            ? [
                `Before the first start there, move views.db and consumers.db out of ${target.config.dataDir}, where there are any: they follow another log.`,
              ]
            : []),
          ...(copied.foreign > 0
            ? [
                `${counted(copied.foreign, 'event of other products or installations was', 'events of other products or installations were')} left in place.`,
              ]
            : []),
        ]);
      } finally {
        await servers.close();
        await folder.close();
      }
    });
}

/** Opens the data folder and the named servers, both with the same master key. */
async function bothSides(
  environment: NodeJS.ProcessEnv,
  { to, from, mongodb }: TransferOptions,
): Promise<{ readonly folder: System; readonly servers: System }> {
  const url = to ?? from;
  if (url === undefined || (to !== undefined && from !== undefined)) {
    throw new UsageError('Name either --to or --from.');
  }
  const here = readConfig({
    ...environment,
    EVENTSTORE_URL: '',
    EVENTSTORE_URL_FILE: '',
    EVENTSTORE_NAMESPACE: '',
    MONGODB_URL: '',
    MONGODB_URL_FILE: '',
  });
  if (to === undefined && here.masterKey === undefined && !hasMasterKey(here.dataDir)) {
    throw new ConfigError(
      `MASTER_KEY must be set to the one that the nodes have; ${here.dataDir} holds none.`,
    );
  }
  if (to !== undefined) requireData(here);
  const folder = await openSystem(here);
  const there = readConfig({
    ...environment,
    EVENTSTORE_URL: url,
    EVENTSTORE_URL_FILE: '',
    ...(mongodb === undefined ? {} : { MONGODB_URL: mongodb, MONGODB_URL_FILE: '' }),
    ...keysOf(folder),
    MASTER_KEY_FILE: '',
    MASTER_KEY_PREVIOUS_FILE: '',
  });
  return { folder, servers: await openSystem(there) };
}

/** The master key of a folder as settings, with the one before it while it is rotated. */
function keysOf({ masterKey }: System): Record<string, string> {
  const [current, previous] = masterKeys(masterKey).map((key) => Buffer.from(key).toString('base64'));
  return { MASTER_KEY: current ?? '', MASTER_KEY_PREVIOUS: previous ?? '' };
}

async function transfer(
  source: System,
  target: System,
  folder: System,
  show: boolean,
  signal: AbortSignal,
): Promise<CopiedLog & { readonly secrets: number | undefined; readonly proved: number }> {
  for (const each of [source, target]) {
    if (!(await waitForStores(each, signal, console.error))) signal.throwIfAborted();
  }
  const release = await holdStill(folder, source);
  const bar = show ? progressBar('events', await source.store.count({ after: beginning })) : undefined;
  try {
    const onProgress = (_phase: string, events: number) => bar?.update(events);
    const newest = await source.proofLog.newest();
    const copied = await copyLog({ source: source.wholeLog, target: target.wholeLog, signal, onProgress });
    const moves = source.config.mongoUrl !== target.config.mongoUrl;
    const secrets = moves ? await copyVault(source.vault, target.vault) : undefined;
    if (moves) await moveLedger(source, target);
    await moveProofLog(source, target, newest, signal);
    return { ...copied, secrets, proved: newest?.size ?? 0 };
  } finally {
    bar?.stop();
    await release();
  }
}

/** Whoever was erased stays so where a backup from before the move is restored after it. */
async function moveLedger(source: System, target: System): Promise<void> {
  await target.erasureLedger.begin(await target.installation.ensureId());
  await addMissing(source.erasureLedger, target.erasureLedger);
}

/** The tiles and checkpoints are where the vault is. Where events are in a store, only that store knows. */
async function moveProofLog(
  source: System,
  target: System,
  newest: SignedTree | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (!newest && (await source.proofLog.ended()).length === 0) return;
  const lease = await target.leases.tryAcquire('proof-log');
  if (!lease) throw new TransferRefused('A server signs the proof log at the target; stop it first.');
  try {
    if (source.config.mongoUrl !== target.config.mongoUrl) {
      await copyProofLog({ source: source.proofLog, target: target.proofLog, newest, epoch: lease.epoch });
    }
    if (newest) await relocateEntries(target.store, target.proofLog, newest, signal);
  } finally {
    await lease.release();
  }
}

/** Ensures that no projector runs on the data folder and, when the log is copied from it, that nobody appends. */
async function holdStill(folder: System, source: System): Promise<() => Promise<void>> {
  const stillness = await keepFromProjecting(folder.leases, projections);
  if (!stillness)
    throw new TransferRefused(`Commonweal is running on ${folder.config.dataDir}; stop it first.`);
  const lock = source === folder ? folder.lockAppends() : undefined;
  return async () => {
    lock?.release();
    await stillness.release();
  };
}
