import { afterEach, beforeEach, expect, test } from 'vitest';
import { DispatcherRegistry } from '../../../src/dispatch/lanes/dispatcher-registry.ts';
import { EmbeddedSideStore } from '../../../src/stores/side/embedded.ts';
import { temporaryFolder } from '../../support/folder.ts';

let folder: ReturnType<typeof temporaryFolder>;
let stores: EmbeddedSideStore[];
/** Milliseconds on everybody's own clock. */
let passed: number;

beforeEach(() => {
  folder = temporaryFolder();
  stores = [];
  passed = 0;
});
afterEach(async () => {
  for (const each of stores) await each.close();
  folder.remove();
});

/** A dispatcher on a machine of its own, whose wall clock may be wrong. */
function machine(clockIsAheadBy = 0): DispatcherRegistry {
  const side = new EmbeddedSideStore(folder.path);
  stores.push(side);
  const startedAt = Date.now() + stores.length;
  return new DispatcherRegistry({
    side,
    now: () => new Date(startedAt + passed + clockIsAheadBy),
    clock: () => passed,
  });
}

test('each sees everybody, itself included, in one order: the oldest first', async () => {
  const [first, second, third] = [machine(), machine(), machine()];
  expect((await first.announce()).certain).toEqual([first.id]);
  for (const each of [third, second]) await each.announce();
  const order = [first.id, second.id, third.id];
  for (const each of [first, second, third]) {
    expect(await each.announce()).toEqual({ certain: order, possible: order });
  }
});

test('one that falls silent is first doubted, and then forgotten', async () => {
  const [here, silent] = [machine(), machine()];
  await silent.announce();
  const seen = [];
  for (passed = 0; passed <= 11_000; passed += 1_000) {
    const { certain, possible } = await here.announce();
    seen.push([certain.includes(silent.id), possible.includes(silent.id)]);
  }
  expect(seen).toEqual([
    ...Array.from({ length: 3 }, () => [true, true]),
    ...Array.from({ length: 7 }, () => [false, true]),
    ...Array.from({ length: 2 }, () => [false, false]),
  ]);
});

test('one that is heard of again is counted at once', async () => {
  const [here, slow] = [machine(), machine()];
  await slow.announce();
  await here.announce();
  passed = 20_000;
  expect((await here.announce()).possible).toEqual([here.id]);
  await slow.announce();
  expect((await here.announce()).certain).toEqual([here.id, slow.id]);
});

test('one that leaves is not waited for', async () => {
  const [here, leaving] = [machine(), machine()];
  await leaving.announce();
  expect((await here.announce()).possible).toHaveLength(2);
  await leaving.leave();
  expect((await here.announce()).possible).toEqual([here.id]);
});

test('a wall clock that is wrong by half a minute makes nobody doubt anybody', async () => {
  const [right, late] = [machine(), machine(-30_000)];
  for (passed = 0; passed < 20_000; passed += 1_000) {
    await late.announce();
    expect((await right.announce()).certain).toEqual([late.id, right.id]);
    expect((await late.announce()).certain).toEqual([late.id, right.id]);
  }
});

test('whoever finds its own entry out of date is there all the same', async () => {
  const wrong = machine(-3_600_000);
  expect((await wrong.announce()).certain).toEqual([wrong.id]);
});
