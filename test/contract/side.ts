import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SideStore, SideTable } from '../../src/stores/side/port.ts';
import { until } from '../support/until.ts';

/** What a suite needs to know of an adapter: a store, and a second client of the same store. */
export interface SideStoreUnderTest {
  readonly side: SideStore;
  another(): Promise<SideStore>;
  dispose(): Promise<void>;
}

interface Note {
  readonly text: string;
  readonly list?: readonly (number | null)[];
}

/** Every adapter of the SideStore port passes this. Tables are unique to a run: the store may be shared. */
export function sideStoreContract(adapter: string, open: () => Promise<SideStoreUnderTest>): void {
  describe(`the side store contract, ${adapter}`, () => {
    let under: SideStoreUnderTest;
    let side: SideStore;
    let name: string;
    let notes: SideTable<Note>;

    beforeEach(async () => {
      under = await open();
      side = under.side;
      name = `notes${randomUUID().slice(0, 8)}`;
      notes = side.table<Note>(name);
    });
    afterEach(async () => {
      await under.dispose();
    });

    const anHour = () => new Date(Date.now() + 3_600_000);
    const past = new Date('2020-01-01T00:00:00Z');
    const ids = async (table: SideTable<unknown>, options?: Parameters<typeof notes.list>[0]) =>
      (await table.list(options)).map((entry) => entry.id);

    it('gives back the JSON value that was put under an id, and the newest of several', async () => {
      const note: Note = { text: 'ünï©ode 🏠 "quoted" \u0000', list: [1, null, -0.5] };
      await notes.put('a', { text: 'first' });
      await notes.put('a', note);
      expect(await notes.get('a')).toStrictEqual(note);
      expect(await notes.list()).toStrictEqual([{ id: 'a', value: note }]);
    });

    it('keeps values that are not objects', async () => {
      const table = side.table<unknown>(`${name}any`);
      for (const [n, value] of [null, 0, '', false, [], 'text'].entries()) {
        await table.put(String(n), value);
        expect(await table.get(String(n))).toStrictEqual(value);
      }
    });

    it('answers nothing for an id that is not there, however hostile', async () => {
      await notes.put('a', { text: 'x' });
      for (const id of ['', 'A', 'a ', '__proto__', `' OR '1'='1`, '{"$gt":""}', 'a\u0000']) {
        expect(await notes.get(id), id).toBeUndefined();
      }
    });

    it('forgets what is deleted, and bears the deletion of what is not there', async () => {
      await notes.put('a', { text: 'x' });
      await notes.put('b', { text: 'y' });
      await notes.delete('a');
      await notes.delete('a');
      expect(await notes.get('a')).toBeUndefined();
      expect(await ids(notes)).toEqual(['b']);
    });

    it('keeps its tables apart', async () => {
      const beside = side.table<Note>(`${name}2`);
      await notes.put('a', { text: 'here' });
      await beside.put('a', { text: 'there' });
      await beside.put('b', { text: 'there' });
      expect(await notes.get('a')).toEqual({ text: 'here' });
      await beside.delete('a');
      expect(await ids(notes)).toEqual(['a']);
      expect(await ids(beside)).toEqual(['b']);
    });

    it('lists in the order of ids, in pages after an id', async () => {
      const all = ['a', 'B', 'ä', 'aa', '10', '9', '🏠', '～', 'b'];
      for (const id of all) await notes.put(id, { text: id });
      const sorted = ['10', '9', 'B', 'a', 'aa', 'b', 'ä', '～', '🏠'];
      expect(await ids(notes)).toEqual(sorted);
      for (const limit of [1, 2, 4, 9]) {
        const seen: string[] = [];
        while (seen.length <= sorted.length) {
          const after = seen.at(-1);
          const page = await ids(notes, { limit, ...(after === undefined ? {} : { after }) });
          expect(page.length).toBeLessThanOrEqual(limit);
          if (page.length === 0) break;
          seen.push(...page);
        }
        expect(seen).toEqual(sorted);
      }
      expect(await ids(notes, { after: 'a0' })).toEqual(['aa', 'b', 'ä', '～', '🏠']);
      expect(await ids(notes, { after: 'aa', limit: 1 })).toEqual(['b']);
    });

    it('leaves out what has expired, and counts it not against a limit', async () => {
      await notes.put('a', { text: 'gone' }, past);
      await notes.put('b', { text: 'lasting' });
      await notes.put('c', { text: 'for an hour' }, anHour());
      expect(await notes.get('a')).toBeUndefined();
      expect(await notes.get('c')).toEqual({ text: 'for an hour' });
      expect(await ids(notes, { limit: 2 })).toEqual(['b', 'c']);
    });

    it('lets an entry expire by itself, and be put anew after that', async () => {
      await notes.put('a', { text: 'brief' }, new Date(Date.now() + 30));
      await until(async () => ((await notes.get('a')) ? undefined : true));
      await until(async () => ((await notes.list()).length > 0 ? undefined : true));
      await notes.put('a', { text: 'anew' });
      expect(await notes.get('a')).toEqual({ text: 'anew' });
    });

    it('takes the expiry of the newest put, also none at all', async () => {
      await notes.put('a', { text: 'x' }, past);
      await notes.put('a', { text: 'x' });
      await notes.put('b', { text: 'x' });
      await notes.put('b', { text: 'x' }, past);
      await notes.put('c', { text: 'x' }, past);
      await notes.put('c', { text: 'x' }, anHour());
      expect(await ids(notes)).toEqual(['a', 'c']);
    });

    it('shows another client what a put or a deletion has left as soon as it has resolved', async () => {
      const others = (await under.another()).table<Note>(name);
      await notes.put('a', { text: 'durable' });
      expect(await others.get('a')).toEqual({ text: 'durable' });
      await others.delete('a');
      expect(await notes.get('a')).toBeUndefined();
    });

    it('still has everything after it was closed and opened again', async () => {
      const first = await under.another();
      const table = first.table<Note>(name);
      await table.put('a', { text: 'kept' });
      await table.put('b', { text: 'kept too' }, anHour());
      await table.put('c', { text: 'x' });
      await table.delete('c');
      await first.close();
      const second = (await under.another()).table<Note>(name);
      expect(await second.list()).toStrictEqual([
        { id: 'a', value: { text: 'kept' } },
        { id: 'b', value: { text: 'kept too' } },
      ]);
    });

    it('finishes what was begun before it closes', async () => {
      const first = await under.another();
      const table = first.table<Note>(name);
      const putting = Promise.all(['a', 'b', 'c'].map((id) => table.put(id, { text: id })));
      await first.close();
      await putting;
      expect(await ids(notes)).toEqual(['a', 'b', 'c']);
    });

    it('keeps every one of many concurrent puts, from two clients', async () => {
      const others = (await under.another()).table<Note>(name);
      const all = Array.from({ length: 500 }, (_, n) => String(n).padStart(3, '0'));
      await Promise.all(all.map((id, n) => (n % 2 ? notes : others).put(id, { text: id })));
      expect(await notes.list()).toStrictEqual(all.map((id) => ({ id, value: { text: id } })));
    });

    it('lets writes to one id take effect in the order they were asked for', async () => {
      await Promise.all([
        notes.put('a', { text: 'first' }),
        notes.put('a', { text: 'second' }),
        notes.put('b', { text: 'x' }),
        notes.delete('b'),
        notes.delete('c'),
        notes.put('c', { text: 'put after all' }),
      ]);
      expect(await notes.list()).toStrictEqual([
        { id: 'a', value: { text: 'second' } },
        { id: 'c', value: { text: 'put after all' } },
      ]);
    });

    it('puts where there is nothing for one of many who ask at once, on all clients', async () => {
      const others = (await under.another()).table<Note>(name);
      for (let round = 0; round < 5; round++) {
        const id = `once-${round}`;
        const won = await Promise.all(
          Array.from({ length: 20 }, (_, n) =>
            (n % 2 ? notes : others).putIfAbsent(id, { text: String(n) }, anHour()),
          ),
        );
        expect(won.filter(Boolean)).toHaveLength(1);
        expect(await notes.get(id)).toEqual({ text: String(won.indexOf(true)) });
      }
      expect(await others.putIfAbsent('once-0', { text: 'late' })).toBe(false);
    });

    it('puts where what there was has expired, for one of many', async () => {
      await notes.put('a', { text: 'gone' }, past);
      const others = (await under.another()).table<Note>(name);
      const won = await Promise.all(
        [notes, others, notes, others].map((each) => each.putIfAbsent('a', { text: 'anew' })),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await notes.get('a')).toEqual({ text: 'anew' });
      expect(await notes.putIfAbsent('a', { text: 'late' })).toBe(false);
    });

    it('refuses a value that is no JSON, and lets those beside it through', async () => {
      const table = side.table<unknown>(name);
      const around: { self?: unknown } = {};
      around.self = around;
      const outcomes = await Promise.allSettled([
        table.put('a', 1),
        table.put('b', undefined),
        table.put('c', around),
        table.put('d', 10n),
        table.put('e', 2),
      ]);
      expect(outcomes.map((each) => each.status)).toEqual([
        'fulfilled',
        'rejected',
        'rejected',
        'rejected',
        'fulfilled',
      ]);
      expect(await ids(table)).toEqual(['a', 'e']);
    });

    it('keeps a value as it was when it was put', async () => {
      const value = { text: 'as it was' };
      const putting = notes.put('a', value);
      value.text = 'altered';
      await putting;
      expect(await notes.get('a')).toEqual({ text: 'as it was' });
    });
  });
}
