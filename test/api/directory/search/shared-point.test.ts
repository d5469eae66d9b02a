import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UnsealedFields } from '../../../../src/events/directory/resource-fields.ts';
import { legacy as legacyList, startSystem, v1, type RunningSystem, type TestKey } from '../../harness.ts';

const town = { city: 'Miami', region: 'FL' };
const middle = { ...town, latitude: 25.78, longitude: -80.2 };
/** 0.3 miles, 0.8 miles and 1.4 miles from the place that is asked for. */
const from = '25.78436,-80.2';
const records: readonly Partial<UnsealedFields>[] = [
  // A source that gives the middle of a postal code to all of its addresses.
  ...['1 Oak Street', '220 Elm Street', '35 Pine Road', '4 Quay', '59 Bay Road', '6 Hill Lane'].map(
    (street) => ({
      name: `Middle ${street}`,
      locations: [{ ...middle, street }],
    }),
  ),
  // A house of many offices.
  ...Array.from({ length: 8 }, (_, n) => ({
    name: `Office ${n}`,
    locations: [{ ...town, street: `100 Main Street, Suite ${n}`, latitude: 25.77276, longitude: -80.2 }],
  })),
  { name: 'Exact', locations: [{ ...town, street: '9 Palm Avenue', latitude: 25.79016, longitude: -80.2 }] },
];

let system: RunningSystem;
let key: TestKey;
beforeAll(async () => {
  system = await startSystem();
  key = await system.key();
  await system.resources(records.length, { fields: (n) => records[n] ?? {} });
});
afterAll(() => system.stop());

const listed = async () => {
  const { body } = await system.server.inject({
    url: `${v1}?near=${from}&radius_km=20&limit=100`,
    headers: key.bearer,
  });
  return (JSON.parse(body) as { data: { name: string; distance_approximate?: true }[] }).data;
};

test('coordinates that many streets have in common are about where a record is, those of one house are exact', async () => {
  const approximate = (await listed()).filter((each) => each.distance_approximate).map(({ name }) => name);
  expect(approximate.sort()).toEqual(
    records
      .slice(0, 6)
      .map(({ name }) => name ?? '')
      .sort(),
  );
  const { body } = await system.server.inject(`/find?near=${from}&radius=20`);
  expect(body).toContain('about 1 mile away');
});

test('a page is in the order of the distances as it shows them', async () => {
  const { body } = await system.server.inject(`/find?near=${from}&radius=20`);
  const shown = [...body.matchAll(/<li class="result">.*?<\/li>/gs)].map(([text]) =>
    Number(/([\d.]+) miles? away/.exec(text)?.[1]),
  );
  expect(shown).toHaveLength(records.length);
  expect(shown[0]).toBe(0.4);
  expect(shown).toEqual(shown.toSorted((one, other) => one - other));
  const legacy = await system.server.inject({
    url: `${legacyList}?near=${from}&lang=en`,
    headers: { 'x-api-key': key.key },
  });
  const { data } = JSON.parse(legacy.body) as { data: { distance_in_words: string }[] };
  const words = data.map(({ distance_in_words }) => Number(/[\d.]+/.exec(distance_in_words)?.[0]));
  expect(words).toEqual(words.toSorted((one, other) => one - other));
});
