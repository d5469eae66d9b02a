import type { SideStore, SideTable } from '../stores/side/port.ts';

/** An event that failed and is not tried again for this long is gone: parked events have a reason of their own. */
const keptMs = 30 * 24 * 3_600_000;

/**
 * How often the fan-out of an event has failed for reasons of our own, in all processes and across restarts. A failure
 * that ends the process counts from the next start on only if it was written before, so an event is written when it
 * fails, and forgotten when it succeeds.
 */
export class OwnFailures {
  readonly #table: SideTable<number>;

  constructor(side: SideStore) {
    this.#table = side.table<number>('webhook-fan-out-failures');
  }

  /** Counts a failure. Returns how many there are now. */
  async count(eventId: string, now: Date): Promise<number> {
    const failures = ((await this.#table.get(eventId)) ?? 0) + 1;
    await this.#table.put(eventId, failures, new Date(now.getTime() + keptMs));
    return failures;
  }

  forget(eventId: string): Promise<void> {
    return this.#table.delete(eventId);
  }
}
