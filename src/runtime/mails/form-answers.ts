import { mailAnswers } from '../../actions/forms-mails.ts';
import { eraseDueAnswers } from '../../actions/forms-retention.ts';
import type { System } from '../../container.ts';
import { pause } from '../../ground/back-off.ts';
import { startJob, type Job, type Supervision } from '../../ground/job.ts';

/** How often it looks for new answers, in milliseconds. */
const everyMs = 20_000;
/** In one of so many rounds it looks for answers whose time is over. */
const longRound = 30;

/**
 * Starts the job that tells members of new answers to forms by mail, and erases answers whose time is over. It runs in
 * one process at a time. `base`: the address of the dashboard.
 */
export function startFormAnswers(system: System, base: string, supervision: Supervision): Job {
  return startJob(supervision, {
    name: 'form-answers',
    lease: 'form-answers',
    async work(signal, progress) {
      for (let round = 0; !signal.aborted; round++) {
        // Without a mail server, a mail would wait where only administrators see it.
        if (system.config.smtpUrl !== undefined) await mailAnswers(system, base, new Date());
        if (round % longRound === 0) await eraseDueAnswers(system, new Date());
        progress.succeeded();
        await pause(everyMs, signal);
      }
    },
  });
}
