import { LRUCache } from 'lru-cache';
import type { Allowance } from './port.ts';
import { allowanceOf, type Consumed } from './consume.ts';

/** Up to this share of its limit a key is answered before its requests are counted. */
const share = 0.5;
/** The most keys kept in memory. */
const most = 10_000;

/** A key's window at its last count, and the requests allowed since. */
interface Window {
  readonly used: number;
  readonly endsAt: number;
  ahead: number;
}

/**
 * Allows requests before they are counted with those of other nodes. A key that has used less than half of its
 * limit cannot reach it in the short time before the count. The remaining number that a key is told is exact for
 * requests of this node and slightly old for those of others. Times are milliseconds of one clock.
 */
export class OptimisticCounter {
  readonly #points: number;
  readonly #windows = new LRUCache<string, Window>({ max: most });

  constructor(points: number) {
    this.#points = points;
  }

  /** The answer for one request. Undefined when it must be counted first. */
  allow(key: string, now: number): Allowance | undefined {
    const window = this.#windows.get(key);
    if (!window || now >= window.endsAt) return undefined;
    const used = window.used + window.ahead + 1;
    if (used > this.#points * share) return undefined;
    window.ahead += 1;
    return allowanceOf({ used, resetMs: window.endsAt - now }, this.#points);
  }

  /** Takes the requests of a key that are not counted yet. The caller must count them. */
  take(key: string, now: number): number {
    const window = this.#windows.get(key);
    if (!window) return 0;
    const { ahead } = window;
    window.ahead = 0;
    // Requests of a window that has ended are dropped.
    return now < window.endsAt ? ahead : 0;
  }

  /** Keys with requests that are not counted yet. */
  keys(): string[] {
    return [...this.#windows].filter(([, { ahead }]) => ahead > 0).map(([key]) => key);
  }

  /** Stores the result of a count. Results may arrive out of order, so the higher one is kept. */
  learn(key: string, { used = Infinity, resetMs }: Consumed, now: number): void {
    const before = this.#windows.get(key);
    const same = before !== undefined && now < before.endsAt;
    this.#windows.set(key, {
      used: same ? Math.max(used, before.used) : used,
      endsAt: now + resetMs,
      ahead: before?.ahead ?? 0,
    });
  }

  /** Drops all windows, after a count has failed. */
  forget(): void {
    this.#windows.clear();
  }
}
