import type { System } from '../container.ts';
import { deliverMail } from '../mail/deliver.ts';
import { Outbox } from '../mail/outbox.ts';

/** Carries mails away while the server runs, where there is somewhere to carry them. Answers what ends it. */
export async function carryingMail(
  { config, side, masterKey, leases }: System,
  complain: (message: string) => void,
): Promise<() => Promise<void>> {
  const { smtpUrl, mailFrom, authUrl, baseUrl } = config;
  if (smtpUrl === undefined) return () => Promise.resolve();
  // Loaded here, because a server without SMTP_URL does without.
  const { smtpCarrier } = await import('../mail/smtp.ts');
  const { hostname } = new URL(authUrl ?? baseUrl ?? 'http://localhost');
  const carrier = smtpCarrier({ url: smtpUrl, from: mailFrom ?? `Commonweal <no-reply@${hostname}>` });
  const done = new AbortController();
  const outbox = new Outbox({ side, masterKey });
  const carrying = deliverMail({ outbox, carrier, leases, complain, signal: done.signal }).catch(
    (error: unknown) =>
      complain(`No more mail is sent: ${error instanceof Error ? error.message : String(error)}`),
  );
  return async () => {
    done.abort();
    carrier.close();
    await carrying;
  };
}
