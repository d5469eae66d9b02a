import { dirname, join, resolve } from 'node:path';
import { ledgerFilesOf, ledgerName, type Config, type LedgerFile } from '../config.ts';
import { holdersIn, type ErasureLedger, type KeptLedger } from '../stores/vault/erasure-ledger-port.ts';
import { BackupRefused, type Manifest } from './manifest.ts';

type ReadLedger = Pick<ErasureLedger, 'entries'>;

/**
 * The files that say who was erased, of the installation of a backup: those that the settings name, and the one beside
 * the backup. One of another installation says nothing of it.
 */
export async function ledgersFor(
  { installation }: Manifest,
  folder: string,
  config: Config,
  openFile: (file: LedgerFile) => Promise<KeptLedger>,
): Promise<readonly ReadLedger[]> {
  const files: LedgerFile[] = [
    ...ledgerFilesOf(config),
    { path: join(dirname(resolve(folder)), ledgerName), setting: 'BACKUP_DIR' },
  ];
  const found: ReadLedger[] = [];
  for (const [path, file] of new Map(files.map((each) => [resolve(each.path), each]))) {
    const ledger = await openFile({ ...file, path });
    if ((await ledger.isThere()) && (await ledger.isOf(installation))) found.push(ledger);
  }
  return found;
}

/**
 * Without a ledger, whoever was erased after the backup was taken comes back.
 * @throws BackupRefused
 */
export function refuseWithoutLedger(manifest: Manifest, found: readonly ReadLedger[]): void {
  if (found.length > 0) return;
  throw refusal('There is no erasure ledger of this installation here', manifest);
}

/**
 * A ledger that lacks what the backup knows of is a copy from before the backup.
 * @throws BackupRefused
 */
export async function refuseOlderLedger(
  manifest: Manifest,
  ofBackup: ReadLedger,
  found: readonly ReadLedger[],
): Promise<void> {
  const holders = await holdersIn(found);
  const missing = [...(await holdersIn([ofBackup]))].filter((holder) => !holders.has(holder)).length;
  if (missing === 0) return;
  const erasures = missing === 1 ? 'an erasure' : `${missing} erasures`;
  throw refusal(
    `The erasure ledger here is older than the backup: it lacks ${erasures} that the backup knows of`,
    manifest,
  );
}

const refusal = (why: string, { taken_at }: Manifest): BackupRefused =>
  new BackupRefused(
    `${why}, so whoever was erased after ${taken_at} would come back. Set BACKUP_DIR or ERASURE_LEDGER to where the newest ledger (${ledgerName}) is, or put it beside the backup. If it is lost, and you accept that they come back, add --accept-resurrection.`,
  );
