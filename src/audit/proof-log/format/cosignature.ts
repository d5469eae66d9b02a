/**
 * Cosignatures, https://c2sp.org/tlog-cosignature: the statement of a witness, with its time, that the checkpoint is of
 * the largest tree of the log that it has seen, and continues those before. `cosignature/v1`, Ed25519, type 0x04.
 */
import { sign, verify } from 'node:crypto';
import type { ProofLog, SignedTree, StoredCosignature } from '../../../stores/side/proof-log-port.ts';
import { ProofError } from '../errors.ts';
import {
  parseAnyVkey,
  parseNote,
  signatureBytes,
  signatureTypes,
  verifierAs,
  verifierOf,
  vkeyOf,
  type NoteSigner,
  type NoteVerifier,
} from './note.ts';

/** A valid cosignature of a checkpoint. */
export interface Cosignature {
  readonly cosigner: NoteVerifier;
  /** Its line in the note, with the newline. */
  readonly line: string;
  /** When it was made, in seconds since 1970. */
  readonly at: number;
}

const timestampBytes = 8;
const idBytes = 4;

/** The verifier of a witness's cosignatures. */
export const cosignerOf = (signer: NoteSigner): NoteVerifier =>
  verifierOf(signer, signatureTypes.cosignature);

/** The key of a cosigner as it is published. */
export const cosignerVkey = (signer: NoteSigner): string => vkeyOf(cosignerOf(signer));

/**
 * The key of a cosigner. One of type 0x01 is that of a witness of transparency.dev, which publishes its key as one for
 * notes: it signs as the same name and key of type 0x04.
 * @throws ProofError malformed
 */
export const parseCosigner = (vkey: string): NoteVerifier =>
  verifierAs(signatureTypes.cosignature, parseAnyVkey(vkey));

/** The keys of the witnesses that the settings name. */
export const cosignersOf = ({
  named,
}: {
  readonly named: readonly { readonly vkey: string }[];
}): NoteVerifier[] => named.map(({ vkey }) => parseCosigner(vkey));

/** The line of a cosignature of a checkpoint's text. `at`: in seconds since 1970. */
export function cosign(text: string, signer: NoteSigner, at: number): string {
  const time = Buffer.alloc(timestampBytes);
  time.writeBigUInt64BE(BigInt(at));
  const signature = sign(null, cosignedMessage(text, at), signer.privateKey);
  const bytes = Buffer.concat([cosignerOf(signer).id, time, signature]);
  return lineOf(signer.name, bytes);
}

/**
 * The cosignatures of these cosigners in a note, the newest of each. Signatures of other keys are ignored.
 * @throws ProofError malformed, or untrusted when the cosignature of one of them is wrong
 */
export function cosignaturesIn(note: string, cosigners: readonly NoteVerifier[]): Cosignature[] {
  const { text, signatures } = parseNote(note);
  const found = new Map<NoteVerifier, Cosignature>();
  for (const { name, bytes } of signatures) {
    const cosigner = cosigners.find(
      (each) => each.name === name && each.id.equals(bytes.subarray(0, idBytes)),
    );
    if (!cosigner) continue;
    const at = verifiedTime(text, bytes.subarray(idBytes), cosigner);
    if (at === undefined) {
      throw new ProofError('untrusted', `The cosignature of ${name} is wrong: the note was changed.`);
    }
    if (at >= (found.get(cosigner)?.at ?? 0))
      found.set(cosigner, { cosigner, line: lineOf(name, bytes), at });
  }
  return [...found.values()];
}

/** When the cosignature was made. Undefined when it is not valid. */
function verifiedTime(text: string, timed: Buffer, { publicKey }: NoteVerifier): number | undefined {
  if (timed.length !== timestampBytes + signatureBytes) return undefined;
  const at = Number(timed.readBigUInt64BE());
  // Zero stands for a cosignature that says nothing of the largest tree, which this type cannot.
  if (at === 0 || !Number.isSafeInteger(at)) return undefined;
  const isValid = verify(null, cosignedMessage(text, at), publicKey, timed.subarray(timestampBytes));
  return isValid ? at : undefined;
}

const cosignedMessage = (text: string, at: number): Buffer =>
  Buffer.from(`cosignature/v1\ntime ${at}\n${text}`);

const lineOf = (name: string, bytes: Buffer): string => `— ${name} ${bytes.toString('base64')}\n`;

/** How a cosigner is named where its cosignatures are stored. */
export const cosignerId = ({ name, id }: NoteVerifier): string => `${name}+${id.toString('hex')}`;

/** The most cosignatures of one checkpoint that are read: more than witnesses can be named. */
const mostCosignatures = 100;

/** A checkpoint with the valid cosignatures of these witnesses behind the signature of the log. */
export async function cosignedNote(
  proofLog: Pick<ProofLog, 'cosignatures'>,
  { size, note }: SignedTree,
  cosigners: readonly NoteVerifier[],
): Promise<string> {
  if (cosigners.length === 0) return note;
  const stored = await proofLog.cosignatures({ after: size - 1, limit: mostCosignatures });
  const lines = stored
    .filter((each) => each.size === size && validCosignature(note, each.line, cosigners) !== undefined)
    .map(({ line }) => line);
  return `${note}${lines.join('')}`;
}

/** The cosignature in a line that was stored for a checkpoint. Undefined when it is not valid, or of no cosigner of these. */
export function validCosignature(
  note: string,
  line: string,
  cosigners: readonly NoteVerifier[],
): Cosignature | undefined {
  try {
    return cosignaturesIn(`${parseNote(note).text}\n${line}`, cosigners)[0];
  } catch (error) {
    if (error instanceof ProofError) return undefined;
    throw error;
  }
}

const pageSize = 1_000;

/** All cosignatures of trees up to a size, smallest first. Those of one tree are never in two batches. */
export async function* storedCosignatures(
  proofLog: Pick<ProofLog, 'cosignatures'>,
  upTo: number,
): AsyncGenerator<readonly StoredCosignature[]> {
  for (let after = 0; ;) {
    const page = await proofLog.cosignatures({ after, limit: pageSize });
    const last = page.at(-1)?.size ?? 0;
    // A full page may end in the middle of a tree.
    const whole = page.length < pageSize ? page : page.filter(({ size }) => size < last);
    yield whole.filter(({ size }) => size <= upTo);
    if (page.length < pageSize || last > upTo) return;
    after = whole.at(-1)?.size ?? last;
  }
}
