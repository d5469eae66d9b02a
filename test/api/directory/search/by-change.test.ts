import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pageByChange, type ChangeBounds } from '../../../../src/api/directory/search/by-change.ts';
import type { SearchPlace, SearchRequest } from '../../../../src/api/directory/search/request.ts';
import { SearchIndex } from '../../../../src/api/directory/search/search-index.ts';
import { resourceSearch } from '../../../../src/projections/directory/resource-search.ts';
import type { TermQuery } from '../../../../src/stores/documents/port.ts';
import { startSystem, type RunningSystem } from '../../harness.ts';

const listed = 60;
let system: RunningSystem;
let index: SearchIndex;
/** When they changed, in this order. */
let times: readonly string[];

beforeAll(async () => {
  system = await startSystem();
  await system.resources(listed, {
    fields: (n) => ({
      category: 'food',
      name:
        ['Food', 'Bread', 'Soup', 'Clothes'].filter((_, word) => (n >> word) % 2 === 0).join(' ') || 'Roof',
      ...(n % 3 === 0 ? {} : { locations: [{ city: 'Miami', latitude: 25.7 + n / 100, longitude: -80.2 }] }),
    }),
  });
  index = new SearchIndex(system.system.documents.collection(resourceSearch.collection));
  const all = await index.changed({ every: [['kfood']] }, 2 * listed, {
    since: '',
    after: undefined,
    also: [],
  });
  times = all.map(({ updated_at }) => updated_at);
});
afterAll(() => system.stop());

const never: ChangeBounds = { sorted: Number.MAX_SAFE_INTEGER, together: 1_000, most: 1_000 };
const stems = ['food', 'bread', 'soup', 'cloth', 'roof', 'nobody'];
const group = fc.uniqueArray(fc.constantFrom(...stems.map((stem) => `n${stem}`), 'kfood'), {
  minLength: 1,
  maxLength: 3,
});
const query: fc.Arbitrary<TermQuery> = fc.record(
  {
    every: fc.array(group, { minLength: 1, maxLength: 3 }),
    except: fc.array(fc.array(group, { minLength: 1, maxLength: 2 }), { maxLength: 2 }),
  },
  { requiredKeys: ['every'] },
);
type Asked = SearchRequest & { readonly updatedSince: string };
const asked: fc.Arbitrary<Asked> = fc
  .record(
    {
      since: fc.nat({ max: listed - 1 }),
      limit: fc.integer({ min: 1, max: 25 }),
      near: fc.constant({ latitude: 26, longitude: -80.2, radiusKm: 20 }),
    },
    { requiredKeys: ['since', 'limit'] },
  )
  .map(({ since, ...rest }) => ({ ...rest, updatedSince: times[since] as string }));

/** All hits, page by page. */
async function hitsOf(request: Asked, union: TermQuery, bounds: ChangeBounds) {
  const hits: unknown[] = [];
  const pages: number[] = [];
  let place: SearchPlace | undefined;
  do {
    const page = await pageByChange(index, { ...request, place }, union, bounds);
    hits.push(...page.hits);
    pages.push(page.hits.length);
    place = page.next;
    expect(pages.length).toBeLessThan(4 * listed);
  } while (place);
  return { hits, pages };
}

test('a page in the order of changes is the same, whether matches are sorted or records looked at', async () => {
  expect(times).toHaveLength(listed);
  await fc.assert(
    fc.asyncProperty(query, asked, fc.integer({ min: 1, max: 9 }), async (union, request, together) => {
      const sorted = await hitsOf(request, union, never);
      expect(await hitsOf(request, union, { sorted: -1, together, most: 10_000 })).toEqual(sorted);
      // Bounded, pages may be shorter.
      const bounded = await hitsOf(request, union, { sorted: -1, together, most: 2 * together });
      expect(bounded.hits).toEqual(sorted.hits);
    }),
    { numRuns: 60 },
  );
});

test('a page by its number is the same, also where fewer records may be looked at', async () => {
  const unplaced = asked.map(({ near: _near, ...request }) => request);
  await fc.assert(
    fc.asyncProperty(query, unplaced, fc.nat({ max: 40 }), async (union, request, skip) => {
      const expected = await pageByChange(index, { ...request, skip }, union, never);
      for (const most of [10_000, 4])
        expect(
          await pageByChange(index, { ...request, skip }, union, { sorted: -1, together: 4, most }),
        ).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});

test('a page ends where no more records may be looked at, and the next one goes on', async () => {
  const request = { updatedSince: times[0] as string, limit: 5 };
  const bounds = { sorted: -1, together: 3, most: 9 };
  const page = await pageByChange(index, request, { every: [['nnobody']] }, bounds);
  expect(page).toMatchObject({ hits: [], mayHaveMore: true, next: { updatedAt: times[8] } });
});
