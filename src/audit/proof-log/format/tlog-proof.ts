/** Proofs that an entry is in the log, to be checked without it: https://c2sp.org/tlog-proof. */

/** The first line of a proof. */
export const header = 'c2sp.org/tlog-proof@v1';

export interface TlogProof {
  readonly index: number;
  /** From the leaf's sibling up. */
  readonly hashes: readonly Buffer[];
  /** The signed note. */
  readonly checkpoint: string;
}

export const formatTlogProof = ({ index, hashes, checkpoint }: TlogProof): string =>
  [header, `index ${index}`, ...hashes.map((hash) => hash.toString('base64')), '', checkpoint].join('\n');
