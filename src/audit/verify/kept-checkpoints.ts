import { counted } from '../../ground/counted.ts';
import type { EndedLog, ProofLog, SignedLog } from '../../stores/side/proof-log-port.ts';
import {
  openCheckpoint,
  parseCheckpoint,
  type Checkpoint,
  type CheckpointVerifier,
} from '../proof-log/format/checkpoint.ts';
import { keysOfFormer, whyEnded } from '../proof-log/former-log.ts';
import { cosignaturesIn } from '../proof-log/format/cosignature.ts';
import { ProofError } from '../proof-log/errors.ts';
import { rootOf } from '../proof-log/format/merkle.ts';
import { textOfNote, type NoteVerifier } from '../proof-log/format/note.ts';
import { storedTiles } from '../proof-log/format/stored-tiles.ts';
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

export interface ComparedCheckpoints {
  readonly findings: readonly Finding[];
  /** What is to be said though nothing is wrong: that a checkpoint is of a log that ended. */
  readonly notices: readonly string[];
}

/**
 * Compares checkpoints that a reader or a witness has kept with the log: the tree of each must be a beginning of the one
 * that is there, also when the log that signed it has ended. What is there must be verified as well.
 */
export async function verifyKept(
  { text, name }: KeptCheckpoints,
  { verifier, cosigners }: Keys,
  proofLog: ProofLog,
): Promise<ComparedCheckpoints> {
  const findings: Finding[] = [];
  const notices: string[] = [];
  const ended = await proofLog.ended();
  const notes = notesIn(text);
  if (notes.length === 0) findings.push({ kind: 'checkpoint', sentence: `${name} holds no checkpoint.` });
  const newest = (await proofLog.newest())?.size ?? 0;
  for (const note of notes) {
    const former = ended.find(({ origin }) => origin === originOf(note));
    if (former) {
      const { isBeginning, sentence } = await ofFormer(note, name, former, cosigners, proofLog, newest);
      if (isBeginning) notices.push(sentence);
      else findings.push({ kind: 'former', sentence });
      continue;
    }
    const sentence = await differs(note, name, { verifier, cosigners }, proofLog, newest);
    if (sentence !== undefined) findings.push({ kind: 'checkpoint', sentence });
  }
  return { findings, notices: [...new Set(notices)] };
}

/** The log that a note says to be of. Undefined when it is no checkpoint. */
function originOf(note: string): string | undefined {
  try {
    return parseCheckpoint(textOfNote(note)).origin;
  } catch (error) {
    if (error instanceof ProofError) return undefined;
    throw error;
  }
}

/** Compares the checkpoint of a log that ended with the events of today, which the log that goes on has signed anew. */
async function ofFormer(
  note: string,
  name: string,
  former: EndedLog,
  cosigners: readonly NoteVerifier[],
  proofLog: SignedLog,
  newest: number,
): Promise<{ readonly isBeginning: boolean; readonly sentence: string }> {
  try {
    const { checkpoint, whose } = signed(note, { verifier: keysOfFormer(former), cosigners });
    const { size, root } = checkpoint;
    const entries = counted(size, 'entry', 'entries');
    const was = `The checkpoint of ${entries} in ${name}, signed by ${whose}, is of a former log: ${former.origin} ended at ${former.endedAt}, because ${whyEnded(former)}. ${former.successor} goes on.`;
    const isThere = size <= newest;
    if (isThere && (await rootOf(size, storedTiles(proofLog))).equals(root))
      return {
        isBeginning: true,
        sentence: `${was} Its ${entries} are the first of today's log, unchanged.`,
      };
    const what = isThere
      ? `The first ${entries} of today's log have another root`
      : `Today's log has signed ${newest}`;
    return {
      isBeginning: false,
      sentence: `${was} ${what}: events that were signed then are lost, or were changed.`,
    };
  } catch (error) {
    if (error instanceof ProofError)
      return { isBeginning: false, sentence: `A checkpoint in ${name} cannot be compared. ${error.message}` };
    throw error;
  }
}

/** The text of a checkpoint has no empty line, so parts and signatures take turns. */
export function notesIn(text: string): string[] {
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
