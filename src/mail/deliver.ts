import { setTimeout as pause } from 'node:timers/promises';
import type { Outbox, WaitingMail } from './outbox.ts';
import { MailRefused, type MailTransport } from './port.ts';

const usual = {
  /** How often the outbox is looked into: a process next door may have put something there. */
  lookMs: 1_000,
  /** A mail that was not taken is tried again after this, then after twice as long each time, */
  firstPauseMs: 5_000,
  /** up to this, until it expires. */
  longestPauseMs: 10 * 60_000,
} as const;

export interface Delivering {
  readonly outbox: Outbox;
  readonly carrier: MailTransport;
  /** Hears of what was not taken; no address, no link. */
  readonly onRefused: (message: string) => void;
  readonly timing?: Readonly<Record<keyof typeof usual, number>>;
}

/**
 * Sends the mails of the outbox until the signal aborts, as a job that one process runs at a time. Fails when a
 * store does, and may then be run again: it remembers which mails were sent and only wait to be removed.
 */
export function mailDelivery(
  delivering: Delivering,
): (signal: AbortSignal, progress: { readonly succeeded: () => void }) => Promise<void> {
  const known: Known = { taken: new Set(), refused: new Map() };
  return (signal, progress) => deliver(delivering, known, signal, progress);
}

/** What is known of mails in the outbox, by their ids. */
interface Known {
  readonly taken: Set<string>;
  readonly refused: Map<string, { readonly pauseMs: number; readonly until: number }>;
}

async function deliver(
  delivering: Delivering,
  known: Known,
  signal: AbortSignal,
  progress: { readonly succeeded: () => void },
): Promise<void> {
  const { lookMs } = delivering.timing ?? usual;
  const stopped = () => signal.aborted;
  while (!stopped()) {
    const waiting = await delivering.outbox.waiting();
    forgetAllBut(waiting, known);
    for (const mail of waiting) {
      if (stopped()) return;
      await deliverOne(delivering, known, mail);
    }
    progress.succeeded();
    await pause(lookMs, undefined, { signal }).catch(() => undefined);
  }
}

async function deliverOne(
  { outbox, carrier, onRefused, timing = usual }: Delivering,
  { taken, refused }: Known,
  mail: WaitingMail,
): Promise<void> {
  if (mail.not_before !== undefined && Date.parse(mail.not_before) > Date.now()) return;
  const before = refused.get(mail.id);
  if (before && before.until > Date.now()) return;
  try {
    if (!taken.has(mail.id)) await carrier.send(mail);
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    onRefused(error.message);
    if (!error.forGood) {
      const pauseMs = before ? Math.min(before.pauseMs * 2, timing.longestPauseMs) : timing.firstPauseMs;
      refused.set(mail.id, { pauseMs, until: Date.now() + pauseMs });
      return;
    }
  }
  // Should removing fail, it is not sent a second time.
  taken.add(mail.id);
  await outbox.remove(mail.id);
}

/** Forgets what is in the outbox no more: removed, or of no more use. */
function forgetAllBut(waiting: readonly WaitingMail[], { taken, refused }: Known): void {
  const ids = new Set(waiting.map(({ id }) => id));
  for (const known of [taken, refused]) for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
}
