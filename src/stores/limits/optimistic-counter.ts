import { LRUCache } from 'lru-cache';
import type { Allowance } from './port.ts';
import { allowances, type Consumed } from './consume.ts';

/** Until so much of its limit is used, a key is answered before its requests are counted. */
const share = 0.5;
/** Keys remembered. */
const most = 10_000;

/** A key's window as it was when it was last counted, and what has been let through since. */
interface Window {
  readonly used: number;
  readonly endsAt: number;
  ahead: number;
}

/**
 * Requests that are let through before they are counted with those of other nodes: while a key has used less
 * than half of its limit, it cannot reach it in the moment until they are counted. What a key is told is exact
 * for the requests that came here, and a moment old for the others. Times are in milliseconds of one clock.
 */
export class OptimisticCounter {
  readonly #points: number;
  readonly #windows = new LRUCache<string, Window>({ max: most });

  constructor(points: number) {
    this.#points = points;
  }

  /** What a request of a key is told; undefined when it has to be counted first. */
  allow(key: string, now: number): Allowance | undefined {
    const window = this.#windows.get(key);
    if (!window || now >= window.endsAt) return undefined;
    const used = window.used + window.ahead + 1;
    if (used > this.#points * share) return undefined;
    window.ahead += 1;
    return allowances({ used, resetMs: window.endsAt - now }, 1, this.#points)[0];
  }

  /** How many requests of a key are to be counted; from now on they are the caller's to count. */
  take(key: string, now: number): number {
    const window = this.#windows.get(key);
    if (!window) return 0;
    const { ahead } = window;
    window.ahead = 0;
    // What belongs to a window that has ended counts no more.
    return now < window.endsAt ? ahead : 0;
  }

  /** The keys that have something to be counted. */
  keys(): string[] {
    return [...this.#windows].filter(([, { ahead }]) => ahead > 0).map(([key]) => key);
  }

  /** What a key's window was found to be. Of two answers the later need not be the newer. */
  learn(key: string, { used = Infinity, resetMs }: Consumed, now: number): void {
    const before = this.#windows.get(key);
    const same = before !== undefined && now < before.endsAt;
    this.#windows.set(key, {
      used: same ? Math.max(used, before.used) : used,
      endsAt: now + resetMs,
      ahead: before?.ahead ?? 0,
    });
  }

  /** Nothing is known of any key: the counting has failed. */
  forget(): void {
    this.#windows.clear();
  }
}
