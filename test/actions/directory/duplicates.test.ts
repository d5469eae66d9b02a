import { expect, test, vi } from 'vitest';
import { TeamGroups, type DuplicateGroup } from '../../../src/actions/directory/duplicates.ts';

const found = (...records: string[]): readonly DuplicateGroup[] => [
  { records, inCommon: ['name'], nameKey: 'pantry' },
];

/** Readings that end when the test says so. */
function controlled() {
  const readings: PromiseWithResolvers<readonly DuplicateGroup[]>[] = [];
  const groups = new TeamGroups(() => {
    const reading = Promise.withResolvers<readonly DuplicateGroup[]>();
    readings.push(reading);
    return reading.promise;
  });
  return { groups, readings };
}

test('a directory that changes while it is read is read once more, however many look', async () => {
  const { groups, readings } = controlled();
  const first = groups.read('1');
  await vi.waitFor(() => expect(readings.length).toBe(1));
  const looks = ['2', '3', '3', '4'].map((stamp) => groups.read(stamp));
  readings[0]?.resolve(found('a', 'b'));
  expect(await first).toEqual(found('a', 'b'));
  expect(groups.last?.groups).toEqual(found('a', 'b'));
  await vi.waitFor(() => expect(readings.length).toBe(2));
  readings[1]?.resolve(found('c', 'd'));
  expect(await Promise.all(looks)).toEqual(looks.map(() => found('c', 'd')));
  expect(await groups.read('4')).toEqual(found('c', 'd'));
  expect(readings.length).toBe(2);
});

test('who looks waits for a reading until a quarter of a second after it began, and not once more for each look', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const { groups, readings } = controlled();
    const look = () => groups.soon('1', () => Promise.resolve('compares'));
    const first = look();
    await Promise.resolve();
    readings[0]?.resolve(found('a', 'b'));
    expect(await first).toEqual(found('a', 'b'));

    const long = controlled();
    const again = () => long.groups.soon('1', () => Promise.resolve('compares'));
    expect(await again()).toBe('compares');
    vi.advanceTimersByTime(300);
    const began = process.hrtime.bigint();
    expect(await again()).toBe('compares');
    expect(Number(process.hrtime.bigint() - began) / 1e6).toBeLessThan(200);
    long.readings[0]?.resolve(found('a', 'b'));
    expect(await again()).toEqual(found('a', 'b'));
    expect(long.readings.length).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});

test('a reading that failed is begun again', async () => {
  const { groups, readings } = controlled();
  const first = groups.read('1');
  await vi.waitFor(() => expect(readings.length).toBe(1));
  readings[0]?.reject(new Error('The store does not answer.'));
  await expect(first).rejects.toThrow('does not answer');
  const second = groups.read('1');
  await vi.waitFor(() => expect(readings.length).toBe(2));
  readings[1]?.resolve(found('a', 'b'));
  expect(await second).toEqual(found('a', 'b'));
});

test('a long reading is followed by a longer rest, a short one by none', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    for (const [tookMs, restMs] of [
      [900, 0],
      [5_000, 50_000],
    ] as const) {
      const { groups, readings } = controlled();
      const reading = groups.read('1');
      await Promise.resolve();
      vi.advanceTimersByTime(tookMs);
      readings[0]?.resolve([]);
      await reading;
      expect(groups.isRestedFor('1')).toBe(true);
      expect(groups.isRestedFor('2')).toBe(restMs === 0);
      vi.advanceTimersByTime(restMs + 1);
      expect(groups.isRestedFor('2')).toBe(true);
    }
  } finally {
    vi.useRealTimers();
  }
});
