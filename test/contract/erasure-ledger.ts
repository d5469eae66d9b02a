import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ErasureLedger, LedgerEntry } from '../../src/stores/vault/erasure-ledger-port.ts';

export interface LedgerUnderTest {
  readonly ledger: ErasureLedger;
  /** Another client of the same ledger. */
  another(): ErasureLedger;
  dispose(): Promise<void>;
}

/** Every adapter of the ErasureLedger port passes this. */
export function erasureLedgerContract(adapter: string, open: () => Promise<LedgerUnderTest>): void {
  describe(`the contract of the erasure ledger, ${adapter}`, () => {
    let under: LedgerUnderTest;
    beforeEach(async () => {
      under = await open();
    });
    afterEach(() => under.dispose());

    const read = async (ledger: ErasureLedger): Promise<LedgerEntry[]> => {
      const entries: LedgerEntry[] = [];
      for await (const entry of ledger.entries()) entries.push(entry);
      return entries;
    };
    const entry = (holder: string, event?: string): LedgerEntry => ({
      holder,
      at: '2026-03-04T05:06:07.000Z',
      ...(event === undefined ? {} : { event }),
    });

    it('is empty at first', async () => {
      expect(await read(under.ledger)).toEqual([]);
    });

    it('gives back every entry, oldest first, also to another client', async () => {
      const entries = [entry('person/a', 'e1'), entry('form-submission/b'), entry('person/a', 'e2')];
      for (const each of entries) await under.ledger.record(each);
      expect(await read(under.ledger)).toEqual(entries);
      expect(await read(under.another())).toEqual(entries);
    });

    it('loses none of those that several clients record at once', async () => {
      const clients = [under.ledger, under.another(), under.another()];
      const names = Array.from({ length: 60 }, (_, n) => `person/${n}`);
      await Promise.all(names.map(async (name, n) => clients[n % 3]?.record(entry(name))));
      expect((await read(under.ledger)).map(({ holder }) => holder).sort()).toEqual(names.sort());
    });
  });
}
