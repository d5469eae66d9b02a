import { setTimeout as sleep } from 'node:timers/promises';

/** Exponential back-off: the first wait doubles with each failure in a row, up to the longest. */
export interface Waits {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** The wait after so many failures in a row, from 1. */
export const backOff = (failures: number, { firstMs, longestMs }: Waits): number =>
  // Without a limit the factor is infinite some day, and no time of it is no number.
  Math.min(firstMs * 2 ** Math.min(failures - 1, 50), longestMs);

/** The wait after one of `before` milliseconds; undefined: after none. */
export const doubled = (before: number | undefined, { firstMs, longestMs }: Waits): number =>
  before === undefined ? firstMs : Math.min(before * 2, longestMs);

/** A random time in the upper half of a wait, so that many that failed together do not return at once. */
export const jittered = (ms: number, random: () => number = Math.random): number => ms * (1 - random() / 2);

/** Waits until the time is over or the signal aborts. Never rejects. */
export const pause = (ms: number, signal?: AbortSignal): Promise<undefined> =>
  sleep(ms, undefined, signal && { signal }).catch(() => undefined);

/** The pauses between attempts at one thing. */
export class Backoff {
  readonly #waits: Waits;
  #failures = 0;

  constructor(waits: Waits) {
    this.#waits = waits;
  }

  /** After a success: the next pause is the first one again. */
  reset(): void {
    this.#failures = 0;
  }

  async pause(signal?: AbortSignal, atMostMs = Infinity): Promise<void> {
    await pause(Math.min(jittered(backOff(++this.#failures, this.#waits)), atMostMs), signal);
  }
}
