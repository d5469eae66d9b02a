import { LRUCache } from 'lru-cache';
import { entries } from '../../ground/capacity.ts';
import type { Consumed } from './consume.ts';
import type { Limit } from './port.ts';

/** The most keys kept in memory. */
const mostKeys = 50_000;

/** The window of a key, as far as this process knows it. */
interface Window {
  /** At the last count of all clients together, and what was counted here since. */
  readonly used: number;
  readonly endsAt: number;
  /** Of these, how many the shared store does not have. Negative: what was given back meanwhile. */
  readonly uncounted: number;
}

/**
 * The windows of one limit in this process: what counts while the shared store is away or busy. A count here goes on from
 * the last shared one. Begun at nothing, it let everybody try as often once more with each moment in which the store was
 * busy. What is counted here is later added to the shared count. Times are milliseconds of one clock.
 */
export class LocalWindows {
  readonly #windowMs: number;
  readonly #windows = new LRUCache<string, Window>(entries(mostKeys));

  constructor({ windowSeconds }: Limit) {
    this.#windowMs = windowSeconds * 1_000;
  }

  /** The current window of a key. It begins with its first attempt. */
  of(key: string, now: number): Window {
    const window = this.#windows.get(key);
    // A window that ends later than a new one would: the clock was set back.
    const isCurrent = window && now < window.endsAt && window.endsAt <= now + this.#windowMs;
    return isCurrent ? window : { used: 0, endsAt: now + this.#windowMs, uncounted: 0 };
  }

  /** Counts so many here. Negative: gives them back. */
  add(key: string, attempts: number, now: number): Consumed {
    const { used, endsAt, uncounted } = this.of(key, now);
    const more = Math.max(attempts, -used);
    this.#windows.set(key, { used: used + more, endsAt, uncounted: uncounted + more });
    return { used: used + more, resetMs: endsAt - now };
  }

  /** Keeps the result of a shared count, which does not hold what is uncounted here. */
  learn(key: string, used: number, resetMs: number, now: number): void {
    const { uncounted } = this.of(key, now);
    this.#windows.set(key, { used: used + uncounted, endsAt: now + resetMs, uncounted });
  }

  /** The shared store has so many of what was uncounted. Called before `learn`. */
  counted(key: string, attempts: number, now: number): void {
    const window = this.of(key, now);
    this.#windows.set(key, { ...window, uncounted: window.uncounted - attempts });
  }

  forget(key: string): void {
    this.#windows.delete(key);
  }
}
