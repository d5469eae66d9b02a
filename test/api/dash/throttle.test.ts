import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Throttle } from '../../../src/api/dash/throttle.ts';
import { MemoryTries } from '../../../src/stores/limits/memory-tries.ts';
import type { Tries, TriesOf } from '../../../src/stores/limits/port.ts';

const account = 'ada@example.org';
const network = '192.0.2.0/24';

/** Tries of one name are one, as they are for nodes that share a MongoDB; notes every key. */
function sharedTries(): { of: TriesOf; keys: string[] } {
  const keys: string[] = [];
  const all = new Map<string, Tries>();
  return {
    keys,
    of: (name, limit) => {
      const tries = all.get(name) ?? new MemoryTries(limit);
      all.set(name, tries);
      return {
        take: (key) => (keys.push(key), tries.take(key)),
        giveBack: (key) => (keys.push(key), tries.giveBack(key)),
        forget: (key) => (keys.push(key), tries.forget(key)),
      };
    },
  };
}

describe('the throttle of guesses', () => {
  it('counts what is guessed at several nodes together', async () => {
    const { of } = sharedTries();
    const masterKey = randomBytes(32);
    const nodes = [new Throttle(of, masterKey), new Throttle(of, masterKey)];
    const refused: boolean[] = [];
    for (let n = 0; n < 12; n++) {
      const node = nodes[n % 2] as Throttle;
      refused.push((await node.guess(account, network)) > 0);
    }
    expect(refused).toEqual(Array.from({ length: 12 }, (_, n) => n >= 10));
  });

  it('forgets the wrong ones once it was right, and takes it for no guess', async () => {
    const throttle = new Throttle(sharedTries().of, randomBytes(32));
    // The network may guess 60 times: nine wrong ones and a right one, six times over.
    for (let round = 0; round < 6; round++) {
      for (let n = 0; n < 10; n++) expect(await throttle.guess(account, network)).toBe(0);
      await throttle.right(account, network);
    }
    for (let n = 0; n < 6; n++) expect(await throttle.guess(account, network)).toBe(0);
    expect(await throttle.guess(account, network)).toBeGreaterThan(0);
  });

  it('keeps neither the account nor the network in clear', async () => {
    const { of, keys } = sharedTries();
    const throttle = new Throttle(of, randomBytes(32));
    await throttle.guess(account, network);
    await throttle.right(account, network);
    await throttle.forget(account, network);
    await throttle.mayWriteTo(account);
    await throttle.askForMail(network);
    expect(keys.length).toBeGreaterThan(8);
    for (const key of keys) expect(key).toMatch(/^[\w-]{43}$/);
    const other = sharedTries();
    await new Throttle(other.of, randomBytes(32)).guess(account, network);
    expect(other.keys.some((key) => keys.includes(key))).toBe(false);
  });
});
