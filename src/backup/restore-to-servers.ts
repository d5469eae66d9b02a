import { copyLog } from './transfer-log.ts';
import { copyProofLog, relocateEntries } from './transfer-proof-log.ts';
import { copyVault } from './transfer-vault.ts';
import { BackupRefused, type Manifest } from './manifest.ts';
import type { BackedUp } from './take.ts';

export interface ToServersOptions<Stores extends BackedUp> {
  /** Opens a folder as embedded stores with the given master key. */
  readonly open: (dataDir: string) => Promise<Stores>;
  /** Adds what the ledger of the backup says to that of the servers. May refuse. */
  readonly copyLedger: (staged: Stores, servers: Stores, manifest: Manifest) => Promise<void>;
  readonly signal: AbortSignal;
  readonly onProgress?: (phase: 'transferring', done: number, total: number) => void;
}

/** Copies log and vault to the servers. Returns the files that are then needed no more. */
export async function toServers<Stores extends BackedUp>(
  staging: string,
  openServers: () => Promise<Stores>,
  manifest: Manifest,
  options: ToServersOptions<Stores>,
): Promise<readonly string[]> {
  const { open, signal, onProgress } = options;
  const staged = await open(staging);
  try {
    const servers = await openServers();
    try {
      const moved: string[] = [];
      // First: it may refuse, and a ledger that only grows harms nobody.
      if (servers.config.mongoUrl !== undefined) await options.copyLedger(staged, servers, manifest);
      if (servers.config.eventStoreUrl !== undefined) {
        await copyLog({
          source: staged.wholeLog,
          target: servers.wholeLog,
          signal,
          onProgress: (_phase, events) => onProgress?.('transferring', events, 0),
        });
        moved.push('events.db', 'consumers.db');
      }
      if (servers.config.mongoUrl !== undefined) {
        await copyVault(staged.vault, servers.vault);
        await proofLogToServers(staged, servers, signal);
        moved.push('vault.db', 'side.db', 'log.db');
      }
      return moved;
    } finally {
      await servers.close();
    }
  } finally {
    await staged.close();
  }
}

/** Tiles and checkpoints as they were signed, and where their events are in the new store. */
async function proofLogToServers(staged: BackedUp, servers: BackedUp, signal: AbortSignal): Promise<void> {
  const newest = await staged.proofLog.newest();
  if (!newest && (await staged.proofLog.ended()).length === 0) return;
  const lease = await servers.leases.tryAcquire('proof-log');
  if (!lease) throw new BackupRefused('A server signs the proof log there; stop all nodes first.');
  try {
    await copyProofLog({ source: staged.proofLog, target: servers.proofLog, newest, epoch: lease.epoch });
    if (newest) await relocateEntries(servers.store, servers.proofLog, newest, signal);
  } finally {
    await lease.release();
  }
}
