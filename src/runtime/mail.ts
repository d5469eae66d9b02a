import type { System } from '../container.ts';
import { mailDelivery } from '../mail/deliver.ts';
import { Outbox } from '../mail/outbox.ts';
import { startJob, type Job, type Supervision } from '../ground/job.ts';

/** Starts the mail job. Undefined when no mail server is configured. */
export async function startMailDelivery(
  { config, side, masterKey }: System,
  supervision: Supervision,
): Promise<Job | undefined> {
  const { smtpUrl, mailFrom, authUrl, baseUrl } = config;
  if (smtpUrl === undefined) return undefined;
  // Loaded here, because a server without SMTP_URL does not need it.
  const { smtpTransport } = await import('../mail/smtp.ts');
  const { hostname } = new URL(authUrl ?? baseUrl ?? 'http://localhost');
  const carrier = smtpTransport({ url: smtpUrl, from: mailFrom ?? `Commonweal <no-reply@${hostname}>` });
  const outbox = new Outbox({ side, masterKey });
  const onRefused = (message: string) => supervision.onFault('mail', message);
  const work = mailDelivery({ outbox, carrier, onRefused });
  const job = startJob(supervision, { name: 'mail', lease: 'mail', work });
  return {
    failed: job.failed,
    async stop() {
      carrier.close();
      await job.stop();
    },
  };
}
