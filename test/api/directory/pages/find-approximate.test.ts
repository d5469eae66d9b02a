import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSystem, type RunningSystem } from '../../harness.ts';

let system: RunningSystem;
beforeAll(async () => {
  system = await startSystem();
  const miami = { city: 'Miami', region: 'FL' };
  const records = [
    {
      name: 'By its code',
      locations: [
        { ...miami, street: '7 Far Road', city: 'Tampa', postal_code: '33602' },
        { ...miami, street: '9 Palm Avenue', postal_code: '33125' },
      ],
    },
    { name: 'By its point', locations: [{ ...miami, latitude: 25.8, longitude: -80.19 }] },
    { name: 'Hidden', locations: [{ ...miami, street: '1 Secret', confidential: true as const }] },
  ];
  await system.resources(records.length, { fields: (n) => records[n] ?? {} });
});
afterAll(() => system.stop());

const results = async (lang: string): Promise<string[]> => {
  const { body } = await system.server.inject(`/find?near=25.774,-80.194&radius=20&lang=${lang}`);
  return [...body.matchAll(/<li class="result">.*?<\/li>/gs)].map(([text]) =>
    text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' '),
  );
};

test('a place of which only the code or town is known is about so far away, in whole numbers', async () => {
  const [hidden, point, code] = await results('en');
  expect(hidden).toContain('Hidden');
  expect(hidden).toContain('about 1 mile away');
  expect(point).toContain('1.8 miles away');
  expect(point).not.toContain('about');
  expect(code).toMatch(/9 Palm Avenue.*about 3 miles away/);
  expect(code).not.toContain('7 Far Road');
});

test('is said so in every language', async () => {
  expect((await results('es'))[2]).toMatch(/a cerca de \d+ (km|millas)/);
  expect((await results('ht'))[2]).toMatch(/apeprè \d+ (km|mil) lwen/);
});
