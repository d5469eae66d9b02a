import { counted } from '../../ground/counted.ts';
import type { ProofLog, SignedTree } from '../../stores/side/proof-log-port.ts';
import {
  openCheckpoint,
  parseCheckpoint,
  type Checkpoint,
  type CheckpointVerifier,
} from '../proof-log/format/checkpoint.ts';
import { ProofError } from '../proof-log/errors.ts';
import { textOfNote } from '../proof-log/format/note.ts';
import type { Finding } from './finding.ts';

const pageSize = 1_000;

/**
 * Every checkpoint that a key of the log has signed which counted at its size, smallest first. Tells of each one that is not to be trusted.
 *
 * `continues` is the checkpoint that this key continues: the newest of a key that was lost with the vault. The vault holds
 * it beside the key, so it is trusted as if the key had signed it. Nobody can check the older ones of the lost key; what
 * they cover, it covers.
 */
export async function* trustedCheckpoints(
  proofLog: ProofLog,
  verifier: CheckpointVerifier,
  onFinding: (finding: Finding) => void,
  continues?: string,
): AsyncGenerator<Checkpoint> {
  const continued = continues === undefined ? undefined : parseCheckpoint(textOfNote(continues));
  for (let after = 0; ;) {
    const page = await proofLog.checkpoints({ after, limit: pageSize });
    for (const tree of page) {
      const ofLostKey = continued !== undefined && tree.size <= continued.size;
      const checkpoint =
        tree.note === continues
          ? continued
          : trusted(tree, verifier, ofLostKey ? () => undefined : onFinding);
      if (checkpoint) yield checkpoint;
    }
    const last = page.at(-1);
    if (!last) return;
    after = last.size;
  }
}

function trusted(
  { size, note }: SignedTree,
  verifier: CheckpointVerifier,
  onFinding: (finding: Finding) => void,
): Checkpoint | undefined {
  const report = (what: string) =>
    onFinding({
      kind: 'checkpoint',
      sentence: `The checkpoint of ${counted(size, 'entry', 'entries')} is not valid. ${what}`,
    });
  try {
    const checkpoint = openCheckpoint(note, verifier);
    if (checkpoint.size === size) return checkpoint;
    report(`What was signed is a tree of ${counted(checkpoint.size, 'entry', 'entries')}.`);
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    report(error.message);
  }
  return undefined;
}
