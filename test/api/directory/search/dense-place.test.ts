import { afterAll, beforeAll, expect, test } from 'vitest';
import { pageByDistance } from '../../../../src/api/directory/search/by-distance.ts';
import type { SearchPlace } from '../../../../src/api/directory/search/request.ts';
import { SearchIndex } from '../../../../src/api/directory/search/search-index.ts';
import { resourceSearch } from '../../../../src/projections/directory/resource-search.ts';
import { startSystem, type RunningSystem } from '../../harness.ts';

let system: RunningSystem;
beforeAll(async () => {
  system = await startSystem();
  const locations = [{ city: 'Miami', latitude: 25.77, longitude: -80.19 }];
  await system.resources(30, { fields: () => ({ locations }) });
});
afterAll(() => system.stop());

test('paging ends where more records lie at one place than can be read, and says that there may be more', async () => {
  const index = new SearchIndex(system.system.documents.collection(resourceSearch.collection));
  const near = { latitude: 25.77, longitude: -80.19, radiusKm: 5 };
  const seen: number[] = [];
  let place: SearchPlace | undefined;
  for (let pages = 0; ; pages++) {
    expect(pages).toBeLessThan(10);
    const bounds = { together: 5, most: 10 };
    const page = await pageByDistance(index, { near, limit: 4, place }, [{ every: [] }], undefined, bounds);
    seen.push(...page.hits.map(({ number }) => number));
    place = page.next;
    if (!place) {
      expect(page.mayHaveMore).toBe(true);
      break;
    }
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toHaveLength(10);
});
