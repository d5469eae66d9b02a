import { describe, expect, it } from 'vitest';
import { backOff, doubled, jittered, pause } from '../../src/ground/back-off.ts';

const waits = { firstMs: 100, longestMs: 1_000 };

describe('back-off', () => {
  it('doubles with each failure in a row, up to the longest wait', () => {
    expect([1, 2, 3, 4, 5, 6].map((failures) => backOff(failures, waits))).toEqual([
      100, 200, 400, 800, 1_000, 1_000,
    ]);
    expect(backOff(100_000, waits)).toBe(1_000);
    expect(backOff(100_000, { firstMs: 0, longestMs: 1_000 })).toBe(0);
  });

  it('goes on from the wait before', () => {
    expect(doubled(undefined, waits)).toBe(100);
    expect(doubled(400, waits)).toBe(800);
    expect(doubled(800, waits)).toBe(1_000);
  });

  it('varies in the upper half of a wait', () => {
    expect(jittered(100, () => 0)).toBe(100);
    expect(jittered(100, () => 1)).toBe(50);
  });
});

describe('a pause', () => {
  it('ends when the signal aborts, and at once when it has', async () => {
    const ends = new AbortController();
    const paused = pause(60_000, ends.signal);
    ends.abort();
    await paused;
    await pause(60_000, ends.signal);
  });
});
