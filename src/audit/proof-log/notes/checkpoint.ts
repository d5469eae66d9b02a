/** Checkpoints, https://c2sp.org/tlog-checkpoint: a signed note that names a tree by its size and root. */
import { ProofError } from '../errors.ts';
import { exactBase64, openNote, signNote, type NoteSigner, type NoteVerifier } from './note.ts';
import { hashBytes } from '../tree/tiles.ts';

export interface Checkpoint {
  /** The name of the log. */
  readonly origin: string;
  /** How many leaves the tree has. */
  readonly size: number;
  readonly root: Buffer;
}

/** A signed note. The signer's name is the origin. */
export function signCheckpoint({ size, root }: Omit<Checkpoint, 'origin'>, signer: NoteSigner): string {
  return signNote(`${signer.name}\n${size}\n${root.toString('base64')}\n`, signer);
}

/**
 * The checkpoint in a note that the log's own key has signed.
 * @throws ProofError malformed, or untrusted when it is signed by somebody else or is of another log
 */
export function openCheckpoint(note: string, verifier: NoteVerifier): Checkpoint {
  const checkpoint = parseCheckpoint(openNote(note, [verifier]));
  if (checkpoint.origin !== verifier.name) {
    throw new ProofError('untrusted', `The checkpoint is of ${checkpoint.origin}, not of ${verifier.name}.`);
  }
  return checkpoint;
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
