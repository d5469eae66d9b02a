import type { Collection, Db, WithId } from 'mongodb';
import { StoreError } from '../errors.ts';
import { mongoError } from '../mongodb-errors.ts';
import { operation } from '../mongodb-operation.ts';
import { ledgerEntryOf, type KeptLedger, type LedgerEntry } from './erasure-ledger-port.ts';

/** How many entries are read at a time. */
const batch = 1_000;

/** The collection `erasures`. A restore must leave it as it is. */
export class MongoErasureLedger implements KeptLedger {
  readonly name = 'The collection "erasures"';
  readonly #entries: Collection<LedgerEntry>;

  constructor(db: Db) {
    this.#entries = db.collection('erasures');
  }

  /** A collection is made with its first entry. */
  async isThere(): Promise<boolean> {
    return true;
  }

  /** It is beside the vault, which is checked. */
  async isOf(): Promise<boolean> {
    return true;
  }

  async begin(): Promise<void> {}

  async ready(): Promise<void> {}

  async record({ holder, at, event }: LedgerEntry): Promise<void> {
    const entry = { holder, at, ...(event === undefined ? {} : { event }) };
    await operation('recording an erasure', 'unknown', () => this.#entries.insertOne(entry));
  }

  async *entries(): AsyncIterable<LedgerEntry> {
    try {
      for await (const stored of this.#entries.find().batchSize(batch)) yield parsed(stored);
    } catch (error) {
      throw mongoError(error, 'reading the erasure ledger');
    }
  }
}

function parsed(stored: WithId<LedgerEntry>): LedgerEntry {
  try {
    return ledgerEntryOf(stored);
  } catch (cause) {
    throw new StoreError(
      'incompatible',
      `The document ${String(stored._id)} of the collection "erasures" cannot be read. Without it, somebody who was erased could come back. Put the collection back from a backup, or correct the document.`,
      { cause },
    );
  }
}
