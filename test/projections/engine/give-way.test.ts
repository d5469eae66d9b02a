import { expect, it } from 'vitest';
import { GiveWay } from '../../../src/projections/engine/rebuild/give-way.ts';

const forever = new AbortController().signal;

/** How long it rests after a round of 20 ms in which its thread waited so long for a processor. */
async function restedAfter(waitedMs: number | undefined): Promise<number> {
  let waited: number | undefined = waitedMs === undefined ? undefined : 1_000;
  const giveWay = new GiveWay(() => waited);
  const began = performance.now();
  while (performance.now() - began < 20);
  if (waited !== undefined && waitedMs !== undefined) waited += waitedMs;
  const resting = performance.now();
  await giveWay.rest(forever);
  return performance.now() - resting;
}

it('a rebuild rests as long as it worked while others want the processors, and not at all while nobody does', async () => {
  expect(await restedAfter(10)).toBeGreaterThan(18);
  expect(await restedAfter(0)).toBeLessThan(18);
  expect(await restedAfter(undefined)).toBeLessThan(18);
});

it('a rest ends when the rebuild does', async () => {
  let waited = 0;
  const giveWay = new GiveWay(() => (waited += 1_000_000));
  const began = performance.now();
  while (performance.now() - began < 60);
  const resting = performance.now();
  await giveWay.rest(AbortSignal.abort());
  expect(performance.now() - resting).toBeLessThan(40);
});
