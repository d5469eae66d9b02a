import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSystem, v1, type RunningSystem, type TestKey } from '../../harness.ts';

let system: RunningSystem;
let key: TestKey;
beforeAll(async () => {
  system = await startSystem();
  key = await system.key();
});
afterAll(() => system.stop());

const location = { street: '1 Quay', city: 'Miami', region: 'FL', postal_code: '33132' };
const submit = (latitude: number, longitude: number) =>
  system.server.inject({
    method: 'POST',
    url: v1,
    headers: { ...key.bearer, 'idempotency-key': crypto.randomUUID() },
    payload: { name: 'Pantry', category: 'food', locations: [{ ...location, latitude, longitude }] },
  });

test('coordinates that are swapped are refused, with what they should be', async () => {
  const answer = await submit(-80.19, 25.77);
  expect(answer.statusCode).toBe(422);
  expect(answer.body).toContain(
    'The coordinates of location 1 have latitude and longitude swapped. Perhaps they are 25.77, -80.19.',
  );
});

test('coordinates on the sea are refused, and those of the address are taken', async () => {
  expect((await submit(25, -60)).statusCode).toBe(422);
  expect((await submit(0, 0)).statusCode).toBe(422);
  expect((await submit(25.77, -80.19)).statusCode).toBe(201);
});

test('a change of something else passes where a former one has wrong coordinates', async () => {
  const wrong = { ...location, latitude: 1, longitude: 1 };
  const { requirePlausiblePlaces } = await import('../../../../src/commands/directory/field-changes.ts');
  expect(() => {
    requirePlausiblePlaces([wrong], [wrong]);
  }).not.toThrow();
  expect(() => {
    requirePlausiblePlaces([wrong], [location]);
  }).toThrow('location 1 are');
});
