import { z } from 'zod';
import { counted } from '../../ground/counted.ts';
import type { ProofLog, SignedTree } from '../../stores/side/proof-log-port.ts';
import type { Vault } from '../../stores/vault/port.ts';
import { parseCheckpoint } from './format/checkpoint.ts';
import { ProofError } from './errors.ts';
import { consistencyProof, verifyConsistency } from './format/merkle.ts';
import { textOfNote } from './format/note.ts';
import { sealCount, sealedCountEntry } from './sealed-count.ts';
import { storedTiles } from './format/stored-tiles.ts';

/**
 * The entry of the vault that holds the newest tree that was signed. Who can write the proof log cannot write it: the
 * vault is sealed with the master key.
 */
const sealedEntry = 'proof-log/signed';

/** Earlier releases only showed that something was signed. */
const anySigned = 'signed';

const stored = z.strictObject({ size: z.int().positive(), root: z.base64() });

/** A tree that was signed, without its signature. */
export interface SealedTree {
  readonly size: number;
  readonly root: Buffer;
}

export interface SealedParts {
  readonly vault: Pick<Vault, 'get' | 'put'>;
  readonly proofLog: Pick<ProofLog, 'newest' | 'tiles' | 'checkpoints'>;
}

/** What is wrong with a proof log, and what to do. */
export interface Contradiction {
  readonly sentence: string;
  readonly remedy: string;
}

async function readSealed(vault: Pick<Vault, 'get'>): Promise<SealedTree | typeof anySigned | undefined> {
  const secret = await vault.get(sealedEntry);
  if (secret === undefined) return undefined;
  const text = Buffer.from(secret).toString();
  if (text === anySigned) return anySigned;
  const { size, root } = stored.parse(JSON.parse(text));
  return { size, root: Buffer.from(root, 'base64') };
}

const treeOf = ({ note }: SignedTree): SealedTree => parseCheckpoint(textOfNote(note));

/**
 * What is wrong with the newest checkpoint of the proof log, measured at the tree that the vault holds: that it is gone,
 * or that it does not continue that tree. Undefined: nothing. To sign then would hide every change to the log.
 */
export async function contradictionOf({
  vault,
  proofLog,
}: {
  readonly vault: Pick<Vault, 'get'>;
  readonly proofLog: Pick<ProofLog, 'newest' | 'tiles'>;
}): Promise<Contradiction | undefined> {
  // First: what is signed meanwhile is then in the proof log that is read after it.
  const sealed = await readSealed(vault);
  if (sealed === undefined) return undefined;
  const newest = await proofLog.newest();
  if (newest === undefined)
    return {
      sentence: 'The proof log is lost: it was signed, and has no checkpoint any more.',
      remedy: 'Restore it from a backup. If there is none, "commonweal audit log replace" begins a new one.',
    };
  if (sealed === anySigned) return undefined;
  const present = treeOf(newest);
  if (present.size < sealed.size)
    return {
      sentence: `The proof log was cut back: ${counted(sealed.size, 'entry was', 'entries were')} signed, and its newest checkpoint covers ${present.size}.`,
      remedy: whatToDo,
    };
  try {
    const proof = await consistencyProof(sealed.size, present.size, storedTiles(proofLog));
    verifyConsistency(sealed, present, proof);
    return undefined;
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    return {
      sentence: `The proof log was changed: its newest checkpoint (${counted(present.size, 'entry', 'entries')}) does not continue what was signed before (${counted(sealed.size, 'entry', 'entries')}).`,
      remedy: whatToDo,
    };
  }
}

const whatToDo =
  'Keep the files as they are: they are the evidence. Restore the log and the proof log from a backup. If there is none, "commonweal audit log replace" begins a new one over what is there.';

/** @throws ProofError mismatch, when the proof log is not what was signed */
export async function refuseContradiction(parts: Parameters<typeof contradictionOf>[0]): Promise<void> {
  const contradiction = await contradictionOf(parts);
  if (contradiction) throw new ProofError('mismatch', `${contradiction.sentence} ${contradiction.remedy}`);
}

/**
 * Seals the newest tree, whatever is sealed: only after `refuseContradiction`, or after a check of the whole log as a
 * restore makes it. A process that dies before it has sealed leaves the vault behind; the next one brings it forward.
 */
export async function sealNewest({ vault, proofLog }: SealedParts): Promise<void> {
  const newest = await proofLog.newest();
  if (newest === undefined) return;
  const { size, root } = treeOf(newest);
  await vault.put(sealedEntry, Buffer.from(JSON.stringify({ size, root: root.toString('base64') })));
  await sealCount({ vault, proofLog }, size);
}

/** The tree that the vault holds. Undefined where nothing is sealed, or an earlier release has sealed that something was. */
export async function sealedTree(vault: Pick<Vault, 'get'>): Promise<SealedTree | undefined> {
  const sealed = await readSealed(vault);
  return sealed === anySigned ? undefined : sealed;
}

/** Another log begins, of which nothing is signed yet. */
export async function forgetSealed(vault: Pick<Vault, 'delete'>): Promise<void> {
  await vault.delete(sealedCountEntry);
  await vault.delete(sealedEntry);
}
