import type { SideStore } from '../stores/side/port.ts';

/** What became of the newest mails. Names nobody. */
export interface MailRecord {
  /** ISO 8601 UTC. When the mail server took the newest one. */
  readonly sent_at?: string;
  /** Since then it has taken none, and has refused some for the time being. */
  readonly refused?: { readonly since: string; readonly error: string };
}

const id = 'newest';

/** Written by the job that sends mails, and read by `status` in any process. */
export function mailRecord(side: SideStore) {
  const table = side.table<MailRecord>('mail-record');
  return {
    newest: async (): Promise<MailRecord> => (await table.get(id)) ?? {},
    sent: (at: Date): Promise<void> => table.put(id, { sent_at: at.toISOString() }),
    async refused(at: Date, error: string): Promise<void> {
      const before = await table.get(id);
      await table.put(id, {
        ...before,
        refused: { since: before?.refused?.since ?? at.toISOString(), error },
      });
    },
  };
}

export interface WaitingMails {
  /** Those that may be sent now. */
  readonly waiting: number;
  /** Those of them that wait for over an hour: servers that ask to try again later do so for minutes. */
  readonly late: number;
}

const lateAfterMs = 60 * 60_000;

/** How many mails wait. What a mail says stays sealed: ids begin with the time from which it may be sent, in milliseconds. */
export async function waitingMails(side: SideStore, now: Date): Promise<WaitingMails> {
  // What is empty was sent.
  const all = await side.table<string>('mail').list();
  const ages = all
    .filter(({ value }) => value !== '')
    .map(({ id: of }) => now.getTime() - Number(of.split('-', 1)[0]))
    .filter((age) => age >= 0);
  return { waiting: ages.length, late: ages.filter((age) => age > lateAfterMs).length };
}
