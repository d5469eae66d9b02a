import { putClaimMails } from '../../actions/directory/upkeep/claims/claim-mails.ts';
import { eraseOldClaims } from '../../actions/directory/upkeep/claims/old-claims.ts';
import type { System } from '../../container.ts';
import { pause } from '../../ground/back-off.ts';
import { startJob, type Job, type Supervision } from '../../ground/job.ts';

/** How often it looks for mails, in milliseconds: somebody waits for them. */
const everyMs = 5_000;
/** In one of so many rounds it looks for addresses whose time is over. */
const longRound = 720;

/**
 * Starts the job that mails the links of those who claim and keep records, and erases addresses of which nothing came. It runs in
 * one process at a time. `base`: the address of the public pages.
 */
export function startClaims(system: System, base: string, supervision: Supervision): Job {
  return startJob(supervision, {
    name: 'claims',
    lease: 'claims',
    async work(signal, progress) {
      for (let round = 0; !signal.aborted; round++) {
        await putClaimMails(system, base, new Date());
        if (round % longRound === 0) await eraseOldClaims(system, new Date());
        progress.succeeded();
        await pause(everyMs, signal);
      }
    },
  });
}
