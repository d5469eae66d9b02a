import { StoreError } from '../errors.ts';

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
  /** To be asked before an erasure is decided. @throws StoreError, when no entry can be added now */
  ready(): Promise<void>;
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

/** A ledger that may not be there: a file that was not made yet, or on a drive that is away. */
export interface KeptLedger extends ErasureLedger {
  /** How it is called in a sentence for an operator. */
  readonly name: string;
  isThere(): Promise<boolean>;
  /** Whether it is of this installation. One that does not say so may be of any. */
  isOf(installation: string): Promise<boolean>;
  /** Makes it where it is not there, and notes that it is of this installation. */
  begin(installation: string): Promise<void>;
}

/** Ledgers that are kept as one. */
export interface ErasureLedgers extends ErasureLedger {
  /** Makes those that are not there yet, as of this installation, and gives each what the others have. */
  begin(installation: string): Promise<void>;
  /** Gives to each that is there what the others have: a process may have written to some of them only. */
  level(): Promise<void>;
}

/**
 * Records in each, and reads all: an entry counts wherever it is. One that is not there while another one is was lost, or
 * its drive is away. Nothing is recorded then: what it lacks could come back with the backups beside it.
 */
export const inEach = (ledgers: readonly KeptLedger[]): ErasureLedgers => {
  const missing = async () => {
    const there = await Promise.all(ledgers.map((ledger) => ledger.isThere()));
    return ledgers.filter((_, n) => !there[n]);
  };
  const level = async () => {
    const away = await missing();
    const there = ledgers.filter((ledger) => !away.includes(ledger));
    for (const ledger of there)
      for (const other of there) if (other !== ledger) await addMissing(other, ledger);
  };
  const refuseMissing = async () => {
    const away = await missing();
    if (away.length === 0 || away.length === ledgers.length) return;
    throw new StoreError(
      'unavailable',
      `${away.map(({ name }) => name).join(' and ')} is not there. Nothing is erased until it is: bring its drive back. If it is new or lost, start the service or take a backup, which makes it.`,
      { outcome: 'none' },
    );
  };
  return {
    async ready() {
      await refuseMissing();
      for (const ledger of ledgers) await ledger.ready();
    },
    async record(entry) {
      await refuseMissing();
      for (const ledger of ledgers) await ledger.record(entry);
    },
    async *entries() {
      for (const ledger of ledgers) yield* ledger.entries();
    },
    async begin(installation) {
      for (const ledger of ledgers) await ledger.begin(installation);
      await level();
    },
    level,
  };
};

/** Adds to a ledger what it lacks of another one. */
export async function addMissing(
  from: Pick<ErasureLedger, 'entries'>,
  to: Pick<ErasureLedger, 'entries' | 'record'>,
): Promise<void> {
  const holders = await holdersIn([to]);
  for await (const entry of from.entries()) {
    if (holders.has(entry.holder)) continue;
    await to.record(entry);
    holders.add(entry.holder);
  }
}

/** Whose data keys ledgers name. */
export async function holdersIn(ledgers: readonly Pick<ErasureLedger, 'entries'>[]): Promise<Set<string>> {
  const holders = new Set<string>();
  for (const ledger of ledgers) for await (const { holder } of ledger.entries()) holders.add(holder);
  return holders;
}
