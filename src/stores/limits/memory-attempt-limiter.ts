import { LocalWindows } from './local-windows.ts';
import type { Limit, AttemptLimiter } from './port.ts';

/** Counts attempts in memory, in each process separately. */
export class MemoryAttemptLimiter implements AttemptLimiter {
  readonly windows: LocalWindows;
  readonly #points: number;

  constructor(limit: Limit) {
    this.#points = limit.points;
    this.windows = new LocalWindows(limit);
  }

  async take(key: string): Promise<number> {
    const now = Date.now();
    const { used, endsAt } = this.windows.of(key, now);
    if (used >= this.#points) return secondsOf(endsAt - now);
    this.windows.add(key, 1, now);
    return 0;
  }

  async giveBack(key: string): Promise<void> {
    this.windows.add(key, -1, Date.now());
  }

  async forget(key: string): Promise<void> {
    this.windows.forget(key);
  }
}

/** How long to wait, for people: whole seconds, at least one. */
export const secondsOf = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000));
