import { counted } from '../../ground/counted.ts';
import type { ProofLog } from '../../stores/side/proof-log-port.ts';
import {
  openCheckpoint,
  parseCheckpoint,
  type Checkpoint,
  type CheckpointVerifier,
} from '../proof-log/notes/checkpoint.ts';
import { cosignaturesIn } from '../proof-log/notes/cosignature.ts';
import { ProofError } from '../proof-log/errors.ts';
import { rootOf } from '../proof-log/tree/merkle.ts';
import { textOfNote, type NoteVerifier } from '../proof-log/notes/note.ts';
import { storedTiles } from '../proof-log/tree/stored-tiles.ts';
import type { Finding } from './finding.ts';

export interface KeptCheckpoints {
  /** The notes of a file: one, or several with an empty line after each, as CHECKPOINT_PUSH writes them. */
  readonly text: string;
  /** Where they are, for the sentences. */
  readonly name: string;
}

interface Keys {
  /** The log's own key. */
  readonly verifier: CheckpointVerifier;
  readonly cosigners: readonly NoteVerifier[];
}

/**
 * Compares checkpoints that a reader or a witness has kept with the log: the tree of each must be a beginning of the one
 * that is there. What is there must be verified as well.
 */
export async function verifyKept(
  { text, name }: KeptCheckpoints,
  { verifier, cosigners }: Keys,
  proofLog: ProofLog,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const notes = notesIn(text);
  if (notes.length === 0) findings.push({ kind: 'checkpoint', sentence: `${name} holds no checkpoint.` });
  const newest = (await proofLog.newest())?.size ?? 0;
  for (const note of notes) {
    const sentence = await differs(note, name, { verifier, cosigners }, proofLog, newest);
    if (sentence !== undefined) findings.push({ kind: 'checkpoint', sentence });
  }
  return findings;
}

/** The text of a checkpoint has no empty line, so parts and signatures take turns. */
function notesIn(text: string): string[] {
  const parts = text.trim().split('\n\n');
  const notes: string[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    if ((parts[at] ?? '') !== '') notes.push(`${parts[at] ?? ''}\n\n${parts[at + 1] ?? ''}\n`);
  }
  return notes;
}

async function differs(
  note: string,
  name: string,
  keys: Keys,
  proofLog: ProofLog,
  newest: number,
): Promise<string | undefined> {
  try {
    const { checkpoint, whose } = signed(note, keys);
    const { size, root } = checkpoint;
    const entries = counted(size, 'entry', 'entries');
    const was = `The checkpoint of ${entries} in ${name}, signed by ${whose},`;
    if (size > newest)
      return `${was} is of more than this log has signed, ${newest}: the log was cut back, or put back from a backup. ${whatToDo}`;
    if ((await rootOf(size, storedTiles(proofLog))).equals(root)) return undefined;
    return `${was} is not one of this log: its first ${entries} have another root. The history was rewritten after that checkpoint was given out. ${whatToDo}`;
  } catch (error) {
    if (error instanceof ProofError) return `A checkpoint in ${name} cannot be compared. ${error.message}`;
    throw error;
  }
}

const whatToDo =
  'Keep the files and the checkpoint as they are: they are the evidence. Compare with the newest backup.';

/** The log's own key, or a witness, must have signed it. @throws ProofError */
function signed(
  note: string,
  { verifier, cosigners }: Keys,
): { readonly checkpoint: Checkpoint; readonly whose: string } {
  const [cosignature] = cosignaturesIn(note, cosigners);
  if (!cosignature) return { checkpoint: openCheckpoint(note, verifier), whose: verifier.name };
  const checkpoint = parseCheckpoint(textOfNote(note));
  if (checkpoint.origin !== verifier.name)
    throw new ProofError('untrusted', `It is of ${checkpoint.origin}, not of ${verifier.name}.`);
  return { checkpoint, whose: `the witness ${cosignature.cosigner.name}` };
}
