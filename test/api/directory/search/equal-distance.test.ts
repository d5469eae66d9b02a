import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Category } from '../../../../src/events/directory/category.ts';
import { startSystem, v1, type RunningSystem, type TestKey } from '../../harness.ts';
import { pagesOf } from '../read.ts';

/** Of one postal code, as most records of a package without coordinates are. Ids are hashes: clinics are among the first. */
const kinds: readonly Category[] = ['health', 'food', 'health', 'food', 'health', 'food', 'health', 'food'];
let system: RunningSystem;
let key: TestKey;
beforeAll(async () => {
  system = await startSystem();
  key = await system.key();
  await system.resources(kinds.length + 1, {
    fields: (n) => ({
      name: n === kinds.length ? 'Nearer Clinic' : `Place ${n}`,
      category: kinds[n] ?? 'health',
      taxonomy_terms: ['Food'],
      locations: [{ city: 'Miami', region: 'FL', postal_code: n === kinds.length ? '33127' : '33125' }],
    }),
  });
});
afterAll(() => system.stop());

const namesNear = async (text: string, limit: string) => {
  const query = { near: '33127', q: text, limit };
  const pages = await pagesOf(system.server, v1, query, key.bearer);
  return pages.flatMap(({ data }) => data.map(({ name, category }) => `${String(name)} ${String(category)}`));
};

test('at one distance the kind of help that the words ask for comes first, in any language', async () => {
  for (const text of ['food', 'manje', 'comida']) {
    const names = await namesNear(text, '100');
    expect(names[0]).toBe('Nearer Clinic health');
    expect(names.slice(1).map((name) => name.split(' ')[2])).toEqual([
      ...Array.from({ length: 4 }, () => 'food'),
      ...Array.from({ length: 4 }, () => 'health'),
    ]);
  }
});

test('pages of it have each once, in the same order', async () => {
  const whole = await namesNear('food', '100');
  expect(new Set(whole).size).toBe(kinds.length + 1);
  for (const limit of ['1', '2', '3']) expect(await namesNear('food', limit)).toEqual(whole);
});
