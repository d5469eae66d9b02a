import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ledgerName, type Config } from '../config.ts';
import { isVaultLost } from '../commands/lost-vault.ts';
import { passingTable } from '../needs/stored-counts.ts';
import { deleteSideTable, embeddedFiles, type EmbeddedFile } from '../stores/embedded-files.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import type { Leases } from '../stores/leases/port.ts';
import { damageOf, leaveWal, snapshotOf, type Snapshot } from '../stores/sqlite-files.ts';
import type { Vault } from '../stores/vault/port.ts';
import type { ErasureLedger } from '../stores/vault/erasure-ledger-port.ts';
import type { ProofLog } from '../stores/side/proof-log-port.ts';
import { copyLog } from './transfer-log.ts';
import { copyProofLog, relocateEntries } from './transfer-proof-log.ts';
import { copyVault } from './transfer-vault.ts';
import { BackupDraft } from './backup-folder.ts';
import { readLogFacts } from './log-facts.ts';
import { BackupRefused, manifestFormat, masterKeySentence, type Manifest } from './manifest.ts';

/** The open stores of an installation, as far as a backup needs them. */
export interface BackedUp {
  readonly config: Pick<Config, 'dataDir' | 'eventStoreUrl' | 'mongoUrl' | 'baseUrl'>;
  readonly store: EventStore;
  readonly wholeLog: EventStore;
  readonly vault: Vault;
  readonly proofLog: ProofLog;
  readonly erasureLedger: ErasureLedger;
  readonly leases: Leases;
  readonly installation: { id(): Promise<string | undefined> };
  close(): Promise<void>;
}

export type BackupPhase = 'copying' | 'transferring' | 'reading' | 'checking';

export interface BackupOptions {
  readonly source: BackedUp;
  /** Opens a folder as embedded stores with the master key of the source. */
  readonly open: (dataDir: string) => Promise<BackedUp>;
  /** Must not exist yet. */
  readonly folder: string;
  /** Also copies `side.db`: mails that wait, and what receivers of webhooks answered. */
  readonly side: boolean;
  readonly release: string;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** `total` is 0 where it is not known. */
  readonly onProgress?: (phase: BackupPhase, done: number, total: number) => void;
}

/** Of one installation one backup is taken at a time. */
const backupLease = 'backup';

/**
 * Takes a backup while everything runs. Each file is the state of one moment, and the moments follow each other so that
 * the files fit: the proof log and the consumers first, which must not be ahead of the log; then the log; then the vault,
 * which has every secret that the log names. From servers the log is copied event by event, and then the vault.
 *
 * @throws BackupRefused, StoreError full or unavailable. Nothing that looks like a backup is left then.
 */
export async function takeBackup(options: BackupOptions): Promise<Manifest> {
  const lease = await options.source.leases.tryAcquire(backupLease);
  if (!lease) throw new BackupRefused('A backup of this installation is being taken already.');
  try {
    const draft = new BackupDraft(options.folder);
    try {
      const signal = AbortSignal.any([options.signal, lease.lost]);
      const manifest = await fill(draft, { ...options, signal });
      signal.throwIfAborted();
      draft.finish(manifest);
      return manifest;
    } catch (error) {
      draft.discard();
      throw error;
    }
  } finally {
    await lease.release();
  }
}

async function fill(draft: BackupDraft, options: BackupOptions): Promise<Manifest> {
  const { source, open, now, signal, release, onProgress = () => undefined } = options;
  const takenAt = now().toISOString();
  const installation = await source.installation.id();
  if (installation === undefined) throw new BackupRefused('There is nothing to back up: the log is empty.');
  await copyParts(draft.path, options);
  const copy = await open(draft.path);
  let log: Manifest['log'];
  let proofLog: Manifest['proof_log'] = null;
  try {
    if (await isVaultLost(copy, installation)) {
      throw new BackupRefused('The vault is not the one of this log: restore it before you take a backup.');
    }
    const total = Number(await copy.wholeLog.head());
    const { events, digest, head } = await readLogFacts(copy.store, {
      signal,
      onEvents: (done) => onProgress('reading', done, total),
    });
    if (!head) throw new BackupRefused('There is nothing to back up: the log is empty.');
    log = { events, digest, head };
    const signed = await copy.proofLog.newest();
    if (signed) proofLog = { tree_size: signed.size, checkpoint: signed.note };
  } finally {
    await copy.close();
  }
  tidy(draft.path);
  for (const name of readdirSync(draft.path)) {
    const path = join(draft.path, name);
    leaveWal(path);
    const [damage] = damageOf(path);
    if (damage !== undefined) {
      throw new BackupRefused(
        `${name} is damaged (${damage}), in the copy and probably in DATA_DIR: run \`commonweal doctor --full\`.`,
      );
    }
  }
  await copyLedger(source.erasureLedger, join(draft.path, ledgerName));
  const files = await draft.files((done, total) => onProgress('checking', done, total));
  return {
    commonweal_backup: manifestFormat,
    release,
    installation,
    taken_at: takenAt,
    log,
    proof_log: proofLog,
    files,
    master_key: masterKeySentence,
  };
}

/** Copies what is embedded as files, and what is on servers into files. */
async function copyParts(
  target: string,
  { source, open, side, signal, onProgress = () => undefined }: BackupOptions,
): Promise<void> {
  const { dataDir, eventStoreUrl, mongoUrl } = source.config;
  const snapshots: { readonly file: EmbeddedFile; readonly snapshot: Snapshot }[] = [];
  const snapshot = (part: EmbeddedFile['part']) => {
    for (const file of embeddedFiles.filter((each) => each.part === part)) {
      const path = join(dataDir, file.name);
      if (existsSync(path)) snapshots.push({ file, snapshot: snapshotOf(path) });
    }
  };
  const fromServers = async (work: (copy: BackedUp) => Promise<unknown>) => {
    const copy = await open(target);
    try {
      await work(copy);
    } finally {
      await copy.close();
    }
  };
  try {
    // Before the log: the copy of the log then has every event that was signed.
    const signed = mongoUrl === undefined ? undefined : await source.proofLog.newest();
    if (mongoUrl === undefined) snapshot('proof-log');
    if (eventStoreUrl === undefined) {
      snapshot('consumers');
      snapshot('log');
    } else {
      await fromServers((copy) =>
        copyLog({
          source: source.wholeLog,
          target: copy.wholeLog,
          signal,
          onProgress: (_phase, events) => onProgress('transferring', events, 0),
        }),
      );
    }
    if (mongoUrl === undefined) {
      snapshot('vault');
      if (side) snapshot('side');
    } else {
      await fromServers(async (copy) => {
        await copyVault(source.vault, copy.vault);
        await copyProofLog({ source: source.proofLog, target: copy.proofLog, newest: signed, epoch: 0 });
        if (signed && eventStoreUrl !== undefined)
          await relocateEntries(copy.store, copy.proofLog, signed, signal);
      });
    }
    const total = snapshots.reduce((sum, each) => sum + each.snapshot.pages, 0);
    let before = 0;
    for (const { file, snapshot } of snapshots) {
      await snapshot.copyTo(join(target, file.name), (pages) => {
        signal.throwIfAborted();
        onProgress('copying', before + pages, total);
      });
      if (file.part === 'side') deleteSideTable(join(target, file.name), passingTable);
      before += snapshot.pages;
    }
  } finally {
    for (const { snapshot } of snapshots) snapshot.close();
  }
}

/** Last of all: it names every data key that the copy of the vault lacks. */
async function copyLedger(ledger: ErasureLedger, path: string): Promise<void> {
  const lines = new Map<string, string>();
  for await (const entry of ledger.entries()) lines.set(entry.holder, `${JSON.stringify(entry)}\n`);
  if (lines.size > 0) writeFileSync(path, [...lines.values()].join(''), { mode: 0o600 });
}

/** Removes what opening the copy has made beside it. */
function tidy(folder: string): void {
  const kept = new Set(embeddedFiles.map(({ name }) => name));
  for (const name of readdirSync(folder))
    if (!kept.has(name)) rmSync(join(folder, name), { recursive: true, force: true });
}
