import { describe, expect, it } from 'vitest';
import { OptimisticCounter } from '../../src/stores/limits/optimistic-counter.ts';

const points = 60;
const resetMs = 60_000;

describe('requests that are allowed before they are counted', () => {
  /** A key of which one request is counted. */
  const counter = () => {
    const counter = new OptimisticCounter(points);
    counter.take('key', 1, 0);
    counter.learn('key', 1, { used: 1, resetMs }, 0);
    return counter;
  };
  /** How many are allowed before one must be counted first. */
  const allowed = (of: OptimisticCounter) => {
    let count = 0;
    while (of.allow('key', 0)) count += 1;
    return count;
  };

  it('are half of the limit, with those that are counted', () => {
    expect(allowed(counter())).toBe(29);
  });

  it('are no more while the store takes its time to count them', () => {
    const slow = counter();
    allowed(slow);
    expect(slow.take('key', 1, 0)).toBe(30);
    expect(allowed(slow)).toBe(0);
    // One more waits; there is nothing else to count.
    expect(slow.take('key', 1, 0)).toBe(1);
    expect(allowed(slow)).toBe(0);
  });

  it('are those that are left of the half once the count is there', () => {
    const late = counter();
    for (let n = 0; n < 9; n++) late.allow('key', 0);
    late.learn('key', late.take('key', 0, 0), { used: 10, resetMs }, 0);
    expect(allowed(late)).toBe(20);
  });

  it('are none of a window that has ended', () => {
    const ended = counter();
    allowed(ended);
    expect(ended.allow('key', resetMs)).toBeUndefined();
    expect(ended.take('key', 1, resetMs)).toBe(1);
    ended.learn('key', 1, { used: 1, resetMs }, resetMs);
    expect(ended.allow('key', resetMs)?.remaining).toBe(points - 2);
  });
});
