/** Reads and checks proofs that an entry is in the log, as whoever holds one does: https://c2sp.org/tlog-proof. */
import { openCheckpoint, type Checkpoint } from '../../src/audit/proof-log/format/checkpoint.ts';
import { ProofError } from '../../src/audit/proof-log/errors.ts';
import { verifyInclusion } from '../../src/audit/proof-log/format/merkle.ts';
import { exactBase64, type NoteVerifier } from '../../src/audit/proof-log/format/note.ts';
import { hashBytes } from '../../src/audit/proof-log/format/tiles.ts';
import { header, type TlogProof } from '../../src/audit/proof-log/format/tlog-proof.ts';

/** @throws ProofError malformed */
export function parseTlogProof(text: string): TlogProof {
  const end = text.indexOf('\n\n');
  const [first, ...lines] = text.slice(0, Math.max(end, 0)).split('\n');
  if (lines[0]?.startsWith('extra ')) lines.shift();
  const [, index] = /^index (0|[1-9]\d{0,15})$/.exec(lines.shift() ?? '') ?? [];
  const hashes = lines.map(exactBase64);
  if (first !== header || index === undefined || !hashes.every((hash) => hash?.length === hashBytes)) {
    throw new ProofError('malformed', `This is not a proof in the form ${header}.`);
  }
  return { index: Number(index), hashes: hashes as Buffer[], checkpoint: text.slice(end + 2) };
}

/**
 * Checks that the entry with this leaf hash is in the log. Returns the checkpoint it was checked against.
 * @throws ProofError malformed, untrusted, mismatch
 */
export function verifyTlogProof(proof: TlogProof, leaf: Buffer, verifier: NoteVerifier): Checkpoint {
  const checkpoint = openCheckpoint(proof.checkpoint, verifier);
  verifyInclusion(leaf, proof.index, checkpoint, proof.hashes);
  return checkpoint;
}
