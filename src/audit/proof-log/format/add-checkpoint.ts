/** How a log requests a cosignature of a witness, and how a witness answers: https://c2sp.org/tlog-witness. */
import { hash } from 'node:crypto';
import type { WitnessStore } from '../../../stores/side/witness-port.ts';
import { parseCheckpoint, type Checkpoint } from './checkpoint.ts';
import { cosign } from './cosignature.ts';
import { ProofError } from '../errors.ts';
import { emptyRoot, verifyConsistency } from './merkle.ts';
import { exactBase64, openNote, parseVkey, type NoteSigner, type NoteVerifier } from './note.ts';
import { hashBytes } from './tiles.ts';

/** A checkpoint, and the proof that it continues one of size `old`. */
export interface AddCheckpoint {
  readonly old: number;
  readonly proof: readonly Buffer[];
  /** The signed note. */
  readonly note: string;
}

/** The body of a request to `add-checkpoint`. */
export const formatAddCheckpoint = ({ old, proof, note }: AddCheckpoint): string =>
  [`old ${old}`, ...proof.map((each) => each.toString('base64')), '', note].join('\n');

const mostProofLines = 63;

/** @throws ProofError malformed */
export function parseAddCheckpoint(body: string): AddCheckpoint {
  const end = body.indexOf('\n\n');
  const [first = '', ...lines] = body.slice(0, Math.max(end, 0)).split('\n');
  const [, old] = /^old (0|[1-9]\d*)$/.exec(first) ?? [];
  const proof = lines.map(exactBase64);
  if (
    old === undefined ||
    !Number.isSafeInteger(Number(old)) ||
    proof.length > mostProofLines ||
    !proof.every((each) => each?.length === hashBytes)
  ) {
    throw new ProofError(
      'malformed',
      'A request is the line "old" with a size, at most 63 lines of a consistency proof, an empty line, and a checkpoint.',
    );
  }
  return { old: Number(old), proof: proof as Buffer[], note: body.slice(end + 2) };
}

/** What a witness works with. */
export interface Witness {
  readonly signer: NoteSigner;
  /** The keys of the logs that it cosigns, by origin: several while the key of a log is rotated. */
  readonly logs: ReadonlyMap<string, readonly NoteVerifier[]>;
  readonly store: WitnessStore;
  readonly now: () => Date;
}

/** The keys of logs, by origin. @throws ProofError malformed */
export const logsOfVkeys = (vkeys: readonly string[]): ReadonlyMap<string, readonly NoteVerifier[]> =>
  Map.groupBy(vkeys.map(parseVkey), ({ name }) => name);

/** The origin that a request names, whatever else it says. */
export const originIn = (body: string): string => body.split('\n\n', 2)[1]?.split('\n', 1)[0] ?? '';

/** The answer of a witness to a request. */
export interface WitnessAnswer {
  readonly status: 200 | 400 | 403 | 404 | 409 | 422;
  readonly body: string;
  /** The media type. Default: plain text. */
  readonly type?: string;
}

/**
 * Cosigns a checkpoint that continues the largest one of its log that was cosigned before, and stores it first. The
 * checks are those of the specification, in its order.
 */
export async function addCheckpoint(witness: Witness, body: string): Promise<WitnessAnswer> {
  let request: AddCheckpoint;
  let text: string;
  let checkpoint: Checkpoint;
  try {
    request = parseAddCheckpoint(body);
    // Lines of signatures that are malformed are no signature of the log, which is 403.
    text = request.note.slice(0, request.note.lastIndexOf('\n\n') + 1);
    checkpoint = parseCheckpoint(text);
  } catch (error) {
    return refused(400, error);
  }
  const { origin, size } = checkpoint;
  const verifiers = witness.logs.get(origin);
  if (!verifiers) return { status: 404, body: `${origin} is no log that this witness cosigns.\n` };
  try {
    openNote(request.note, verifiers);
  } catch (error) {
    return refused(403, error);
  }
  if (request.old > size) {
    return {
      status: 400,
      body: `The old size is ${request.old}, larger than that of the checkpoint, ${size}.\n`,
    };
  }
  const newest = await witness.store.newest(origin);
  const former = newest ?? { size: 0, root: emptyRoot };
  if (request.old !== former.size) return conflict(former.size);
  try {
    if (size === 0 && !checkpoint.root.equals(emptyRoot))
      throw new ProofError('mismatch', 'The tree of no entries has another root.');
    verifyConsistency(former, checkpoint, request.proof);
  } catch (error) {
    return refused(422, error);
  }
  const line = cosign(text, witness.signer, Math.floor(witness.now().getTime() / 1_000));
  // The signatures that were verified, and no other ones that somebody has added.
  const own = request.note
    .slice(text.length + 1)
    .split('\n')
    .filter((each) => verifiers.some((verifier) => isOf(each, verifier)));
  const note = `${text}\n${[...new Set(own)].join('\n')}\n${line}`;
  const isStored = await witness.store.advance(origin, { size, root: checkpoint.root, note }, newest);
  // Another request came between the look at the newest one and this.
  if (!isStored) return conflict((await witness.store.newest(origin))?.size ?? 0);
  return { status: 200, body: line };
}

const isOf = (line: string, { name, id }: NoteVerifier): boolean =>
  line.startsWith(`— ${name} `) &&
  Buffer.from(line.slice(`— ${name} `.length), 'base64')
    .subarray(0, id.length)
    .equals(id);

const conflict = (size: number): WitnessAnswer => ({
  status: 409,
  body: `${size}\n`,
  type: 'text/x.tlog.size',
});

function refused(status: 400 | 403 | 422, error: unknown): WitnessAnswer {
  if (error instanceof ProofError) return { status, body: `${error.message}\n` };
  throw error;
}

/** The newest cosigned checkpoint of the log with this origin hash. Undefined when there is none. */
export async function cosignedCheckpoint(
  { logs, store }: Pick<Witness, 'logs' | 'store'>,
  originHash: string,
): Promise<string | undefined> {
  const origin = [...logs.keys()].find((each) => hash('sha256', each, 'hex') === originHash);
  return origin === undefined ? undefined : (await store.newest(origin))?.note;
}
