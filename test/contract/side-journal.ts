import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SideJournal } from '../../src/stores/side/port.ts';
import { until } from '../support/until.ts';
import type { SideStoreUnderTest } from './side.ts';

interface Work {
  readonly text: string;
}

/** Every adapter of the SideStore port passes this with its journals. */
export function sideJournalContract(adapter: string, open: () => Promise<SideStoreUnderTest>): void {
  describe(`the journals of the side store contract, ${adapter}`, () => {
    let under: SideStoreUnderTest;
    let name: string;
    let journal: SideJournal<Work>;

    beforeEach(async () => {
      under = await open();
      name = `journal${randomUUID().slice(0, 8)}`;
      journal = under.side.journal<Work>(name);
    });
    afterEach(async () => {
      await under.dispose();
    });

    const later = () => new Date(Date.now() + 3_600_000);
    const past = new Date('2020-01-01T00:00:00Z');
    const ids = (entries: readonly { id: string }[]) => entries.map(({ id }) => id);

    it('lists what is open by its group, in the order of ids, and what is complete no more', async () => {
      await journal.open('one', 'b/1', { text: 'b' });
      await journal.open('two', 'c/1', { text: 'c' });
      await journal.open('one', 'a/1', { text: 'a' });
      await journal.open('three', 'd/1', { text: 'd' });
      expect(await journal.listOpen(['one', 'two'])).toStrictEqual([
        { id: 'a/1', value: { text: 'a' } },
        { id: 'b/1', value: { text: 'b' } },
        { id: 'c/1', value: { text: 'c' } },
      ]);
      await journal.complete('one', 'b/1', { text: 'done' }, later());
      expect(ids(await journal.listOpen(['one', 'two']))).toEqual(['a/1', 'c/1']);
      expect(await journal.listOpen([])).toEqual([]);
      expect(await journal.listOpen(['four'])).toEqual([]);
    });

    it('gives the value of an open entry, the newest of several, and none once it is complete', async () => {
      await journal.open('one', 'a/1', { text: 'begun' });
      await journal.open('one', 'a/1', { text: 'answered' });
      expect(await journal.opened('one', 'a/1')).toStrictEqual({ text: 'answered' });
      expect(await journal.opened('two', 'a/1')).toBeUndefined();
      await journal.complete('one', 'a/1', { text: 'done' }, later());
      expect(await journal.opened('one', 'a/1')).toBeUndefined();
    });

    it('lists entries by the beginning of their id, open or complete, and not those of others', async () => {
      await journal.open('one', 'ab/1', { text: 'x' });
      for (const id of ['a/1', 'a/2', 'a/10', 'a/🏠', 'a', 'a0', 'b/1'])
        await journal.complete('one', id, { text: id }, later());
      await journal.open('one', 'a/3', { text: 'under way' });
      const found = await journal.listBeginning('a/', 100);
      expect(ids(found)).toEqual(['a/1', 'a/10', 'a/2', 'a/3', 'a/🏠']);
      expect(found.filter(({ open: isOpen }) => isOpen)).toStrictEqual([
        { id: 'a/3', value: { text: 'under way' }, open: true },
      ]);
      expect(ids(await journal.listBeginning('a/', 2))).toEqual(['a/1', 'a/10']);
      expect(await journal.listBeginning('none/', 10)).toEqual([]);
    });

    it('lets complete entries expire, and open ones never', async () => {
      await journal.open('one', 'a/1', { text: 'open' });
      await journal.complete('one', 'a/2', { text: 'old' }, past);
      await journal.complete('one', 'a/3', { text: 'brief' }, new Date(Date.now() + 30));
      await until(async () => (await journal.listBeginning('a/', 10)).length === 1);
      expect(ids(await journal.listBeginning('a/', 10))).toEqual(['a/1']);
      expect(ids(await journal.listOpen(['one']))).toEqual(['a/1']);
    });

    it('forgets an open entry that is withdrawn, and keeps a complete one', async () => {
      await journal.open('one', 'a/1', { text: 'x' });
      await journal.withdraw('one', 'a/1');
      await journal.withdraw('one', 'a/1');
      await journal.complete('one', 'a/2', { text: 'y' }, later());
      await journal.withdraw('one', 'a/2');
      expect(ids(await journal.listBeginning('a/', 10))).toEqual(['a/2']);
    });

    it('completes what was never open', async () => {
      await journal.complete('one', 'a/1', { text: 'x' }, later());
      expect(ids(await journal.listBeginning('a/1', 10))).toEqual(['a/1']);
      expect(await journal.listOpen(['one'])).toEqual([]);
    });

    it('lets writes to one entry take effect in the order they were asked for', async () => {
      await Promise.all([
        journal.open('one', 'a/1', { text: 'begun' }),
        journal.complete('one', 'a/1', { text: 'done' }, later()),
        journal.open('one', 'b/1', { text: 'begun' }),
        journal.withdraw('one', 'b/1'),
      ]);
      expect(await journal.listOpen(['one'])).toEqual([]);
      expect(await journal.listBeginning('a/', 10)).toStrictEqual([
        { id: 'a/1', value: { text: 'done' }, open: false },
      ]);
    });

    it('shows another client, also a later one, what is open', async () => {
      const all = Array.from({ length: 200 }, (_, n) => `${String(n).padStart(3, '0')}/1`);
      await Promise.all(all.map((id) => journal.open('one', id, { text: id })));
      const others = (await under.another()).journal<Work>(name);
      expect(ids(await others.listOpen(['one']))).toEqual(all);
      await Promise.all(all.slice(100).map((id) => others.complete('one', id, { text: id }, later())));
      expect(ids(await journal.listOpen(['one']))).toEqual(all.slice(0, 100));
    });

    it('keeps journals, and tables of other names, apart', async () => {
      await journal.open('one', 'a/1', { text: 'x' });
      const beside = under.side.journal<Work>(`${name}2`);
      await beside.complete('one', 'a/1', { text: 'y' }, later());
      await under.side.table<Work>(`${name}3`).put('a/1', { text: 'z' });
      expect(await beside.listOpen(['one'])).toEqual([]);
      expect(await journal.listBeginning('a/', 10)).toStrictEqual([
        { id: 'a/1', value: { text: 'x' }, open: true },
      ]);
    });

    it('refuses a value that is no JSON', async () => {
      const any = under.side.journal<unknown>(name);
      await expect(any.open('one', 'a/1', undefined)).rejects.toMatchObject({ code: 'misuse' });
      await expect(any.complete('one', 'a/1', 10n, later())).rejects.toThrow();
      expect(await any.listOpen(['one'])).toEqual([]);
    });
  });
}
