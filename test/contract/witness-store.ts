import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CosignedTree, WitnessStore } from '../../src/stores/side/witness-port.ts';

/** What a suite needs to know of an adapter: a store, and further clients of it. */
export interface WitnessStoreUnderTest {
  readonly store: WitnessStore;
  another(): WitnessStore;
  dispose(): Promise<void>;
}

/** Every adapter of the WitnessStore port passes this. */
export function witnessStoreContract(adapter: string, open: () => Promise<WitnessStoreUnderTest>): void {
  describe(`the witness store contract, ${adapter}`, () => {
    let under: WitnessStoreUnderTest;
    let store: WitnessStore;

    beforeEach(async () => {
      under = await open();
      store = under.store;
    });
    afterEach(() => under.dispose());

    const tree = (size: number): CosignedTree => ({
      size,
      root: randomBytes(32),
      note: `a note for ${size} — ünï©ode\n`,
    });

    it('begins empty, with an id of its own that all clients see', async () => {
      expect(await store.newest('log')).toBeUndefined();
      const ids = await Promise.all([under.another().id(), store.id(), under.another().id()]);
      expect(new Set(ids).size).toBe(1);
      expect(await store.id()).toMatch(/^[0-9a-f-]{36}$/);
      const other = await open();
      expect(await other.store.id()).not.toBe(ids[0]);
      await other.dispose();
    });

    it('remembers the newest tree of each log', async () => {
      const [first, second, large] = [tree(3), tree(3), tree(5_000_000_000)];
      expect(await store.advance('a', first, undefined)).toBe(true);
      expect(await store.advance('b', second, undefined)).toBe(true);
      expect(await store.advance('a', large, first)).toBe(true);
      const other = under.another();
      expect(await other.newest('a')).toEqual(large);
      expect(await other.newest('b')).toEqual(second);
      // The same again, as after an answer that was lost.
      expect(await store.advance('a', large, large)).toBe(true);
    });

    it('lets nothing take the place of a tree but what follows it', async () => {
      const [first, second, third] = [tree(3), tree(4), tree(5)];
      await store.advance('a', first, undefined);
      expect(await store.advance('a', second, undefined)).toBe(false);
      expect(await store.advance('a', second, first)).toBe(true);
      expect(await store.advance('a', third, first)).toBe(false);
      expect(await store.advance('a', third, { ...second, root: randomBytes(32) })).toBe(false);
      expect(await store.advance('b', third, second)).toBe(false);
      expect(await store.newest('a')).toEqual(second);
    });

    it('lets one of several at the same time win', async () => {
      const first = tree(1);
      await store.advance('a', first, undefined);
      const clients = [store, under.another(), under.another(), under.another()];
      const won = await Promise.all(clients.map((client, n) => client.advance('a', tree(2 + n), first)));
      expect(won.filter(Boolean)).toHaveLength(1);
      const begun = await Promise.all(
        clients.map((client, n) => client.advance('b', tree(2 + n), undefined)),
      );
      expect(begun.filter(Boolean)).toHaveLength(1);
      expect((await store.newest('b'))?.size).toBe(2 + begun.indexOf(true));
    });
  });
}
