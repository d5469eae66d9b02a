import { describe, expect, it } from 'vitest';
import { ReadCache } from '../../src/dispatch/read-cache.ts';

describe('what was read a moment ago', () => {
  const reader = () => {
    let reads = 0;
    return { read: async () => `value ${++reads}`, reads: () => reads };
  };

  it('is not read again, by its key', async () => {
    const recent = new ReadCache<string>(10);
    const { read, reads } = reader();
    expect(await recent.of('a', read)).toBe('value 1');
    expect(await recent.of('a', read)).toBe('value 1');
    expect(await recent.of('b', read)).toBe('value 2');
    expect(reads()).toBe(2);
  });

  it('is looked for again when it was not there', async () => {
    const recent = new ReadCache<string>(10);
    expect(await recent.of('a', async () => undefined)).toBeUndefined();
    expect(await recent.of('a', async () => 'there')).toBe('there');
  });

  it('is forgotten after a minute, and when there is too much of it', async () => {
    let now = 1_000;
    const recent = new ReadCache<string>(2, () => now);
    const { read } = reader();
    await recent.of('a', read);
    now += 59_000;
    expect(await recent.of('a', read)).toBe('value 1');
    now += 2_000;
    expect(await recent.of('a', read)).toBe('value 2');
    await recent.of('b', read);
    await recent.of('c', read);
    expect(await recent.of('a', read)).toBe('value 5');
  });
});
