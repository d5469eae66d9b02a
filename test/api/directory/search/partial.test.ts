import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UnsealedFields } from '../../../../src/events/directory/resource-fields.ts';
import { startSystem, v1, type RunningSystem, type TestKey } from '../../harness.ts';
import { get, type ListBody } from '../read.ts';

type Given = Partial<UnsealedFields> & { readonly name: string };

const at = (city: string, latitude: number, longitude: number) => [
  { city, region: 'FL', latitude, longitude },
];
const open = (days: readonly string[]) =>
  [{ days, opens: '09:00', closes: '17:00' }] as unknown as UnsealedFields['opening_hours'];

const directory: readonly Given[] = [
  { name: 'Pantry of Hialeah', category: 'food', locations: at('Hialeah', 25.8576, -80.2781) },
  {
    name: 'Weekend Pantry',
    category: 'food',
    locations: at('Miami', 25.86, -80.21),
    opening_hours: open(['sat']),
    time_zone: 'America/New_York',
  },
  { name: 'Far Pantry', category: 'food', locations: at('Key West', 24.5551, -81.78) },
  {
    name: 'National Suicide Prevention Lifeline',
    category: 'emergency',
    taxonomy_terms: ['Suicide Prevention Hotlines'],
  },
  { name: 'Crisis Line of the County', category: 'mental' },
  ...Array.from({ length: 6 }, (_, n) => ({
    name: `Sunrise Group ${n}`,
    category: 'mental' as const,
    organization: { name: 'Initiative for Suicide Prevention' },
    taxonomy_terms: ['Suicide Survivors'],
  })),
  { name: 'Mothers and Infants', category: 'health', taxonomy_terms: ['WIC'] },
  { name: 'Office of Ward 7', category: 'other' },
  { name: 'Group for Schizophrenia', category: 'mental' },
  ...['10 Good Hope Road, SE', '10 Kenyon Street, N.W.'].map((street) => ({
    name: `Kitchen of ${street.slice(0, 6)}`,
    category: 'food' as const,
    locations: [{ street, city: 'Washington', region: 'DC' }],
  })),
  // A word that is mistyped in one record, and right in many.
  { name: 'Assistant', category: 'other', description: 'Helps with medicad.' },
  ...Array.from({ length: 12 }, (_, n) => ({
    name: `Health Office ${n}`,
    category: 'health' as const,
    description: 'Applications for medicaid.',
  })),
];

describe('a search that finds too few', () => {
  let system: RunningSystem;
  let key: TestKey;
  beforeAll(async () => {
    // A Tuesday.
    system = await startSystem({ now: () => new Date('2026-03-03T20:00:00Z') });
    key = await system.key();
    await system.resources(directory.length, { fields: (index) => directory[index] ?? {} });
  });
  afterAll(() => system.stop());

  const ask = async (query: Readonly<Record<string, string>>) => {
    const answer = await get(system.server, `${v1}?${new URLSearchParams(query).toString()}`, key.bearer);
    expect(answer.statusCode).toBe(200);
    const body = answer.json<ListBody & { readonly partial_from?: number; readonly did_you_mean?: string }>();
    return { ...body, names: body.data.map(({ name }) => name) };
  };

  test('is filled with what lies around the place, and says from where on', async () => {
    const { names, partial_from } = await ask({ q: 'food pantry hialeah' });
    expect(names.slice(0, 2)).toEqual(['Pantry of Hialeah', 'Weekend Pantry']);
    expect(partial_from).toBe(1);
  });

  test('takes what is open on the day first', async () => {
    const { names, partial_from } = await ask({ q: 'pantry open saturday' });
    expect(names[0]).toBe('Weekend Pantry');
    expect(partial_from).toBe(1);
    expect(names).toContain('Far Pantry');
  });

  test('says where nothing agrees in all', async () => {
    const { names, partial_from } = await ask({ q: 'pantry open sunday' });
    expect(partial_from).toBe(0);
    expect(names).toContain('Pantry of Hialeah');
  });

  test('has nothing to say where all agree', async () => {
    expect((await ask({ q: 'health office' })).partial_from).toBeUndefined();
    expect((await ask({ category: 'food' })).partial_from).toBeUndefined();
  });

  test('repeats nobody on the pages that follow', async () => {
    const seen: unknown[] = [];
    let query: Record<string, string> = { q: 'applications medicaid', limit: '5' };
    for (;;) {
      const page = await ask(query);
      seen.push(...page.data.map(({ svc_id }) => svc_id));
      if (page.next_cursor === null) break;
      query = { cursor: page.next_cursor, limit: '5' };
    }
    expect(seen.length).toBeGreaterThanOrEqual(12);
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('finds the hotline before lines that are called otherwise', async () => {
    expect((await ask({ q: 'suicide hotline' })).names[0]).toBe('National Suicide Prevention Lifeline');
    // Of what is as much about it, what is there for emergencies.
    const { names } = await ask({ q: 'suicide' });
    expect(names[0]).toBe('National Suicide Prevention Lifeline');
    expect(names.filter((name) => String(name).startsWith('Sunrise'))).toHaveLength(6);
    expect((await ask({ q: 'mwen vle touye tèt mwen' })).names[0]).toBe(
      'National Suicide Prevention Lifeline',
    );
  });

  test('keeps what is needed, and leaves out other words first', async () => {
    const { names } = await ask({ q: 'wic office ward 7' });
    expect(names[0]).toBe('Mothers and Infants');
    expect(names).toContain('Office of Ward 7');
  });

  test('corrects two errors of a long word, where no word has one', async () => {
    const { names, did_you_mean } = await ask({ q: 'schizofrenia' });
    expect(did_you_mean).toBe('schizophrenia');
    expect(names[0]).toBe('Group for Schizophrenia');
  });

  test.each([
    ['kitchen SE', 'Kitchen of 10 Goo'],
    ['kitchen southeast', 'Kitchen of 10 Goo'],
    ['kitchen se washington dc', 'Kitchen of 10 Goo'],
    ['kitchen northwest', 'Kitchen of 10 Ken'],
  ])('reads the part of a town that a street names: %s', async (q, name) => {
    const { names, partial_from } = await ask({ q });
    expect(names[0]).toBe(name);
    expect(partial_from).toBe(1);
  });

  test('corrects a rare word that looks like a frequent one, and what people call a need', async () => {
    const { names, did_you_mean } = await ask({ q: 'medicad' });
    expect(did_you_mean).toBe('medicaid');
    expect(names.filter((name) => String(name).startsWith('Health Office')).length).toBeGreaterThan(3);
    expect((await ask({ q: 'despensaa' })).names).toContain('Far Pantry');
  });
});
