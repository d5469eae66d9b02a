import type { System } from '../../container.ts';
import { checkDueDomains } from '../../dispatch/operations/check-domain.ts';
import { destinationPolicy } from '../../dispatch/operations/destination-policy.ts';
import { pause } from '../../ground/back-off.ts';
import { startJob, type Job, type Supervision } from '../../ground/job.ts';

/** How often it looks which domains are due, in milliseconds. Each is checked once a week. */
const lookEveryMs = 60 * 60_000;

/** Starts the job that checks verified domains of sites again. It runs in one process at a time. */
export function startDomainChecks(system: System, supervision: Supervision): Job {
  const { store, side, documents, config } = system;
  const policy = destinationPolicy(config);
  return startJob(supervision, {
    name: 'domains',
    lease: 'domains',
    async work(signal, progress) {
      while (!signal.aborted) {
        await checkDueDomains({ store, side, documents, policy }, new Date(), signal);
        progress.succeeded();
        await pause(lookEveryMs, signal);
      }
    },
  });
}
