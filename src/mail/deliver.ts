import { doubled, pause } from '../ground/back-off.ts';
import type { Outbox, UnreadableMail, WaitingMail } from './outbox.ts';
import { MailRefused, type MailTransport } from './port.ts';
import type { mailRecord } from './record.ts';

const usual = {
  /** How often the outbox is read. Other processes may have added mails. */
  lookMs: 1_000,
  /** The delay before a refused mail is retried. It doubles each time, */
  firstPauseMs: 5_000,
  /** up to this, until the mail expires. */
  longestPauseMs: 10 * 60_000,
} as const;

export interface Delivering {
  readonly outbox: Outbox;
  readonly carrier: MailTransport;
  /** Called with the reason when a mail was refused or cannot be opened. Contains no address and no link. */
  readonly onRefused: (message: string) => void;
  /** Called before a mail is dropped whose recipient the mail server refuses for ever. */
  readonly onNoRecipient?: (mail: WaitingMail) => Promise<void>;
  /** Is told what became of the mails, for `status`. */
  readonly record: Pick<ReturnType<typeof mailRecord>, 'sent' | 'refused'>;
  readonly timing?: Readonly<Record<keyof typeof usual, number>>;
}

/**
 * The mail job: sends the mails of the outbox until the signal aborts. Run it in one process at a time. It fails
 * when a store fails and can be run again: it remembers sent mails that are not removed yet.
 */
export function mailDelivery(
  delivering: Delivering,
): (signal: AbortSignal, progress: { readonly succeeded: () => void }) => Promise<void> {
  const handled: Handled = { taken: new Set(), refused: new Map(), unreadable: new Set() };
  return (signal, progress) => deliver(delivering, handled, signal, progress);
}

/** Sent and refused mails, and those that cannot be opened, that are still in the outbox, by id. */
interface Handled {
  readonly taken: Set<string>;
  readonly refused: Map<string, { readonly pauseMs: number; readonly until: number }>;
  readonly unreadable: Set<string>;
}

async function deliver(
  delivering: Delivering,
  handled: Handled,
  signal: AbortSignal,
  progress: { readonly succeeded: () => void },
): Promise<void> {
  const { timing: { lookMs } = usual, record } = delivering;
  const stopped = () => signal.aborted;
  while (!stopped()) {
    const { mails, unreadable } = await delivering.outbox.read();
    forgetAllBut([...mails, ...unreadable], handled);
    for (const mail of unreadable) nameOnce(delivering, handled, mail);
    const outcomes: Outcome[] = [];
    for (const mail of mails) {
      if (stopped()) return;
      outcomes.push(await deliverOne(delivering, handled, mail));
    }
    const refusal = outcomes.findLast((outcome) => typeof outcome === 'object');
    if (outcomes.includes('sent')) await record.sent(new Date());
    else if (refusal) await record.refused(new Date(), refusal.refused);
    progress.succeeded();
    await pause(lookMs, signal);
  }
}

/** What became of a mail in one round. `refused`: for the time being, and why. */
type Outcome = 'sent' | 'given up' | 'waits' | { readonly refused: string };

async function deliverOne(
  { outbox, carrier, onRefused, onNoRecipient, timing = usual }: Delivering,
  { taken, refused }: Handled,
  mail: WaitingMail,
): Promise<Outcome> {
  if (mail.not_before !== undefined && Date.parse(mail.not_before) > Date.now()) return 'waits';
  const before = refused.get(mail.id);
  if (before && before.until > Date.now()) return 'waits';
  let outcome: Outcome = 'sent';
  try {
    if (!taken.has(mail.id)) await carrier.send(mail);
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    onRefused(error.message);
    if (!error.forGood) {
      const pauseMs = doubled(before?.pauseMs, {
        firstMs: timing.firstPauseMs,
        longestMs: timing.longestPauseMs,
      });
      refused.set(mail.id, { pauseMs, until: Date.now() + pauseMs });
      return { refused: error.message };
    }
    if (error.ofRecipient) await onNoRecipient?.(mail);
    outcome = 'given up';
  }
  // If the removal fails, the mail is not sent again.
  taken.add(mail.id);
  await outbox.remove(mail);
  return outcome;
}

/** Says once of a mail that cannot be opened. It stays until it expires: the key may come back. */
function nameOnce(
  { onRefused }: Delivering,
  { unreadable }: Handled,
  { id, written_at }: UnreadableMail,
): void {
  if (unreadable.has(id)) return;
  unreadable.add(id);
  onRefused(
    `The mail ${id} of ${written_at} cannot be opened: it was sealed under another master key, or changed. It is set aside, and the others are sent. Set MASTER_KEY_PREVIOUS to its key, or write it again.`,
  );
}

/** Drops entries of mails that are no longer in the outbox. */
function forgetAllBut(waiting: readonly UnreadableMail[], { taken, refused, unreadable }: Handled): void {
  const ids = new Set(waiting.map(({ id }) => id));
  for (const each of [taken, refused, unreadable])
    for (const id of each.keys()) if (!ids.has(id)) each.delete(id);
}
