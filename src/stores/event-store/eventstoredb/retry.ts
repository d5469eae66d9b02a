import { setTimeout as sleep } from 'node:timers/promises';

/** How long a request is retried while the server is down. */
export const retryForMs = 5_000;

/** Exponential backoff. Each pause is random within its upper half, so that many clients do not return at once. */
export class Backoff {
  readonly #first: number;
  readonly #longest: number;
  #next: number;

  constructor(firstMs = 20, longestMs = 1_000) {
    this.#first = firstMs;
    this.#longest = longestMs;
    this.#next = firstMs;
  }

  reset(): void {
    this.#next = this.#first;
  }

  async pause(signal?: AbortSignal, atMostMs = Infinity): Promise<void> {
    const ms = Math.min(this.#next * (0.5 + Math.random() / 2), atMostMs);
    this.#next = Math.min(this.#next * 2, this.#longest);
    await sleep(ms, undefined, signal ? { signal } : {}).catch(() => undefined);
  }
}
