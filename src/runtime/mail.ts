import type { System } from '../container.ts';
import { mailDelivery } from '../mail/deliver.ts';
import { Outbox } from '../mail/outbox.ts';
import { startJob, type Job } from './job.ts';

/** Carries mails away while the server runs; undefined where there is nowhere to carry them. */
export async function carryMail(
  { config, side, masterKey, leases }: System,
  complain: (error: unknown) => void,
): Promise<Job | undefined> {
  const { smtpUrl, mailFrom, authUrl, baseUrl } = config;
  if (smtpUrl === undefined) return undefined;
  // Loaded here, because a server without SMTP_URL does without.
  const { smtpCarrier } = await import('../mail/smtp.ts');
  const { hostname } = new URL(authUrl ?? baseUrl ?? 'http://localhost');
  const carrier = smtpCarrier({ url: smtpUrl, from: mailFrom ?? `Commonweal <no-reply@${hostname}>` });
  const outbox = new Outbox({ side, masterKey });
  const job = startJob(mailDelivery({ outbox, carrier, leases, complain }), { onFault: complain });
  return {
    failed: job.failed,
    async stop() {
      carrier.close();
      await job.stop();
    },
  };
}
