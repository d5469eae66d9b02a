import { counted } from '../ground/counted.ts';
import { logKey } from '../audit/proof-log/format/log-key.ts';
import { verifyStore, type StoreToVerify } from '../audit/verify/verify-store.ts';
import { isVaultLost } from '../commands/lost-vault.ts';
import { StoreError } from '../stores/errors.ts';
import { readLogFacts } from './log-facts.ts';
import { BackupRefused, type Manifest } from './manifest.ts';
import type { BackedUp } from './take.ts';

interface Reading {
  /** The backup. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly onProgress?: (phase: 'reading' | 'verifying', done: number, total: number) => void;
}

/** The log must be the one that the manifest names, the vault that of the log, and the master key that of the vault. */
export async function refuseMisfit(
  staged: BackedUp,
  manifest: Manifest,
  { folder, signal, onProgress }: Reading,
): Promise<void> {
  const { installation, log } = manifest;
  const found = await staged.installation.id();
  if (found !== installation) {
    throw new BackupRefused(
      `The log in ${folder} is of another installation (${found ?? 'none'}) than its manifest says (${installation}).`,
    );
  }
  if (await vaultIsLost(staged, installation)) {
    throw new BackupRefused(`The vault in ${folder} is missing, or is not the vault of this log.`);
  }
  const { events, digest, unknown } = await readLogFacts(staged.store, {
    signal,
    onEvents: (done) => onProgress?.('reading', done, log.events),
  });
  if (events !== log.events || digest !== log.digest) {
    throw new BackupRefused(
      `The log in ${folder} is not the one that was backed up: ${counted(events, 'event')} with digest ${digest}, and its manifest says ${log.events} with ${log.digest}.`,
    );
  }
  const signed = await staged.proofLog.newest();
  if (signed?.note !== manifest.proof_log?.checkpoint || (signed?.size ?? 0) > events) {
    throw new BackupRefused(
      `The proof log in ${folder} is not the one that was backed up: it has ${counted(signed?.size ?? 0, 'entry', 'entries')}, its manifest says ${manifest.proof_log?.tree_size ?? 0}, and the log has ${counted(events, 'event')}.`,
    );
  }
  if (signed) {
    await refuseUnverified(staged, folder, {
      signal,
      onProgress: (done) => onProgress?.('verifying', done, log.events),
    });
  }
  if (unknown !== undefined) {
    throw new BackupRefused(
      `The log in ${folder} has events ${unknown}, which this release does not know. Restore it with the release that wrote it (${manifest.release}) or a newer one.`,
    );
  }
}

/** Every event that was signed must be the one that was signed. */
async function refuseUnverified(
  { store, proofLog, vault }: BackedUp,
  folder: string,
  options: Pick<StoreToVerify, 'signal' | 'onProgress'>,
): Promise<void> {
  const key = await logKey(vault);
  if (!key) {
    throw new BackupRefused(
      `The vault in ${folder} has no key for its proof log: it is not the vault of this log.`,
    );
  }
  const { continues } = key;
  const { findings, more } = await verifyStore({ store, proofLog, verifier: key, continues, ...options });
  const [first, ...others] = findings;
  if (!first) return;
  const rest =
    others.length === 0
      ? ''
      : ` ${others.length}${more ? ' or more' : ''} other findings are not named here.`;
  throw new BackupRefused(`The log in ${folder} is not as it was signed. ${first.sentence}${rest}`);
}

async function vaultIsLost(staged: BackedUp, installation: string): Promise<boolean> {
  try {
    return await isVaultLost(staged, installation);
  } catch (cause) {
    if (!(cause instanceof StoreError) || cause.code !== 'incompatible') throw cause;
    throw new BackupRefused(
      'The vault in this backup is sealed under another master key. Set MASTER_KEY to the one that was used when the backup was taken, or put that master.key into DATA_DIR.',
      { cause },
    );
  }
}
