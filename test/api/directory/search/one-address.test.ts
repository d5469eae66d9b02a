import { afterAll, beforeAll, expect, test } from 'vitest';
import { pageByDistance } from '../../../../src/api/directory/search/by-distance.ts';
import type { SearchPlace, SearchRequest } from '../../../../src/api/directory/search/request.ts';
import { SearchIndex } from '../../../../src/api/directory/search/search-index.ts';
import { categories } from '../../../../src/events/directory/category.ts';
import { resourceSearch } from '../../../../src/projections/directory/resource-search.ts';
import { startSystem, type RunningSystem } from '../../harness.ts';

const records = 420;
let system: RunningSystem;
let index: SearchIndex;
beforeAll(async () => {
  system = await startSystem();
  const at = (postal_code: string, city = 'Miami', region = 'FL') => ({ city, region, postal_code });
  const point = (n: number) => ({ city: 'Miami', latitude: 25.774 + n / 1e5, longitude: -80.194 });
  await system.resources(records, {
    fields: (n) => ({
      time_zone: 'America/New_York',
      opening_hours: [{ days: ['tue'], opens: n % 3 === 0 ? '09:00' : '20:00', closes: '21:00' }],
      locations: [
        // Most are in the middle of one code, some in those of others, some at a point of their own as well.
        n % 7 === 0 ? at('33130') : n % 7 === 1 ? at('33199') : at('33102'),
        ...(n % 11 === 0 ? [point(n)] : []),
        // A code of another state than the address tells: the town counts.
        ...(n % 13 === 0 ? [at('33102', 'Tampa', 'GA')] : []),
      ],
    }),
  });
  index = new SearchIndex(system.system.documents.collection(resourceSearch.collection));
  await index.geocoder.refresh();
});
afterAll(() => system.stop());

const near = { latitude: 25.7743, longitude: -80.1937, radiusKm: 10 };

/** All pages of a search. `together`: whether records of one address are read alone. */
async function allOf(request: Pick<SearchRequest, 'openAt'>, apart: boolean) {
  const bounds = { together: apart ? 2_000 : 50, most: 20_000 };
  const seen: { number: number; distanceKm: number | undefined }[] = [];
  let place: SearchPlace | undefined;
  do {
    const band = { every: [categories.map((slug) => `k${slug}`)] };
    const read = { near, limit: 20, ...request, place, kinds: apart ? undefined : new Set(['none']) };
    const page = await pageByDistance(index, read, [band], undefined, bounds);
    seen.push(...page.hits.map(({ number, distanceKm }) => ({ number, distanceKm })));
    place = page.next;
  } while (place);
  return seen;
}

test.each([
  ['all', {}, records],
  ['those that are open', { openAt: '2026-03-03T15:30:00Z' }, records / 3],
])(
  'where hundreds have one address, the pages are the same as when all were read: %s',
  async (_, request, many) => {
    const apart = await allOf(request, true);
    expect(apart).toHaveLength(many);
    expect(new Set(apart.map(({ number }) => number)).size).toBe(many);
    expect(apart).toEqual(await allOf(request, false));
  },
);

test('of hundreds with one address only the first are read', async () => {
  let read = 0;
  const counting = Object.assign(Object.create(index) as SearchIndex, {
    candidates: async (...args: Parameters<SearchIndex['candidates']>) => {
      const found = await index.candidates(...args);
      read += found.length;
      return found;
    },
    geocoder: index.geocoder,
  });
  const band = { every: [categories.map((slug) => `k${slug}`)] };
  const page = await pageByDistance(counting, { near, limit: 20 }, [band], undefined);
  expect(page.hits).toHaveLength(20);
  expect(read).toBeLessThan(records / 2);
});
