import { mailExpiringKeys } from '../../actions/accounts/key-expiry-mails.ts';
import type { System } from '../../container.ts';
import { pause } from '../../ground/back-off.ts';
import { startJob, type Job, type Supervision } from '../../ground/job.ts';

/** How often it looks for keys that expire soon, in milliseconds. Keys end by themselves. */
const everyMs = 10 * 60_000;

/**
 * Starts the job that tells people by mail that a key of theirs expires soon. It runs in one process at a time. `base`: the
 * address of the dashboard. Undefined when no mail server is configured.
 */
export function startKeyExpiries(system: System, base: string, supervision: Supervision): Job | undefined {
  const { smtpUrl, timeZone } = system.config;
  if (smtpUrl === undefined) return undefined;
  return startJob(supervision, {
    name: 'key-expiries',
    lease: 'key-expiries',
    async work(signal, progress) {
      while (!signal.aborted) {
        await mailExpiringKeys(system, { base, timeZone }, new Date());
        progress.succeeded();
        await pause(everyMs, signal);
      }
    },
  });
}
