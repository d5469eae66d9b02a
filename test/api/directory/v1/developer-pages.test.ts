import { describe, expect, it } from 'vitest';
import { DeveloperPages } from '../../../../src/api/directory/v1/developer-pages.ts';
import type { ResourceQueries } from '../../../../src/api/directory/resource-queries.ts';

/** A directory of these records by number, and how often whole records were read. */
function directoryOf(records: Readonly<Record<number, string>>) {
  const state = { records, read: 0, before: async (): Promise<void> => undefined };
  const numbers = () => Object.keys(state.records).map(Number);
  const queries = {
    numbers: async () => ({ records: numbers(), next: undefined }),
    async checkedPage() {
      state.read += 1;
      const found = numbers().map((number) => {
        const record = state.records[number] ?? '';
        return { number, record, version: record };
      });
      await state.before();
      return { records: found, next: undefined };
    },
  } as unknown as ResourceQueries;
  const pages = new DeveloperPages(queries);
  const read = async (stamp: string | undefined) => {
    const page = await pages.read({ filter: {}, limit: 2 }, stamp);
    return page.records.map(({ bytes }) => bytes.toString());
  };
  return { state, read };
}

describe('pages of the developer tier', () => {
  it('read whole records once, as long as nothing changes', async () => {
    const { state, read } = directoryOf({ 1: 'one', 2: 'two' });
    expect(await read('a')).toEqual(['one', 'two']);
    expect(await read('a')).toEqual(['one', 'two']);
    expect(state.read).toBe(1);
    state.records = { 1: 'one', 3: 'three' };
    expect(await read('a')).toEqual(['one', 'three']);
    expect(state.read).toBe(2);
  });

  it('show what changed under the next stamp, and without a stamp always', async () => {
    const { state, read } = directoryOf({ 1: 'one', 2: 'two' });
    await read('a');
    state.records = { 1: 'one', 2: 'changed' };
    expect(await read('b')).toEqual(['one', 'changed']);
    state.records = { 1: 'one', 2: 'again' };
    expect(await read(undefined)).toEqual(['one', 'again']);
  });

  it('keep nothing for a later stamp of what a slow read brings from before it', async () => {
    const { state, read } = directoryOf({ 1: 'old', 2: 'two' });
    let go: () => void = () => undefined;
    state.before = () => new Promise((resolve) => (go = resolve));
    const slow = read('a');
    state.before = async () => undefined;
    state.records = { 1: 'new', 2: 'two' };
    expect(await read('b')).toEqual(['new', 'two']);
    go();
    expect(await slow).toEqual(['old', 'two']);
    expect(await read('b')).toEqual(['new', 'two']);
  });
});
