/**
 * `malformed`: not in the format. `untrusted`: no valid signature of the expected key. `mismatch`: it contradicts
 * something that was signed. `beyond`: outside the tree.
 */
export type ProofErrorCode = 'malformed' | 'untrusted' | 'mismatch' | 'beyond';

/** Something about the proof log is wrong. The message is a sentence that a person can act on. */
export class ProofError extends Error {
  readonly code: ProofErrorCode;

  constructor(code: ProofErrorCode, message: string) {
    super(message);
    this.name = 'ProofError';
    this.code = code;
  }
}
