import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Location } from '../../src/events/directory/location.ts';
import { startSystem, v1, type RunningSystem, type TestKey } from '../api/harness.ts';
import { get, type ListBody } from '../api/directory/read.ts';

type Row = Readonly<Record<string, unknown>>;

const exact = (latitude: number, longitude: number, rest: Location = {}): Location => ({
  region: 'FL',
  ...rest,
  latitude,
  longitude,
});

/** Records by name, each with its locations. */
const places: Readonly<Record<string, readonly Location[]>> = {
  'By its code': [{ street: '9 Palm Ave', city: 'Miami', region: 'FL', postal_code: '33125' }],
  'By its code of nine digits': [{ city: 'Orlando', region: 'Florida', postal_code: '32801-1234' }],
  'By its town': [{ city: 'St. Augustine', region: 'FL' }],
  'By its town alone': [{ city: 'Springfield' }],
  'By its coordinates': [
    exact(25.7741, -80.1936, { city: 'Miami', street: '100 Biscayne Blvd', postal_code: '33132' }),
  ],
  'With two places': [
    { city: 'Tampa', region: 'FL', postal_code: '33602' },
    exact(26.1224, -80.1373, { city: 'Fort Lauderdale' }),
  ],
  'On an island': [{ city: 'San Juan', country: 'PR' }],
  'In another country': [{ city: 'London', region: 'ON', country: 'CA', postal_code: 'N6A 1A1' }],
  'Its neighbour': [{ ...exact(42.98, -81.25), region: 'ON', country: 'CA', city: 'London' }],
  'With a code of elsewhere': [{ city: 'Tallahassee', region: 'FL', postal_code: '90210' }],
  'With a code that nobody has': [{ city: 'Ocala', region: 'FL', postal_code: '34999' }],
  Shelter: [
    {
      street: '5 Secret Road',
      city: 'Naples',
      region: 'FL',
      postal_code: '34119',
      latitude: 26.29,
      longitude: -81.6,
      confidential: true,
    },
  ],
  'Shelter of nowhere': [{ city: 'Harbour Beyond', region: 'FL', confidential: true }],
  'Harbour Hall': [exact(27.5, -82.5, { name: 'Harbour Hall', city: 'Harbour Beyond' })],
  'Harbour Office': [{ city: 'Harbour Beyond', region: 'FL' }],
  'By phone': [{ city: 'Miami', region: 'FL', virtual: true }],
  'Little Havana Clinic': [
    exact(25.7659, -80.2196, { name: 'Little Havana Branch', city: 'Miami', street: '1401 SW 8th Street' }),
  ],
};

/** What near finds, the same on every store. `start` takes what the server of the store is set by. */
export function nearContract(environment: () => Readonly<Record<string, string>>): void {
  let system: RunningSystem;
  let key: TestKey;

  beforeAll(async () => {
    system = await startSystem({ environment: environment() });
    key = await system.key();
    const names = Object.keys(places);
    await system.resources(names.length, {
      fields: (n) => ({ name: names[n] ?? '', locations: [...(places[names[n] ?? ''] ?? [])] }),
    });
  }, 120_000);
  afterAll(() => system.stop());

  const ask = async (query: string) => {
    const answer = await get(system.server, `${v1}?${query}`, key.bearer);
    return { status: answer.statusCode, body: answer.json<ListBody & Row>() };
  };
  const rows = async (near: string, radius_km: number): Promise<readonly Row[]> => {
    const found: Row[] = [];
    for (let cursor = ''; ;) {
      const query = new URLSearchParams({ near, radius_km: String(radius_km), limit: '3' });
      if (cursor !== '') query.set('cursor', cursor);
      const { status, body } = await ask(query.toString());
      expect(status, JSON.stringify(body)).toBe(200);
      found.push(...body.data);
      if (typeof body['next_cursor'] !== 'string') return found;
      cursor = body['next_cursor'];
    }
  };
  const names = async (near: string, radius: number) => (await rows(near, radius)).map(({ name }) => name);

  describe('a record without coordinates', () => {
    it('is near by its postal code, approximately, among those that have coordinates', async () => {
      const found = await rows('25.7741,-80.1936', 10);
      expect(found.map(({ name }) => name)).toEqual([
        'By its coordinates',
        'Little Havana Clinic',
        'By its code',
      ]);
      const [there, , about] = found;
      expect(there).toMatchObject({ distance_km: 0 });
      expect(there).not.toHaveProperty('distance_approximate');
      expect(about).toMatchObject({ distance_approximate: true });
      expect(about?.['distance_km']).toBeGreaterThan(3);
      expect(about?.['distance_km']).toBeLessThan(6);
    });

    it('is near by a code of nine digits, by its town and state, and on the islands', async () => {
      expect(await names('Orlando, FL', 15)).toEqual(['By its code of nine digits']);
      expect(await names('29.9,-81.31', 15)).toEqual(['By its town']);
      expect(await names('18.46,-66.1', 15)).toEqual(['On an island']);
    });

    it('is at the nearest of its places', async () => {
      const [tampa] = await rows('27.95,-82.46', 10);
      expect(tampa).toMatchObject({ name: 'With two places', distance_approximate: true });
      const [lauderdale] = await rows('26.1224,-80.1373', 1);
      expect(lauderdale).toMatchObject({ name: 'With two places', distance_km: 0 });
      expect(lauderdale).not.toHaveProperty('distance_approximate');
    });

    it('is where its neighbours are, where no gazetteer knows the town', async () => {
      expect(await names('42.98,-81.25', 5)).toEqual(
        expect.arrayContaining(['In another country', 'Its neighbour']),
      );
      expect(await names('27.5,-82.5', 5)).toEqual(
        expect.arrayContaining(['Harbour Hall', 'Harbour Office']),
      );
    });

    it('is in its town, where its code is one of elsewhere or of nobody', async () => {
      expect(await names('30.44,-84.28', 15)).toEqual(['With a code of elsewhere']);
      expect(await names('34.09,-118.41', 30)).toEqual([]);
      expect(await names('29.19,-82.14', 15)).toEqual(['With a code that nobody has']);
    });

    it('of a town without a state is in that of its name which is nearest to the directory', async () => {
      const [record] = (await rows('27.5,-82.5', 3_000)).filter(({ name }) => name === 'By its town alone');
      // Springfield in Florida, not the large ones of Missouri and Massachusetts.
      expect(record?.['distance_km']).toBeLessThan(450);
    });

    it('is nowhere, when it is reached by phone or online', async () => {
      expect(await names('25.77,-80.19', 20_000)).not.toContain('By phone');
    });

    it('is found once in whatever circle', async () => {
      for (const radius of [1_000, 3_000, 20_000]) {
        const found = await names('27.5,-82.5', radius);
        expect(new Set(found).size, String(radius)).toBe(found.length);
      }
      const all = await names('27.5,-82.5', 20_000);
      expect(all.toSorted()).toEqual(
        Object.keys(places)
          .filter((name) => !['By phone', 'Shelter of nowhere'].includes(name))
          .toSorted(),
      );
    });

    it('counts as what changes: it is near its new code at once', async () => {
      const [id = ''] = await system.resources(1, {
        fields: () => ({
          name: 'Moving',
          locations: [{ city: 'Key West', region: 'FL', postal_code: '33040' }],
        }),
      });
      expect(await names('24.56,-81.78', 20)).toEqual(['Moving']);
      await system.command(id, {
        kind: 'revise',
        change: { locations: [{ city: 'Pensacola', region: 'FL', postal_code: '32501' }] },
      });
      expect(await names('24.56,-81.78', 20)).toEqual([]);
      expect(await names('30.42,-87.22', 20)).toEqual(['Moving']);
      await system.command(id, { kind: 'deactivate' });
    });
  });

  describe('a confidential location', () => {
    it('is in the middle of its city, and nowhere where nobody knows the city', async () => {
      const city = '26.142,-81.795';
      const [shelter] = await rows(city, 5);
      expect(shelter).toMatchObject({ name: 'Shelter', distance_approximate: true });
      expect(await names('26.29,-81.6', 5)).toEqual([]);
      expect(await names('27.5,-82.5', 20_000)).not.toContain('Shelter of nowhere');
    });
  });

  describe('near', () => {
    const inMiami = ['By its coordinates', 'Little Havana Clinic', 'By its code'];

    it.each([
      ['33125', ['By its code']],
      ['60601', []],
      ['Miami', inMiami],
      ['miami, fl', inMiami],
      ['Miami FL 33132, USA', ['By its coordinates']],
      ['Miami Florida', inMiami],
      ['Miami-Dade County', inMiami],
      ['Collier County, FL', ['Shelter']],
      ['Saint Augustine', ['By its town']],
      ['Little Havana', ['Little Havana Clinic']],
      ['little havana, miami', ['Little Havana Clinic']],
      ['1401 SW 8th St', ['Little Havana Clinic']],
      ['1234 Southwest 8th Street, Miami, FL', ['Little Havana Clinic']],
      ['100 Biscayne Boulevard', ['By its coordinates']],
      ['77 Nowhere Rd, Orlando, FL 32801', ['By its code of nine digits']],
      ['77 Nowhere Rd Orlando FL', ['By its code of nine digits']],
      ['St Petersburg', ['With two places']],
      ['Harbour Beyond', ['Harbour Hall', 'Harbour Office']],
    ])('%s is understood', async (text, expected) => {
      const [first] = await names(text, 40);
      expect(expected.length === 0 ? [undefined] : expected).toContain(first);
    });

    it.each(['Nowhereville', '!!!', '00000', '1 Nowhere Street', 'Spanish'])(
      '%s is said to be unknown',
      async (text) => {
        const { status, body } = await ask(new URLSearchParams({ near: text }).toString());
        expect([status, body['error']]).toEqual([400, 'unknown_place']);
      },
    );
  });
}
