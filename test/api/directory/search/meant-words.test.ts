import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UnsealedFields } from '../../../../src/events/directory/resource-fields.ts';
import { startSystem, v1, type RunningSystem, type TestKey } from '../../harness.ts';

const many = 8;
const records: readonly Partial<UnsealedFields>[] = [
  // Ids are hashes: of so many one would stand first by its id alone.
  ...Array.from({ length: many }, (_, n) => ({
    name: `Homeless Clinic ${n}`,
    category: 'health' as const,
    taxonomy_terms: ['Homeless'],
  })),
  { name: 'Park Road Shelter', category: 'housing', taxonomy_terms: ['Homeless'] },
  { name: 'Medical Center', category: 'health' },
  { name: 'Help with applications', category: 'health', taxonomy_terms: ['Health insurance'] },
];

let system: RunningSystem;
let key: TestKey;
beforeAll(async () => {
  system = await startSystem();
  key = await system.key();
  await system.resources(records.length, { fields: (n) => records[n] ?? {} });
});
afterAll(() => system.stop());

const search = async (q: string) => {
  const { body } = await system.server.inject({
    url: `${v1}?${new URLSearchParams({ q, limit: '100' }).toString()}`,
    headers: key.bearer,
  });
  const { data, did_you_mean } = JSON.parse(body) as { data: { name: string }[]; did_you_mean?: string };
  return { names: data.map(({ name }) => name), did_you_mean };
};

test.each(['shelter', 'albergue', 'refugio'])(
  'what is called so comes before what has another word for the need in its name: %s',
  async (text) => {
    const { names } = await search(text);
    expect(names[0]).toBe('Park Road Shelter');
    expect(names.length).toBeGreaterThan(many);
  },
);

test('a letter that is left out counts before another one that is written, also where no record has the word', async () => {
  const { names, did_you_mean } = await search('medicad');
  expect(did_you_mean).toBe('medicaid');
  expect(names[0]).toBe('Help with applications');
});
