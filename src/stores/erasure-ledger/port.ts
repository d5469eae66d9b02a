/** One destroyed data key. It names no personal datum: the holder is an id. */
export interface LedgerEntry {
  /** The name of the data key in the vault. */
  readonly holder: string;
  /** ISO 8601: when it was destroyed. */
  readonly at: string;
  /** The id of the event that records the erasure, where this call appended it. */
  readonly event?: string;
}

/**
 * Says which data keys were destroyed. It is kept apart from log and vault: a vault that is restored from an older
 * backup has those keys again, and they are destroyed once more before anything is served. It only grows; an entry may
 * be there twice.
 */
export interface ErasureLedger {
  /** Adds an entry. Durable when it resolves. */
  record(entry: LedgerEntry): Promise<void>;
  /** All entries, oldest first. @throws StoreError incompatible, when an entry cannot be read */
  entries(): AsyncIterable<LedgerEntry>;
}

/** An entry as it was stored. @throws Error, when it names no data key */
export function ledgerEntryOf(stored: unknown): LedgerEntry {
  const { holder, at, event } = (stored ?? {}) as Partial<Record<keyof LedgerEntry, unknown>>;
  if (typeof holder !== 'string' || typeof at !== 'string') throw new Error('It names no data key.');
  return { holder, at, ...(typeof event === 'string' ? { event } : {}) };
}

/** Records in each, and reads all: an entry counts wherever it is. */
export const inEach = (ledgers: readonly ErasureLedger[]): ErasureLedger => ({
  async record(entry) {
    for (const ledger of ledgers) await ledger.record(entry);
  },
  async *entries() {
    for (const ledger of ledgers) yield* ledger.entries();
  },
});
