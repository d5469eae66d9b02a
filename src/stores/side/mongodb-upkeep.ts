import type { Collection } from 'mongodb';
import { createExpiryIndex, createPartialIndex, sweepEveryMs } from '../mongodb-expiry.ts';
import { defaultTimeoutMs, withTimeout } from '../mongodb-timeout.ts';

/** What the upkeep of a table sees of its entries. */
interface Kept {
  readonly _id: string;
  readonly expires_at?: Date;
  readonly open?: string;
}

/** Makes the indexes of a table, and removes what has expired. */
export class TableUpkeep<Entry extends Kept> {
  readonly #entries: Collection<Entry>;
  #hasExpiryIndex = false;
  /** Of what is open. `failed`: it is tried again with the next sweep. */
  #openIndex: 'not needed' | 'wanted' | 'failed' | 'made' = 'not needed';
  #sweptAt = -Infinity;

  constructor(entries: Collection<Entry>) {
    this.#entries = entries;
  }

  /** The table has entries that are open. The first may come long after the table is first written to. */
  needsOpenIndex(): void {
    if (this.#openIndex === 'not needed') this.#openIndex = 'wanted';
  }

  /** Runs between two batches: a server that reads before it deletes must not remove an entry written meanwhile. */
  async run(): Promise<void> {
    const now = Date.now();
    const isSweepDue = now - this.#sweptAt >= sweepEveryMs;
    if (!isSweepDue && this.#openIndex !== 'wanted') return;
    if (isSweepDue) this.#sweptAt = now;
    try {
      if (this.#openIndex === 'wanted' || this.#openIndex === 'failed') {
        this.#openIndex = 'failed';
        await withTimeout(defaultTimeoutMs, createPartialIndex(this.#entries, 'open'));
        this.#openIndex = 'made';
      }
      if (!isSweepDue) return;
      if (!this.#hasExpiryIndex)
        await withTimeout(defaultTimeoutMs, createExpiryIndex(this.#entries, 'expires_at'));
      this.#hasExpiryIndex = true;
      const expired = { expires_at: { $lte: new Date(now) } } as object;
      await withTimeout(defaultTimeoutMs, this.#entries.deleteMany(expired));
    } catch {
      // Reads skip expired entries. The next sweep removes them.
    }
  }
}
