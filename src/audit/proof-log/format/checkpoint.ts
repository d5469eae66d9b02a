/** Checkpoints, https://c2sp.org/tlog-checkpoint: a signed note that names a tree by its size and root. */
import { ProofError } from '../errors.ts';
import { exactBase64, openNote, signNote, textOfNote, type NoteSigner, type NoteVerifier } from './note.ts';
import { hashBytes } from './tiles.ts';

export interface Checkpoint {
  /** The name of the log. */
  readonly origin: string;
  /** How many leaves the tree has. */
  readonly size: number;
  readonly root: Buffer;
}

/** A key of a log, and for which of its trees the key counts: those of more entries than `after`, and up to `upTo`. */
export interface KeyPeriod {
  readonly verifier: NoteVerifier;
  readonly after: number;
  /** Infinity: the key still signs. */
  readonly upTo: number;
}

/** All keys of a log, one after the other, or two for a while. They have its name. */
export interface KeysOfLog {
  readonly name: string;
  readonly keys: readonly KeyPeriod[];
}

/** What a checkpoint is verified with: one key whatever its size, or the keys that counted at its size. */
export type CheckpointVerifier = NoteVerifier | KeysOfLog;

/** A key that signs alone, or with others of the same name. */
export type CheckpointSigner = NoteSigner & { readonly signers?: readonly NoteSigner[] };

/** A signed note. The signer's name is the origin. */
export function signCheckpoint({ size, root }: Omit<Checkpoint, 'origin'>, signer: CheckpointSigner): string {
  const text = `${signer.name}\n${size}\n${root.toString('base64')}\n`;
  return signNote(text, ...(signer.signers ?? [signer]));
}

/**
 * The checkpoint in a note that a key of the log has signed.
 * @throws ProofError malformed, or untrusted when it is signed by somebody else, by a key of the log that does not count
 * at its size, or is of another log
 */
export function openCheckpoint(note: string, verifier: CheckpointVerifier): Checkpoint {
  const checkpoint = parseCheckpoint(openNote(note, verifiersFor(note, verifier)));
  if (checkpoint.origin !== verifier.name) {
    throw new ProofError('untrusted', `The checkpoint is of ${checkpoint.origin}, not of ${verifier.name}.`);
  }
  return checkpoint;
}

function verifiersFor(note: string, verifier: CheckpointVerifier): readonly NoteVerifier[] {
  if (!('keys' in verifier)) return [verifier];
  const { size } = parseCheckpoint(textOfNote(note));
  return verifier.keys
    .filter(({ after, upTo }) => after < size && size <= upTo)
    .map((period) => period.verifier);
}

/** What the text of a note says, whoever signed it. @throws ProofError malformed */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = '', size = '', root = '', ...rest] = text.split('\n');
  const bytes = exactBase64(root);
  if (
    origin === '' ||
    !/^(0|[1-9]\d*)$/.test(size) ||
    !Number.isSafeInteger(Number(size)) ||
    bytes?.length !== hashBytes ||
    rest.pop() !== '' ||
    rest.includes('')
  ) {
    throw new ProofError(
      'malformed',
      'This is not a checkpoint: the name of a log, a size, and a root hash.',
    );
  }
  return { origin, size: Number(size), root: bytes };
}
