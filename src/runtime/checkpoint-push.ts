import { appendFile, open } from 'node:fs/promises';
import type { Config } from '../config.ts';
import type { System } from '../container.ts';
import { createSender, isAcknowledged, type Sender } from '../dispatch/attempts/sender.ts';
import { startJob, type Job, type JobOptions, type Supervision } from '../ground/job.ts';
import { destinationPolicy } from '../dispatch/operations/destination-policy.ts';
import { pause } from '../ground/back-off.ts';

/** How often the job looks for a new checkpoint. */
const lookEveryMs = 5_000;

/** Takes a checkpoint to a place outside the operator's reach. Repeating one is harmless. */
export type Push = (note: string) => Promise<void>;

/** Starts the job that pushes checkpoints. Undefined when no place is named. */
export function startCheckpointPush(system: System, supervision: Supervision): Job | undefined {
  const { push } = system.config.checkpoints;
  if (push === undefined) return undefined;
  const sender = push.startsWith('/') ? undefined : createSender({ policy: ownDestinations(system.config) });
  const work = pushCheckpoints(system, sender ? toAddress(push, sender) : toFile(push));
  const job = startJob(supervision, { name: 'checkpoint-push', lease: 'checkpoint-push', work });
  return {
    failed: job.failed,
    async stop() {
      await job.stop();
      await sender?.close();
    },
  };
}

/** The operator names these addresses, so they may be in a network of their own; this service itself is still refused. */
export const ownDestinations = (config: Config) =>
  destinationPolicy({ ...config, allowPrivateWebhooks: true });

/**
 * The work of the job: pushes the newest checkpoint when it starts and whenever there is a newer one. Ones that were
 * signed while it could not be reached are left out: the newest one covers them.
 */
export const pushCheckpoints =
  (
    { proofLog }: Pick<System, 'proofLog'>,
    push: Push,
    wait: (signal: AbortSignal) => Promise<void> = slept,
  ): JobOptions['work'] =>
  async (signal, progress) => {
    let pushed = '';
    while (!signal.aborted) {
      const newest = await proofLog.newest();
      // By its text: the first checkpoint of a new log may be of a smaller tree.
      if (newest && newest.note !== pushed) {
        await push(newest.note);
        pushed = newest.note;
      }
      progress.succeeded();
      await wait(signal);
    }
  };

const slept = (signal: AbortSignal): Promise<void> => pause(lookEveryMs, signal);

/** A POST of the signed note. Any 2xx takes it. */
export const toAddress =
  (url: string, sender: Sender): Push =>
  async (note) => {
    const headers = { 'content-type': 'text/plain; charset=utf-8' };
    const outcome = await sender.send({ url, headers, body: note });
    if (isAcknowledged(outcome)) return;
    const why = outcome.kind === 'answered' ? `the answer was ${outcome.status}` : outcome.message;
    throw new Error(`The checkpoint could not be sent to ${new URL(url).host}: ${why}`);
  };

/** Appends the note and an empty line, unless the file ends with it. Never shortens the file. */
export const toFile =
  (path: string): Push =>
  async (note) => {
    const addition = `${note}\n`;
    try {
      if ((await endOf(path, Buffer.byteLength(addition))) !== addition) await appendFile(path, addition);
    } catch (error) {
      throw new Error(`The checkpoint could not be written to ${path}: ${(error as Error).message}`, {
        cause: error,
      });
    }
  };

async function endOf(path: string, bytes: number): Promise<string> {
  const file = await open(path, 'r').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  if (file === undefined) return '';
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, Math.max(0, size - bytes));
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
