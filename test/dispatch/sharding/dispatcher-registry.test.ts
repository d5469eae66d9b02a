import { afterEach, beforeEach, expect, test } from 'vitest';
import { Members } from '../../../src/dispatch/sharding/dispatcher-registry.ts';
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
function machine(clockIsAheadBy = 0): Members {
  const side = new EmbeddedSideStore(folder.path);
  stores.push(side);
  const startedAt = Date.now() + stores.length;
  return new Members({
    side,
    now: () => new Date(startedAt + passed + clockIsAheadBy),
    clock: () => passed,
  });
}

test('each sees everybody, itself included, in one order: the oldest first', async () => {
  const [first, second, third] = [machine(), machine(), machine()];
  expect((await first.meet()).certain).toEqual([first.id]);
  for (const each of [third, second]) await each.meet();
  const order = [first.id, second.id, third.id];
  for (const each of [first, second, third]) {
    expect(await each.meet()).toEqual({ certain: order, possible: order });
  }
});

test('one that falls silent is first doubted, and then forgotten', async () => {
  const [here, silent] = [machine(), machine()];
  await silent.meet();
  const seen = [];
  for (passed = 0; passed <= 11_000; passed += 1_000) {
    const { certain, possible } = await here.meet();
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
  await slow.meet();
  await here.meet();
  passed = 20_000;
  expect((await here.meet()).possible).toEqual([here.id]);
  await slow.meet();
  expect((await here.meet()).certain).toEqual([here.id, slow.id]);
});

test('one that leaves is not waited for', async () => {
  const [here, leaving] = [machine(), machine()];
  await leaving.meet();
  expect((await here.meet()).possible).toHaveLength(2);
  await leaving.leave();
  expect((await here.meet()).possible).toEqual([here.id]);
});

test('a wall clock that is wrong by half a minute makes nobody doubt anybody', async () => {
  const [right, late] = [machine(), machine(-30_000)];
  for (passed = 0; passed < 20_000; passed += 1_000) {
    await late.meet();
    expect((await right.meet()).certain).toEqual([late.id, right.id]);
    expect((await late.meet()).certain).toEqual([late.id, right.id]);
  }
});

test('whoever finds its own entry out of date is there all the same', async () => {
  const wrong = machine(-3_600_000);
  expect((await wrong.meet()).certain).toEqual([wrong.id]);
});
