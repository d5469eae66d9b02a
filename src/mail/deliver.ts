import { setTimeout as pause } from 'node:timers/promises';
import type { Leases } from '../stores/leases/port.ts';
import type { Outbox } from './outbox.ts';
import { MailRefused, type Carrier } from './port.ts';

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
  readonly carrier: Carrier;
  readonly leases: Leases;
  readonly signal: AbortSignal;
  /** Hears of what was not taken; no address, no link. */
  readonly complain: (message: string) => void;
  readonly timing?: Readonly<Record<keyof typeof usual, number>>;
}

/** Carries mails away as long as it is not told to stop; of several processes one at a time. */
export async function deliverMail(delivering: Delivering): Promise<void> {
  const { leases, signal } = delivering;
  while (!signal.aborted) {
    const lease = await leases.acquire('mail', signal);
    if (!lease) return;
    try {
      await whileHeld(delivering, AbortSignal.any([signal, lease.lost]));
    } finally {
      await lease.release();
    }
  }
}

async function whileHeld(
  { outbox, carrier, complain, timing = usual }: Delivering,
  signal: AbortSignal,
): Promise<void> {
  const { lookMs, firstPauseMs, longestPauseMs } = timing;
  const refused = new Map<string, { pauseMs: number; until: number }>();
  const stopped = () => signal.aborted;
  while (!stopped()) {
    for (const mail of await outbox.waiting()) {
      if (stopped()) return;
      const before = refused.get(mail.id);
      if (before && before.until > Date.now()) continue;
      try {
        await carrier.send(mail);
        await outbox.remove(mail.id);
        refused.delete(mail.id);
      } catch (error) {
        if (!(error instanceof MailRefused)) throw error;
        complain(error.message);
        if (error.forGood) {
          await outbox.remove(mail.id);
          continue;
        }
        const pauseMs = before ? Math.min(before.pauseMs * 2, longestPauseMs) : firstPauseMs;
        refused.set(mail.id, { pauseMs, until: Date.now() + pauseMs });
      }
    }
    await pause(lookMs, undefined, { signal }).catch(() => undefined);
  }
}
