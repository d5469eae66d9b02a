import { setTimeout as sleep } from 'node:timers/promises';
import type { System } from '../../container.ts';
import type { Finding } from '../../doctor/finding.ts';
import { examinations } from '../../doctor/record.ts';
import { runCommandProcess } from './command-process.ts';
import { startJob, type Job, type Supervision } from '../job.ts';

/** How often it looks whether a check is due, in milliseconds. */
const lookEveryMs = 5 * 60_000;
const everyMs = 24 * 60 * 60_000;

/** Starts the job that runs `doctor` every day, in a process of its own, and records its problems for health. */
export function startDoctor(system: Pick<System, 'side'>, supervision: Supervision): Job {
  const record = examinations(system.side);
  return startJob(supervision, {
    name: 'doctor',
    lease: 'doctor',
    async work(signal, progress) {
      while (!signal.aborted) {
        const newest = await record.newest();
        if (newest === undefined) await record.put({ at: new Date().toISOString(), problems: 0 });
        else if (Date.now() - Date.parse(newest.at) >= everyMs) {
          const { stdout, stderr } = await runCommandProcess(['doctor', '--json'], signal);
          if (stdout === '') throw new Error(`doctor: ${stderr.trim()}`);
          const { findings } = JSON.parse(stdout) as { readonly findings: readonly Finding[] };
          const problems = findings.filter(({ severity }) => severity === 'problem').length;
          await record.put({ at: new Date().toISOString(), problems });
        }
        progress.succeeded();
        await sleep(lookEveryMs, undefined, { signal }).catch(() => undefined);
      }
    },
  });
}
