import type { Collection, Db } from 'mongodb';
import { mongoError } from '../mongodb/errors.ts';
import { defaultTimeoutMs, withTimeout } from '../mongodb/timeout.ts';
import type { ErasureLedger, LedgerEntry } from './port.ts';

/** How many entries are read at a time. */
const batch = 1_000;

/** The collection `erasures`. A restore must leave it as it is. */
export class MongoErasureLedger implements ErasureLedger {
  readonly #entries: Collection<LedgerEntry>;

  constructor(db: Db) {
    this.#entries = db.collection('erasures');
  }

  async record({ holder, at, event }: LedgerEntry): Promise<void> {
    try {
      const entry = { holder, at, ...(event === undefined ? {} : { event }) };
      await withTimeout(defaultTimeoutMs, this.#entries.insertOne(entry));
    } catch (error) {
      throw mongoError(error, 'recording an erasure', 'unknown');
    }
  }

  async *entries(): AsyncIterable<LedgerEntry> {
    try {
      for await (const { holder, at, event } of this.#entries.find().batchSize(batch)) {
        yield { holder, at, ...(event === undefined ? {} : { event }) };
      }
    } catch (error) {
      throw mongoError(error, 'reading the erasure ledger');
    }
  }
}
