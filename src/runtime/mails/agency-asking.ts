import { noteUnreachable } from '../../actions/directory/upkeep/agency-answers.ts';
import { contactOfMail } from '../../actions/directory/upkeep/asking-mails.ts';
import { agencyRounds } from '../../actions/directory/upkeep/asking-rounds.ts';
import type { System } from '../../container.ts';
import { uuidOf } from '../../events/ids.ts';
import { pause } from '../../ground/back-off.ts';
import { startJob, type Job, type Supervision } from '../../ground/job.ts';
import type { WaitingMail } from '../../mail/outbox.ts';

/** How often it looks whose turn it is, in milliseconds. */
const everyMs = 60_000;

/**
 * Starts the job that asks agencies by mail whether their records are still right, and gives their answers their effect. It runs
 * in one process at a time. `base`: the address of the public pages.
 */
export function startAgencyAsking(system: System, base: string, supervision: Supervision): Job {
  const round = agencyRounds(system, { base });
  return startJob(supervision, {
    name: 'agency-asking',
    lease: 'agency-asking',
    async work(signal, progress) {
      while (!signal.aborted) {
        await round(new Date());
        progress.succeeded();
        await pause(everyMs, signal);
      }
    },
  });
}

/** Notes that a mail server refuses a contact of agencies for ever. Of other mails nothing is noted. */
export const noteRefusedContact =
  (system: System) =>
  async ({ id }: WaitingMail): Promise<void> => {
    const contact = contactOfMail(id);
    if (contact === undefined) return;
    await noteUnreachable(system, contact, 'refused', {
      actor: { kind: 'system', id: 'agency-mails' },
      commandId: uuidOf('agency-refused', id),
      at: new Date(),
    });
  };
