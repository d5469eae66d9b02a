import { pause } from '../ground/back-off.ts';
import type { ImportJobs } from '../imports/import-jobs.ts';
import { startJob, type Job, type Supervision } from '../ground/job.ts';

/** How often this node looks what was asked of the imports whose files it has, in milliseconds. */
const everyMs = 1_000;

/** Starts the job that sees to the files of imports. Every node has its own files, so it runs in each process. */
export function startImports(imports: ImportJobs, supervision: Supervision): Job {
  return startJob(supervision, {
    name: 'imports',
    async work(signal, progress) {
      while (!signal.aborted) {
        await imports.tend();
        progress.succeeded();
        await pause(everyMs, signal);
      }
    },
  });
}
