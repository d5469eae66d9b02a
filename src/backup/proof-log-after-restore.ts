import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { largest, lastTree, treeOfNote, whoseLog, type LastTree } from '../audit/proof-log/last-tree.ts';
import { newLogName, planNewLog, signFirst, switchToNewLogs } from '../audit/proof-log/new-log.ts';
import { ProofError } from '../audit/proof-log/errors.ts';
import { ensureLogKey, logKey, logNameOf, type LogKey } from '../audit/proof-log/format/log-key.ts';
import { parseCheckpoint } from '../audit/proof-log/format/checkpoint.ts';
import { textOfNote } from '../audit/proof-log/format/note.ts';
import { emptyRoot } from '../audit/proof-log/format/merkle.ts';
import { contradictionOf, sealNewest } from '../audit/proof-log/sealed-tree.ts';
import { notesIn } from '../audit/verify/kept-checkpoints.ts';
import { vaultEntryOf } from '../commands/installation.ts';
import type { Actor } from '../events/metadata.ts';
import { StoreError } from '../stores/errors.ts';
import { withJournals } from '../stores/embedded-files.ts';
import type { EndedLog } from '../stores/side/proof-log-port.ts';
import { BackupRefused, type Manifest } from './manifest.ts';
import type { BackedUp } from './take.ts';
import { TransferRefused } from './transfer-log.ts';
import { copySignedLog } from './transfer-proof-log.ts';

/** The log that is signed after a restore. */
export interface LogAfterRestore {
  /** Whether it is the one of the backup. */
  readonly continues: boolean;
  /** Undefined: nothing was ever signed, and the next start makes the key. */
  readonly name: string | undefined;
  readonly vkey: string | undefined;
  /** The log that ended, when another one began. */
  readonly ended?: EndedLog;
}

export interface SettleOptions {
  /** The backup, checked, in the folder from which it is put in its place. */
  readonly staged: BackedUp;
  /** Copies of what is replaced. Undefined where nothing is. */
  readonly former: BackedUp | undefined;
  readonly manifest: Manifest;
  /** The newest checkpoint that the log has given out, by a statement of the operator. */
  readonly newestCheckpoint: { readonly name: string; readonly text: string } | undefined;
  readonly actor: Actor;
  readonly signal: AbortSignal;
}

/** A log is ended here whoever has signed it, and the next one begins before any signer. */
const epochs = { ending: Number.MAX_SAFE_INTEGER, first: 0 } as const;

/** Copies the proof log and the vault that are replaced into a folder of their own: looking at them must change nothing. */
export function copyFormerFiles(dataDir: string, staging: string): string | undefined {
  const names = ['log.db', 'vault.db'];
  // Where nothing was ever signed there is no proof log, and the vault says so.
  if (!existsSync(join(dataDir, 'vault.db'))) return undefined;
  const folder = join(staging, 'former');
  try {
    mkdirSync(folder, { mode: 0o700 });
    for (const file of names.flatMap(withJournals))
      if (existsSync(join(dataDir, file))) copyFileSync(join(dataDir, file), join(folder, file));
    return folder;
  } catch {
    // What cannot be read says nothing: a new log begins.
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
}

/**
 * A backup does not know what was signed after it. So the log goes on only where that is shown: the proof log that is
 * replaced ends where the backup does, or the operator brings the newest checkpoint, and the backup has it. Else another log
 * begins here and now, over all events of the backup.
 * @throws BackupRefused when the checkpoint that was brought is not of this log
 */
export async function settleProofLog(options: SettleOptions): Promise<LogAfterRestore> {
  const { staged, manifest, newestCheckpoint, actor, signal } = options;
  const key = await logKey(staged.vault);
  const former = await stateOf(options.former, manifest);
  const brought = newestCheckpoint && broughtTree(newestCheckpoint, former?.key ?? key);
  if (!key && !former?.key) return withoutKey(options, former);
  const own = await staged.proofLog.newest();
  const ofBackup = own ? parseCheckpoint(textOfNote(own.note)) : { size: 0, root: emptyRoot };
  const isLevel = ({ size, root }: LastTree) =>
    size === ofBackup.size && root === ofBackup.root.toString('base64');
  const isShown = former !== undefined || brought !== undefined;
  const isShownLevel =
    isShown &&
    (brought === undefined || isLevel(brought)) &&
    (former === undefined ||
      (former.isSound &&
        former.key?.vkey === key?.vkey &&
        isLevel(await lastTree(former.stores, former.key))));
  if (key && isShownLevel) {
    // The vault was copied after the proof log, and may hold the tree of a newer checkpoint.
    await sealNewest(staged);
    return { continues: true, name: key.name, vkey: key.vkey };
  }
  const carried = former ? await carry(former, staged) : undefined;
  const last = (carried?.key ?? key ?? former?.key) as LogKey;
  const at = new Date();
  const ended: EndedLog = {
    ...whoseLog(last),
    ...largest([
      own && treeOfNote(own.note, last),
      carried && (await lastTree(carried.stores, last)),
      (former?.key ?? key)?.name === last.name ? brought : undefined,
    ]),
    endedAt: at.toISOString(),
    reason: 'restored',
    successor: newLogName(last.name, at),
  };
  const number = (await staged.proofLog.ended()).length;
  await planNewLog(staged.vault, { actor, number, ended });
  await switchToNewLogs(staged, epochs.ending);
  await signFirst(staged, { epoch: epochs.first, now: () => at }, signal);
  const { name, vkey } = await ensureLogKey(staged.vault, ended.successor);
  return { continues: false, name, vkey, ended };
}

/** Nobody has signed, as far as is known. What was signed after the backup has the name that a first log gets. */
async function withoutKey(
  { staged, manifest }: SettleOptions,
  former: FormerState | undefined,
): Promise<LogAfterRestore> {
  if (former) return { continues: true, name: undefined, vkey: undefined };
  const name = newLogName(logNameOf(staged.config.baseUrl, manifest.installation), new Date());
  const { vkey } = await ensureLogKey(staged.vault, name);
  return { continues: false, name, vkey };
}

interface FormerState {
  readonly stores: BackedUp;
  readonly key: LogKey | undefined;
  /** Whether its proof log continues what its vault holds. */
  readonly isSound: boolean;
}

/** What is replaced, when it can be read and is of the same installation. */
async function stateOf(
  stores: BackedUp | undefined,
  { installation }: Manifest,
): Promise<FormerState | undefined> {
  if (!stores) return undefined;
  try {
    if ((await stores.vault.get(vaultEntryOf(installation))) === undefined) return undefined;
    const [key, contradiction] = [await logKey(stores.vault), await contradictionOf(stores)];
    const newest = await stores.proofLog.newest();
    return {
      stores,
      key,
      isSound: contradiction === undefined && (key !== undefined || newest === undefined),
    };
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}

/**
 * Takes along what the replaced proof log has signed after the backup, as evidence, and the logs that began there since.
 * Undefined where it is of another log, or cannot be read.
 */
async function carry(
  former: FormerState,
  staged: BackedUp,
): Promise<{ readonly stores: BackedUp; readonly key: LogKey } | undefined> {
  const { stores, key } = former;
  if (!key) return undefined;
  const [there, here] = [await stores.proofLog.ended(), await staged.proofLog.ended()];
  if (here.some(({ successor }, number) => there[number]?.successor !== successor)) return undefined;
  for (let number = here.length; number <= there.length; number += 1) {
    try {
      const source = stores.proofLog.log(number);
      const newest = await source.newest();
      if (newest)
        await copySignedLog({ source, target: staged.proofLog.log(number), newest, epoch: epochs.ending });
    } catch (error) {
      // Damaged, or changed: the facts below say how far it went.
      if (!isUnreadable(error)) throw error;
    }
    const ended = there[number];
    if (ended) await staged.proofLog.end(ended, { number, epoch: epochs.ending });
  }
  return { stores, key };
}

const isUnreadable = (error: unknown): boolean =>
  error instanceof StoreError || error instanceof ProofError || error instanceof TransferRefused;

/** @throws BackupRefused */
function broughtTree(
  { name, text }: { readonly name: string; readonly text: string },
  key: LogKey | undefined,
): LastTree {
  const notes = notesIn(text);
  if (!key)
    throw new BackupRefused(`The checkpoint in ${name} cannot be checked: the backup has no key of a log.`);
  const trees = notes.map((note) => {
    const tree = treeOfNote(note, key);
    if (tree) return tree;
    throw new BackupRefused(
      `A checkpoint in ${name} is ${whoseOf(note)}, and the log of the backup is ${key.vkey}. Bring the newest checkpoint of that log, or leave the option away: then a new log begins.`,
    );
  });
  if (trees.length === 0) throw new BackupRefused(`${name} holds no checkpoint.`);
  return largest(trees);
}

function whoseOf(note: string): string {
  try {
    return `of ${parseCheckpoint(textOfNote(note)).origin}, or signed by another key`;
  } catch {
    return 'none';
  }
}
