import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { numberIn } from '../../../../src/events/ids.ts';
import type { UnsealedFields } from '../../../../src/events/directory/resource-fields.ts';
import { legacy, startSystem, v1, type RunningSystem, type TestKey } from '../../harness.ts';
import { get, pagesOf, svcIds, type ListBody } from '../read.ts';

type Given = Partial<UnsealedFields> & { readonly name: string };

const at = (latitude: number, longitude: number, postal_code: string, city = 'Miami') => [
  { street: '1 Quay', city, region: 'FL', postal_code, latitude, longitude },
];
const alwaysOpen = [
  { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], opens: '00:00', closes: '24:00' },
] as UnsealedFields['opening_hours'];
const mornings = [
  { days: ['mon', 'tue', 'wed', 'thu', 'fri'], opens: '09:00', closes: '12:00' },
] as UnsealedFields['opening_hours'];

const directory: readonly Given[] = [
  {
    name: 'Harbor Food Pantry',
    category: 'food',
    description: 'Groceries for families.',
    locations: at(25.77, -80.19, '33101'),
    phones: [{ number: '(305) 555-0100' }],
    languages: ['English', 'Spanish'],
    opening_hours: alwaysOpen,
    time_zone: 'America/New_York',
    free: true,
  },
  {
    name: 'Corner Pantries',
    category: 'food',
    locations: at(25.9, -80.2, '33157', 'Hialeah'),
    languages: ['Kreyòl'],
    opening_hours: mornings,
    time_zone: 'America/New_York',
  },
  {
    name: 'Food Safety Investigations',
    category: 'other',
    description: 'Inspects restaurants.',
    locations: at(25.78, -80.2, '33101'),
  },
  {
    name: 'Rent Relief',
    category: 'housing',
    description: 'Pays a month when a family is behind.',
    organization: { name: 'Harbor Network' },
    locations: at(25.76, -80.21, '33133'),
  },
  { name: 'Dental Clinic', category: 'health', description: 'Cleanings and fillings.' },
  { name: 'Despensa San Juan', category: 'food', description: 'Alimentos para familias.' },
  { name: 'Talk Line', category: 'mental', description: 'Suicide prevention, day and night.' },
  { name: 'Suicide Crisis Line', category: 'mental' },
  { name: 'Community Garden', category: 'food', description: 'Beds near the St. Mary’s church.' },
];

describe('a search', () => {
  let system: RunningSystem;
  let key: TestKey;
  beforeAll(async () => {
    system = await startSystem({ now: () => new Date('2026-03-03T20:00:00Z') });
    key = await system.key();
    await system.resources(directory.length, { fields: (index) => directory[index] ?? {} });
  });
  afterAll(() => system.stop());

  const ask = async (query: string) => {
    const answer = await get(system.server, `${v1}?${query}`, key.bearer);
    return { status: answer.statusCode, body: answer.json<ListBody & Record<string, unknown>>() };
  };
  const names = async (query: string): Promise<unknown[]> => {
    const { status, body } = await ask(query);
    expect(status, query).toBe(200);
    return body.data.map(({ name }) => name);
  };
  const found = (q: string) => names(new URLSearchParams({ q }).toString());

  test('puts names of the category before other names, and these before texts', async () => {
    expect((await found('food')).slice(0, 2)).toEqual(['Harbor Food Pantry', 'Corner Pantries']);
    expect(await found('suicide')).toEqual(['Suicide Crisis Line', 'Talk Line']);
  });

  test.each([
    ['pantrys', 'Harbor Food Pantry'],
    ['PANTRY', 'Corner Pantries'],
    ['pantr', 'Corner Pantries'],
    ['dentl clinic', 'Dental Clinic'],
    ['foodpantry', 'Harbor Food Pantry'],
    ['help paying rent', 'Rent Relief'],
    ['comida', 'Harbor Food Pantry'],
    ['groceries', 'Despensa San Juan'],
    ['33157', 'Corner Pantries'],
    ['305-555-0100', 'Harbor Food Pantry'],
    ['+1 305.555.0100', 'Harbor Food Pantry'],
    ['5550100', 'Harbor Food Pantry'],
    ['pantry hialeah', 'Corner Pantries'],
    ['kreyol', 'Corner Pantries'],
    ['st marys', 'Community Garden'],
    ['Harbor Network', 'Rent Relief'],
  ])('%s finds %s', async (q, name) => {
    expect(await found(q)).toContain(name);
  });

  test('says how a mistyped word is spelled', async () => {
    const { body } = await ask('q=dentl+clinic');
    expect(body['did_you_mean']).toBe('dental clinic');
    expect((await ask('q=dental+clinic')).body).not.toHaveProperty('did_you_mean');
  });

  test('is no error whatever the text is made of', async () => {
    for (const q of [
      '',
      ' ',
      '!!!',
      '🥫',
      'a',
      '"',
      '*',
      'a'.repeat(200),
      'a '.repeat(100),
      'NOT AND OR (',
    ]) {
      const { status, body } = await ask(new URLSearchParams({ q }).toString());
      expect(status, q).toBe(200);
      expect(body.data.length, q).toBeLessThanOrEqual(directory.length);
    }
    expect((await ask(`q=${'a'.repeat(201)}`)).status).toBe(400);
    expect(await found('!!!')).toEqual([]);
    expect(await found('')).toHaveLength(directory.length);
  });

  test('filters by city, postal code, language, organization and what is free', async () => {
    expect(await names('city=hialeah')).toEqual(['Corner Pantries']);
    expect(await names('postal_code=33157')).toEqual(['Corner Pantries']);
    expect(await names('language=es')).toEqual(['Harbor Food Pantry']);
    expect(await names('language=Spanish&category=food')).toEqual(['Harbor Food Pantry']);
    expect(await names('organization=harbor+network')).toEqual(['Rent Relief']);
    expect(await names('free=true')).toEqual(['Harbor Food Pantry']);
    expect(await names('q=pantry&city=Nowhere')).toEqual([]);
  });

  test('finds what is near, the nearest first, with the distance', async () => {
    const { body } = await ask('near=25.77,-80.19&radius_km=5');
    expect(body.data.map(({ name }) => name)).toEqual([
      'Harbor Food Pantry',
      'Food Safety Investigations',
      'Rent Relief',
    ]);
    expect(body.data.map(({ distance_km }) => distance_km)).toEqual([0, 1.5, 2.29]);
    expect(body['near']).toEqual({ latitude: 25.77, longitude: -80.19, radius_km: 5 });
    expect(await names('near=33157&radius_km=1')).toEqual(['Corner Pantries']);
    expect(await names('near=Hialeah,+FL&radius_km=1')).toEqual(['Corner Pantries']);
    expect(await names('near=25.77,-80.19&q=pantry')).toEqual(['Harbor Food Pantry', 'Corner Pantries']);
    expect(await names('near=0,0')).toEqual([]);
  });

  test('pages through what is near, each record once', async () => {
    const query = { near: '25.77,-80.19', radius_km: '100', limit: '1' };
    const pages = await pagesOf(system.server, v1, query, key.bearer);
    expect(pages.map(({ data }) => data[0]?.['name'])).toEqual([
      'Harbor Food Pantry',
      'Food Safety Investigations',
      'Rent Relief',
      'Corner Pantries',
    ]);
  });

  test('finds what is open at an instant, which all pages share', async () => {
    // 15:00 in New York.
    expect(await names('open_now=true')).toEqual(['Harbor Food Pantry']);
    expect(await names('open_at=2026-03-03T15:00:00Z&sort=id')).toHaveLength(2);
    const pages = await pagesOf(
      system.server,
      v1,
      { open_at: '2026-03-03T15:00:00Z', limit: '1' },
      key.bearer,
    );
    expect(svcIds(pages)).toHaveLength(2);
  });

  test('counts what was found by category, city and language', async () => {
    const { body } = await ask('q=pantry&facets=category,city,language');
    const facets = body['facets'] as Record<string, readonly { value: string; count: number }[]>;
    expect(facets['category']).toEqual([{ value: 'food', count: 3 }]);
    expect(facets['city']).toContainEqual({ value: 'Hialeah', count: 1 });
    expect(facets['language']).toContainEqual({ value: 'Spanish', count: 1 });
  });

  test.each([
    'limit=2',
    'q=pantry&limit=1',
    'q=food&limit=100',
    'q=food&near=33157&sort=relevance',
    'q=pantry%20spaceship%20hialeah&limit=1',
    'q=spaceship',
  ])('lists the same with facets as without: %s', async (query) => {
    const [plain, counted] = [await ask(query), await ask(`${query}&facets=category,city`)];
    expect(counted.body.data).toEqual(plain.body.data);
    expect(counted.body.next_cursor === null).toBe(plain.body.next_cursor === null);
    expect(counted.body).toHaveProperty('facets');
  });

  test('refuses what makes no sense, by name', async () => {
    for (const [query, word] of [
      ['near=33157&radius_km=0', 'radius_km'],
      ['near=33157&radius_km=1000000000', 'radius_km'],
      ['near=33157&radius_km=x', 'radius_km'],
      ['radius_km=5', 'near'],
      ['sort=best', 'sort'],
      ['sort=distance', 'near'],
      ['sort=relevance', 'q'],
      ['facets=team', 'facets'],
      ['free=yes', 'free'],
      ['open_now=true&open_at=2026-01-01', 'open_now'],
      ['open_at=soon', 'open_at'],
      ['q=food&updated_since=2026-01-01&sort=relevance', 'sort'],
    ] as const) {
      const { status, body } = await ask(query);
      expect(status, query).toBe(400);
      expect(body, query).toMatchObject({ error: 'invalid_parameter' });
      expect(body['detail'], query).toContain(word);
    }
    expect((await ask('near=Nowhereville')).body).toMatchObject({ error: 'unknown_place', status: 400 });
  });

  test('by id, or by change, is a search that reaches each record once', async () => {
    const byId = await pagesOf(system.server, v1, { q: 'food', sort: 'id', limit: '1' }, key.bearer);
    const byChange = await pagesOf(
      system.server,
      v1,
      { q: 'food', updated_since: '2000-01-01', limit: '1' },
      key.bearer,
    );
    const ranked = await pagesOf(system.server, v1, { q: 'food', limit: '1' }, key.bearer);
    const numbers = svcIds(byId).map((id) => numberIn(String(id)) ?? 0);
    expect(numbers).toEqual([...numbers].sort((one, other) => one - other));
    for (const pages of [byId, byChange, ranked]) {
      expect([...svcIds(pages)].sort()).toEqual([...svcIds(byId)].sort());
      expect(new Set(svcIds(pages)).size).toBe(pages.length);
    }
    expect(byId.length).toBeGreaterThan(3);
  });

  test('the legacy list ranks alike, pages by offset, and tells the total', async () => {
    const all = (await ask('q=food&limit=100')).body.data.map(({ svc_id }) => svc_id);
    const byOffset: unknown[] = [];
    for (let offset = 0; ; offset++) {
      const page = await get(system.server, `${legacy}?q=food&limit=1&offset=${offset}`, {
        'x-api-key': key.key,
      });
      const { data, has_more, total } = page.json<ListBody>();
      expect(total).toBe(all.length);
      byOffset.push(...data.map(({ svc_id }) => svc_id));
      expect(has_more).toBe(byOffset.length < all.length);
      if (!has_more) break;
    }
    expect(byOffset).toEqual(all);
    const beyond = await get(system.server, `${legacy}?q=food&offset=1000000`, { 'x-api-key': key.key });
    expect(beyond.json()).toEqual({ data: [], has_more: false, total: all.length });
  });
});
