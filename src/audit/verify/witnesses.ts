import { counted } from '../../ground/counted.ts';
import type { ProofLog, SignedTree } from '../../stores/side/proof-log-port.ts';
import {
  cosignaturesIn,
  cosignerId,
  storedCosignatures,
  validCosignature,
} from '../proof-log/format/cosignature.ts';
import { ProofError } from '../proof-log/errors.ts';
import type { NoteVerifier } from '../proof-log/format/note.ts';
import type { Finding } from './finding.ts';

/** Which witnesses are trusted, and how many of them must have cosigned. */
export interface WitnessPolicy {
  readonly cosigners: readonly NoteVerifier[];
  readonly quorum: number;
}

export const noWitnesses: WitnessPolicy = { cosigners: [], quorum: 0 };

type Report = (finding: Finding) => void;

const finding = (sentence: string): Finding => ({ kind: 'witness', sentence });
const tooFew = (sentence: string): Finding => ({ kind: 'quorum', sentence });

/** Checks the cosignatures in a note. Returns how many of the witnesses have cosigned it. */
export function checkCosignatures(
  note: string,
  { cosigners, quorum }: WitnessPolicy,
  report: Report,
): number {
  if (cosigners.length === 0) return 0;
  try {
    const cosigned = cosignaturesIn(note, cosigners).length;
    if (cosigned < quorum)
      report(
        tooFew(
          `Of ${counted(cosigners.length, 'witness', 'witnesses')} ${cosigned} ${cosigned === 1 ? 'has' : 'have'} cosigned the checkpoint of the export; ${quorum} must. Export again when /audit/log/checkpoint shows their cosignatures. If it does not, the log may not be the one that they saw.`,
        ),
      );
    return cosigned;
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    report(finding(`The checkpoint of the export has a cosignature that is not valid. ${error.message}`));
    return 0;
  }
}

/** What witnesses have confirmed of a log. */
export interface WitnessedLog {
  /** The size of the newest checkpoint that enough of them have cosigned. 0: none. */
  readonly size: number;
  /** How many of them have cosigned it. */
  readonly cosigned: number;
}

/** Checkpoints may be cosigned later than they are signed: by this much, in milliseconds. */
const graceMs = 3_600_000;
const mostNamed = 20;

/**
 * Checks all stored cosignatures. Tells of each that does not fit its checkpoint, as after a history that was rewritten,
 * and when the witnesses have not kept up for an hour of signing.
 */
export async function verifyWitnesses(
  proofLog: ProofLog,
  { cosigners, quorum }: WitnessPolicy,
  report: Report,
): Promise<WitnessedLog> {
  let confirmed: WitnessedLog = { size: 0, cosigned: 0 };
  const newest = await proofLog.newest();
  if (cosigners.length === 0 || !newest) return confirmed;
  const names = new Map(cosigners.map((cosigner) => [cosignerId(cosigner), cosigner]));
  let named = 0;
  for await (const batch of storedCosignatures(proofLog, Number.MAX_SAFE_INTEGER)) {
    for (const [size, stored] of Map.groupBy(batch, (each) => each.size)) {
      const tree = await treeOf(proofLog, size);
      let cosigned = 0;
      for (const { cosigner, line } of stored) {
        const witness = names.get(cosigner);
        if (!witness) continue;
        if (tree && validCosignature(tree.note, line, [witness])) cosigned += 1;
        else if (named++ < mostNamed) report(finding(doesNotFit(witness, size, tree)));
      }
      if (cosigned >= quorum) confirmed = { size, cosigned };
    }
  }
  await checkAge(proofLog, newest, confirmed, { cosigners, quorum }, report);
  return confirmed;
}

const treeOf = async (proofLog: ProofLog, size: number): Promise<SignedTree | undefined> => {
  const [tree] = await proofLog.checkpoints({ after: size - 1, limit: 1 });
  return tree?.size === size ? tree : undefined;
};

const doesNotFit = ({ name }: NoteVerifier, size: number, tree: SignedTree | undefined): string =>
  tree
    ? `The cosignature of ${name} is not one of the checkpoint of ${counted(size, 'entry', 'entries')} that is there: one of them was changed after the witness saw it. ${compare}`
    : `The witness ${name} has cosigned a checkpoint of ${counted(size, 'entry', 'entries')}, and there is none of that size: the proof log was cut back or begun anew. ${compare}`;

const compare =
  'Keep the files as they are, take the checkpoint that the witness gives (GET /<origin hash>/checkpoint), and run "commonweal verify --checkpoint <file>".';

async function checkAge(
  proofLog: ProofLog,
  newest: SignedTree,
  { size }: WitnessedLog,
  { cosigners, quorum }: WitnessPolicy,
  report: Report,
): Promise<void> {
  const needed = `${quorum} of ${counted(cosigners.length, 'witness', 'witnesses')} must`;
  const remedy =
    'Run "commonweal status": a job named after a witness says why it does not cosign. While the server runs they are tried again';
  if (size === 0) {
    report(tooFew(`No checkpoint is cosigned by enough witnesses; ${needed}. ${remedy}.`));
    return;
  }
  const [next] = await proofLog.checkpoints({ after: size, limit: 1 });
  if (!next || Date.parse(newest.signedAt) - Date.parse(next.signedAt) < graceMs) return;
  report(
    tooFew(
      `The newest checkpoint that enough witnesses have cosigned is of ${counted(size, 'entry', 'entries')}, of ${newest.size}; ${needed}. None since ${next.signedAt} is. ${remedy}.`,
    ),
  );
}
