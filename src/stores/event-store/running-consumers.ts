import { setTimeout as sleep } from 'node:timers/promises';

/** How long `ended` waits: a handler that does not end must not block closing. */
const closingMs = 3_000;

/** What consumes in a store, until it is closed. */
export class RunningConsumers {
  readonly #running = new Set<Promise<void>>();

  async run(consuming: Promise<void>): Promise<void> {
    this.#running.add(consuming);
    try {
      await consuming;
    } finally {
      this.#running.delete(consuming);
    }
  }

  /** Resolves when all have ended, or after a few seconds. */
  async ended(): Promise<void> {
    await Promise.race([Promise.allSettled(this.#running), sleep(closingMs, undefined, { ref: false })]);
  }
}
