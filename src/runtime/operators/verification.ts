import type { System } from '../../container.ts';
import { verifications } from '../../doctor/record.ts';
import { pause } from '../../ground/back-off.ts';
import { startJob, type Job, type Supervision } from '../../ground/job.ts';
import { isDaily, runLongCheck, type Due } from './long-check.ts';

const lookEveryMs = 5 * 60_000;

/** Starts the job that runs `verify` over the whole log every day, in a process of its own. It records its result itself. */
export function startVerification(system: Pick<System, 'side'>, supervision: Supervision): Job {
  const since = new Date();
  return startJob(supervision, {
    name: 'verification',
    lease: 'verification',
    async work(signal, progress) {
      while (!signal.aborted) {
        const run = () => runLongCheck(supervision.leases, ['verify', '--json'], signal);
        await verifyWhenDue(system, { now: new Date(), since }, run);
        progress.succeeded();
        await pause(lookEveryMs, signal);
      }
    },
  });
}

/**
 * One look of the job. The first run is due a day after the first look.
 * @throws Error with what the command wrote to stderr, when it gave no result
 */
export async function verifyWhenDue(
  { side }: Pick<System, 'side'>,
  due: Due,
  run: () => Promise<{ readonly stdout: string; readonly stderr: string }>,
): Promise<void> {
  const record = verifications(side);
  const newest = await record.newest();
  if (newest === undefined) await record.put({ at: due.now.toISOString() });
  if (!isDaily(newest?.at, due)) return;
  const { stdout, stderr } = await run();
  if (stdout === '') throw new Error(stderr.trim());
}
