import { formatAddCheckpoint } from '../audit/proof-log/format/add-checkpoint.ts';
import { cosignaturesIn, cosignerId, parseCosigner } from '../audit/proof-log/format/cosignature.ts';
import { ProofError } from '../audit/proof-log/errors.ts';
import { logKey } from '../audit/proof-log/format/log-key.ts';
import { consistencyProof } from '../audit/proof-log/format/merkle.ts';
import { textOfNote, type NoteVerifier } from '../audit/proof-log/format/note.ts';
import { storedTiles } from '../audit/proof-log/format/stored-tiles.ts';
import type { NamedWitness } from '../config.ts';
import type { System } from '../container.ts';
import { createSender, type Sender } from '../dispatch/attempts/sender.ts';
import { pause } from '../ground/back-off.ts';
import { counted } from '../ground/counted.ts';
import { startJob, type Job, type JobOptions, type Supervision } from '../ground/job.ts';
import type { EndedLog, SignedLog, SignedTree } from '../stores/side/proof-log-port.ts';
import { ownDestinations } from './checkpoint-push.ts';

/** How often a job looks for a new checkpoint. Until it is cosigned, readers who want cosignatures must wait. */
const lookEveryMs = 1_000;
/** For the whole request. A witness has a signature to check and a few hundred bytes to store. */
const timeoutMs = 10_000;
/** Several cosignatures of the longest type. What is beyond is not read as cosignatures. */
const mostBytes = 16_384;

/** A request for a cosignature failed. The message names the witness. */
class WitnessError extends Error {
  constructor(name: string, message: string) {
    super(`The witness ${name} ${message}`);
    this.name = 'WitnessError';
  }
}

/**
 * Starts a job for each witness, so that one that stalls or refuses delays no other, and is named in `status` and health.
 */
export function startWitnesses(system: System, supervision: Supervision): Job[] {
  return system.config.witnesses.named.map((witness) => {
    const sender = createSender({
      policy: ownDestinations(system.config),
      timeoutMs,
      maximumResponseBytes: mostBytes,
    });
    const cosigner = parseCosigner(witness.vkey);
    const name = `witness ${cosigner.name}`;
    const work = requestCosignatures(system, { cosigner, url: witness.url }, sender);
    // The name of a lease is that of a file; a witness may be named as it likes.
    const lease = `witness-${cosigner.id.toString('hex')}`;
    const job = startJob(supervision, { name, lease, work });
    return {
      failed: job.failed,
      async stop() {
        await job.stop();
        await sender.close();
      },
    };
  });
}

interface Destination {
  readonly cosigner: NoteVerifier;
  readonly url: NamedWitness['url'];
}

/**
 * The work of a job: requests a cosignature of the newest checkpoint when it starts and whenever there is a newer one, and
 * stores it beside the checkpoint. Ones that were signed meanwhile are left out: the newest one covers them.
 */
export const requestCosignatures =
  (
    { proofLog, vault }: Pick<System, 'proofLog' | 'vault'>,
    destination: Destination,
    sender: Sender,
    wait: (signal: AbortSignal) => Promise<void> = (signal) => pause(lookEveryMs, signal),
  ): JobOptions['work'] =>
  async (signal, progress) => {
    /** The size that the witness has cosigned, as far as this process knows. It tells when that is wrong. */
    let old = 0;
    let done = '';
    let number = 0;
    while (!signal.aborted) {
      const ended = await proofLog.ended();
      // Of another log it has cosigned nothing.
      if (ended.length !== number) [number, old] = [ended.length, 0];
      const log = proofLog.log(number);
      const newest = await log.newest();
      if (newest && newest.note !== done) {
        const line = await cosignatureOf(log, newest, old, destination, sender, signal).catch(
          naming(vault, ended.at(-1)),
        );
        await log.addCosignatures([{ size: newest.size, cosigner: cosignerId(destination.cosigner), line }]);
        [old, done] = [newest.size, newest.note];
      }
      progress.succeeded();
      await wait(signal);
    }
  };

/** Where another log has begun, a refusal says which, and the key that the witness must be given. */
const naming =
  (vault: System['vault'], former: EndedLog | undefined) =>
  async (error: unknown): Promise<never> => {
    const key = error instanceof WitnessError && former ? await logKey(vault) : undefined;
    if (key)
      (error as WitnessError).message +=
        ` This is a new log, which goes on for ${former?.origin ?? ''}: the witness must be given its key, ${key.vkey}`;
    throw error;
  };

/** The line of a valid cosignature. @throws WitnessError */
async function cosignatureOf(
  proofLog: SignedLog,
  tree: SignedTree,
  old: number,
  { cosigner, url }: Destination,
  sender: Sender,
  signal: AbortSignal,
): Promise<string> {
  const { name } = cosigner;
  const request = async (from: number) => {
    const proof = await consistencyProof(from, tree.size, storedTiles(proofLog));
    const outcome = await sender.send({
      url: `${url}/add-checkpoint`,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: formatAddCheckpoint({ old: from, proof, note: tree.note }),
      signal,
    });
    if (outcome.kind === 'failed') throw new WitnessError(name, `cannot be reached: ${outcome.message}`);
    return outcome;
  };
  let answer = await request(old);
  if (answer.status === 409) answer = await request(sizeIn(answer.responseText, tree, name, old));
  switch (answer.status) {
    case 200:
      if (answer.truncated)
        throw new WitnessError(name, 'answers with more than cosignatures, or broke off.');
      return validLine(tree, answer.responseText, cosigner);
    case 403:
      throw new WitnessError(name, 'does not have the key of this log (403). Give it the vkey anew.');
    case 404:
      throw new WitnessError(
        name,
        'does not cosign this log (404), or its address is wrong. Give it the vkey.',
      );
    case 409:
      throw new WitnessError(name, 'answers two times that it has cosigned another size (409).');
    case 422:
      throw new WitnessError(
        name,
        `refuses the checkpoint of ${counted(tree.size, 'entry', 'entries')} (422): it does not continue what it has cosigned. This log, or the witness, was changed or put back. Keep the files as they are, and run "commonweal verify" with the checkpoint of the witness.`,
      );
    default:
      throw new WitnessError(name, `answers with ${answer.status}.`);
  }
}

/** The size that the witness has cosigned, from which a proof is made. @throws WitnessError */
function sizeIn(text: string, { size }: SignedTree, name: string, old: number): number {
  const cosigned = /^(0|[1-9]\d{0,15})\n?$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(cosigned)) throw new WitnessError(name, 'answers with 409 and no size.');
  if (cosigned === old)
    throw new WitnessError(
      name,
      `answers that it has cosigned ${counted(cosigned, 'entry', 'entries')}, which was proved (409).`,
    );
  if (cosigned <= size) return cosigned;
  throw new WitnessError(
    name,
    `has cosigned ${counted(cosigned, 'entry', 'entries')}, and this log has signed ${size} (409): the log was cut back, or put back from a backup. Keep the files as they are, and run "commonweal verify" with the checkpoint of the witness.`,
  );
}

/** @throws WitnessError */
function validLine({ note }: SignedTree, lines: string, cosigner: NoteVerifier): string {
  try {
    const [found] = cosignaturesIn(`${textOfNote(note)}\n${lines}`, [cosigner]);
    if (found) return found.line;
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    throw new WitnessError(cosigner.name, `answers with a cosignature that is not valid: ${error.message}`);
  }
  throw new WitnessError(cosigner.name, 'answers with no cosignature of its key. Is WITNESSES right?');
}
