import { LRUCache } from 'lru-cache';
import { entries } from '../../ground/capacity.ts';
import type { Allowance } from './port.ts';
import { allowanceOf, type Consumed } from './consume.ts';

/** Up to this share of its limit a key is answered before its requests are counted. */
const share = 0.5;
/** The most keys kept in memory. */
const most = 10_000;

/** A key's window at its last count, and the requests that this count does not hold. */
interface Window {
  readonly used: number;
  readonly endsAt: number;
  /** Allowed since. */
  ahead: number;
  /** In counts that are under way. */
  counting: number;
}

/**
 * Allows requests before they are counted with those of other nodes. A key that has used less than half of its
 * limit cannot reach it in the short time before the count. The remaining number that a key is told is exact for
 * requests of this node and slightly old for those of others. Times are milliseconds of one clock.
 */
export class OptimisticCounter {
  readonly #points: number;
  readonly #windows = new LRUCache<string, Window>(entries(most));

  constructor(points: number) {
    this.#points = points;
  }

  /** The answer for one request. Undefined when it must be counted first. */
  allow(key: string, now: number): Allowance | undefined {
    const window = this.#windows.get(key);
    if (!window || now >= window.endsAt) return undefined;
    const used = window.used + window.counting + window.ahead + 1;
    if (used > this.#points * share) return undefined;
    window.ahead += 1;
    return allowanceOf({ used, resetMs: window.endsAt - now }, this.#points);
  }

  /**
   * Starts a count of the requests of a key that were allowed and not counted yet, and of those that wait for their
   * answer. Returns their number. The caller must count them, and then call `learn` or `forget`.
   */
  take(key: string, waiting: number, now: number): number {
    const window = this.#windows.get(key);
    if (!window) return waiting;
    // Requests of a window that has ended are dropped.
    const requests = waiting + (now < window.endsAt ? window.ahead : 0);
    window.ahead = 0;
    window.counting += requests;
    return requests;
  }

  /** Keys with requests that are not counted yet. */
  keys(): string[] {
    return [...this.#windows].filter(([, { ahead }]) => ahead > 0).map(([key]) => key);
  }

  /** Stores the result of a count of so many requests. Results may arrive out of order, so the higher one is kept. */
  learn(key: string, requests: number, { used = Infinity, resetMs }: Consumed, now: number): void {
    const before = this.#windows.get(key);
    const same = before !== undefined && now < before.endsAt;
    this.#windows.set(key, {
      used: same ? Math.max(used, before.used) : used,
      endsAt: now + resetMs,
      ahead: before?.ahead ?? 0,
      // A key may have been dropped since its count began.
      counting: Math.max((before?.counting ?? 0) - requests, 0),
    });
  }

  /** Drops all windows, after a count has failed. */
  forget(): void {
    this.#windows.clear();
  }
}
