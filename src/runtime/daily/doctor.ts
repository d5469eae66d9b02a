import { setTimeout as sleep } from 'node:timers/promises';
import type { System } from '../../container.ts';
import { examinations } from '../../doctor/record.ts';
import { runCommandProcess } from './command-process.ts';
import { startJob, type Job, type Supervision } from '../job.ts';

/** How often it looks whether a check is due, in milliseconds. */
const lookEveryMs = 5 * 60_000;
const everyMs = 24 * 60 * 60_000;

/** Starts the job that runs `doctor` every day, in a process of its own, and records its problems for health. */
export function startDoctor(system: Pick<System, 'side'>, supervision: Supervision): Job {
  return startJob(supervision, {
    name: 'doctor',
    lease: 'doctor',
    async work(signal, progress) {
      while (!signal.aborted) {
        await examineWhenDue(system, new Date(), () => runCommandProcess(['doctor', '--json'], signal));
        progress.succeeded();
        await sleep(lookEveryMs, undefined, { signal }).catch(() => undefined);
      }
    },
  });
}

/**
 * One look of the job. The first run is due a day after the first look.
 * @throws Error with what the command wrote to stderr, when it gave no result
 */
export async function examineWhenDue(
  { side }: Pick<System, 'side'>,
  now: Date,
  run: () => Promise<{ readonly stdout: string; readonly stderr: string }>,
): Promise<void> {
  const record = examinations(side);
  const newest = await record.newest();
  if (newest === undefined) return record.put({ at: now.toISOString() });
  if (now.getTime() - Date.parse(newest.at) < everyMs) return;
  const { stdout, stderr } = await run();
  if (stdout === '') throw new Error(`doctor: ${stderr.trim()}`);
  const { problems } = JSON.parse(stdout) as { readonly problems: number };
  await record.put({ at: now.toISOString(), problems });
}
