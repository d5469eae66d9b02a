import type { Config } from '../config.ts';
import { mailRecord, waitingMails } from '../mail/record.ts';
import type { SideStore } from '../stores/side/port.ts';

/** How the sending of emails is. */
export interface MailState {
  /** There is a mail server. Without one, emails wait in the outbox for an administrator. */
  readonly set_up: boolean;
  readonly waiting: number;
  /** Those of them that have waited for over an hour. */
  readonly late: number;
  /** ISO 8601 UTC. When the mail server took the newest one. */
  readonly sent_at: string | null;
  /** ISO 8601 UTC. Since when it has taken none, and has refused some for the time being. */
  readonly refused_since: string | null;
}

export async function mailState(
  { side, config }: { readonly side: SideStore; readonly config: Pick<Config, 'smtpUrl'> },
  now: Date,
): Promise<MailState> {
  const [{ waiting, late }, { sent_at, refused }] = await Promise.all([
    waitingMails(side, now),
    mailRecord(side).newest(),
  ]);
  return {
    set_up: config.smtpUrl !== undefined,
    waiting,
    late,
    sent_at: sent_at ?? null,
    refused_since: refused?.since ?? null,
  };
}
