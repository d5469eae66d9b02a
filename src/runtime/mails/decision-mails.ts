import { mailDecisions } from '../../actions/accounts/decision-mails.ts';
import { textsIn } from '../../api/pages/frame/texts.ts';
import type { System } from '../../container.ts';
import { pause } from '../../ground/back-off.ts';
import { startJob, type Job, type Supervision } from '../../ground/job.ts';

/** How often it looks for decisions, in milliseconds. */
const everyMs = 30_000;

/**
 * Starts the job that tells members by mail what became of the records that they submitted. It runs in one process at a
 * time. `base`: the address of the dashboard. Undefined when no mail server is configured.
 */
export function startDecisionMails(system: System, base: string, supervision: Supervision): Job | undefined {
  if (system.config.smtpUrl === undefined) return undefined;
  const texts = (language: string) => textsIn(language).decisionMail;
  return startJob(supervision, {
    name: 'decision-mails',
    lease: 'decision-mails',
    async work(signal, progress) {
      while (!signal.aborted) {
        await mailDecisions(system, base, texts, new Date());
        progress.succeeded();
        await pause(everyMs, signal);
      }
    },
  });
}
