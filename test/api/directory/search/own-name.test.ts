import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UnsealedFields } from '../../../../src/events/directory/resource-fields.ts';
import { startSystem, v1, type RunningSystem, type TestKey } from '../../harness.ts';

/** Ids are hashes, so one of many would come first by its id alone. */
const others = 12;
const records: readonly Partial<UnsealedFields>[] = [
  ...Array.from({ length: others }, (_, n) => ({
    name: `Service ${n}`,
    organization: { name: 'Harbor Light' },
    category: 'other' as const,
  })),
  { name: 'Harbor Light', organization: { name: 'Aid Inc.' }, category: 'other' },
  { name: 'The new Harbor Light of Miami', organization: { name: 'Aid Inc.' }, category: 'other' },
  ...Array.from({ length: others }, (_, n) => ({
    name: `Desk ${n}`,
    organization: { name: 'Harbor Light of Miami' },
    category: 'other' as const,
  })),
];

let system: RunningSystem;
let key: TestKey;
beforeAll(async () => {
  system = await startSystem();
  key = await system.key();
  await system.resources(records.length, { fields: (n) => records[n] ?? {} });
});
afterAll(() => system.stop());

const names = async (q: string) => {
  const { body } = await system.server.inject({
    url: `${v1}?${new URLSearchParams({ q, limit: '100' }).toString()}`,
    headers: key.bearer,
  });
  return (JSON.parse(body) as { data: { name: string }[] }).data.map(({ name }) => name);
};

test('a record that is called so itself comes before those of an organization that is called so', async () => {
  const found = await names('harbor light');
  expect(found).toHaveLength(records.length);
  expect(found[0]).toBe('Harbor Light');
  expect(found.slice(1, 1 + others).every((name) => name.startsWith('Service'))).toBe(true);
  expect(found[1 + others]).toBe('The new Harbor Light of Miami');
});
