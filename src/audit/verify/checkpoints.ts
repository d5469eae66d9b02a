import type { ProofLog, SignedTree } from '../../stores/proof-log/port.ts';
import { openCheckpoint, type Checkpoint } from '../proof-log/checkpoint.ts';
import { ProofError } from '../proof-log/errors.ts';
import type { NoteVerifier } from '../proof-log/note.ts';
import type { Finding } from './finding.ts';

const pageSize = 1_000;

/** Every checkpoint that the log's own key has signed, smallest first. Tells of each one that is not to be trusted. */
export async function* trustedCheckpoints(
  proofLog: ProofLog,
  verifier: NoteVerifier,
  onFinding: (finding: Finding) => void,
): AsyncGenerator<Checkpoint> {
  for (let after = 0; ;) {
    const page = await proofLog.checkpoints({ after, limit: pageSize });
    for (const tree of page) {
      const checkpoint = trusted(tree, verifier, onFinding);
      if (checkpoint) yield checkpoint;
    }
    const last = page.at(-1);
    if (!last) return;
    after = last.size;
  }
}

function trusted(
  { size, note }: SignedTree,
  verifier: NoteVerifier,
  onFinding: (finding: Finding) => void,
): Checkpoint | undefined {
  const report = (what: string) =>
    onFinding({ kind: 'checkpoint', sentence: `The checkpoint of ${size} entries is not valid. ${what}` });
  try {
    const checkpoint = openCheckpoint(note, verifier);
    if (checkpoint.size === size) return checkpoint;
    report(`What was signed is a tree of ${checkpoint.size} entries.`);
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    report(error.message);
  }
  return undefined;
}
