import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fairShare, shardLease, shardOf } from '../../../src/dispatch/lanes/shards.ts';

describe('the shard of a subscription', () => {
  test('is the same on every machine and in every version', () => {
    expect(shardOf('3f2a9c44-0d0e-5b7e-9a41-7a1f7f0c2b11', 64)).toBe(21);
    expect(shardOf('00000000-0000-4000-8000-000000000000', 64)).toBe(32);
    expect(shardOf('00000000-0000-4000-8000-000000000000', 1)).toBe(0);
  });

  test('is any of them, about as often as another', () => {
    const counts = Array.from({ length: 8 }, () => 0);
    for (let n = 0; n < 8_000; n++) {
      const shard = shardOf(randomUUID(), 8);
      counts[shard] = (counts[shard] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(800);
    expect(Math.max(...counts)).toBeLessThan(1_200);
  });

  test('has a lease of its own', () => {
    expect(new Set(Array.from({ length: 64 }, (_, n) => shardLease(n))).size).toBe(64);
    expect(shardLease(3)).toBe('dispatch-shard-03');
  });
});

describe('the fair share', () => {
  const names = (count: number) => Array.from({ length: count }, (_, n) => `member-${n}`);

  test.each([
    [64, 1, [64]],
    [64, 2, [32, 32]],
    [8, 3, [3, 3, 2]],
    [64, 10, [7, 7, 7, 7, 6, 6, 6, 6, 6, 6]],
    [2, 3, [1, 1, 0]],
  ])('of %i shards among %i members is %j', (shards, count, shares) => {
    const members = names(count);
    expect(members.map((member) => fairShare(shards, members, member))).toEqual(shares);
  });

  test('leaves no shard out and gives none twice, and no two shares differ by more than one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 256 }), fc.integer({ min: 1, max: 300 }), (shards, count) => {
        const members = names(count);
        const shares = members.map((member) => fairShare(shards, members, member));
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(shards);
        expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
      }),
      { numRuns: 100 },
    );
  });

  test('grows for nobody when somebody comes last', () => {
    for (let count = 1; count < 70; count++) {
      const before = names(count);
      for (const member of before) {
        expect(fairShare(64, names(count + 1), member)).toBeLessThanOrEqual(fairShare(64, before, member));
      }
    }
  });

  test('of somebody who is not there is nothing', () => {
    expect(fairShare(64, ['a', 'b'], 'c')).toBe(0);
  });
});
