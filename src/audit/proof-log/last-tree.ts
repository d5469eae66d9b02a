import type { EndedLog, SignedLog } from '../../stores/side/proof-log-port.ts';
import type { Vault } from '../../stores/vault/port.ts';
import { openCheckpoint, type CheckpointVerifier } from './format/checkpoint.ts';
import type { LogKey } from './format/log-key.ts';
import { ProofError } from './errors.ts';
import { sealedTree } from './sealed-tree.ts';
import { emptyRoot } from './format/merkle.ts';

/** The largest tree that a log has signed, as far as it is known, with the signed note where that is there. */
export type LastTree = Pick<EndedLog, 'size' | 'root' | 'checkpoint'>;

const nothing: LastTree = { size: 0, root: emptyRoot.toString('base64') };

/** What a signed note says. Undefined when the key has not signed it. */
export function treeOfNote(note: string, verifier: CheckpointVerifier): LastTree | undefined {
  try {
    const { size, root } = openCheckpoint(note, verifier);
    return { size, root: root.toString('base64'), checkpoint: note };
  } catch (error) {
    if (error instanceof ProofError) return undefined;
    throw error;
  }
}

/** The largest of these; of those of one size the one with a note. */
export const largest = (trees: readonly (LastTree | undefined)[]): LastTree =>
  trees.reduce<LastTree>((best, tree) => {
    if (!tree || tree.size < best.size) return best;
    return tree.size > best.size || best.checkpoint === undefined ? tree : best;
  }, nothing);

/** Of the stores of a log: what the vault holds, which nobody can change who has not the master key, or what is newer. */
export async function lastTree(
  {
    vault,
    proofLog,
  }: { readonly vault: Pick<Vault, 'get'>; readonly proofLog: Pick<SignedLog, 'newest' | 'checkpoints'> },
  verifier: CheckpointVerifier | undefined,
): Promise<LastTree> {
  if (!verifier) return nothing;
  const sealed = await sealedTree(vault);
  const newest = await proofLog.newest();
  const ofNewest = newest && treeOfNote(newest.note, verifier);
  if (!sealed) return largest([ofNewest]);
  const root = sealed.root.toString('base64');
  const [stored] = await proofLog.checkpoints({ after: sealed.size - 1, limit: 1 });
  const ofSealed = stored?.size === sealed.size ? treeOfNote(stored.note, verifier) : undefined;
  return largest([ofSealed?.root === root ? ofSealed : { size: sealed.size, root }, ofNewest]);
}

/** The name of a log and its keys, as they are kept when it ends. */
export const whoseLog = ({ name, vkey, keys }: LogKey): Pick<EndedLog, 'origin' | 'vkey' | 'earlier'> => {
  const earlier = keys.slice(1).map((each) => each.vkey);
  return { origin: name, vkey, ...(earlier.length > 0 ? { earlier } : {}) };
};
