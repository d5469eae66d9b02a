import { describe, expect, it } from 'vitest';
import { facetsOf, readFacets, writtenFacets } from '../../../src/projections/directory/search-keys.ts';
import { readPlaces, writtenPlaces } from '../../../src/projections/directory/places.ts';
import { readWeek, writtenWeek } from '../../../src/projections/directory/resource-search.ts';

const place = (latitude: number, longitude: number) => ({ latitude, longitude });
const bare = { name: 'Pantry', category: 'food' as const };

describe('what a search compares of a record without reading it', () => {
  it('are its places, each once, to a metre', () => {
    const locations = [place(25.7906543219, -80.13), place(25.790654, -80.13), place(-0.000001, 179.5), {}];
    expect(writtenPlaces({ locations })).toBe('25.79065,-80.13;0,179.5');
    expect(readPlaces('25.79065,-80.13;0,179.5')).toEqual([place(25.79065, -80.13), place(0, 179.5)]);
    expect(writtenPlaces({})).toBeUndefined();
  });

  it('are its addresses where it has no coordinates, those that are confidential marked', () => {
    const locations = [
      { city: 'N. Miami', region: 'Florida', postal_code: '33161-1234' },
      { street: '1 Quay', city: 'North Miami', region: 'FL', postal_code: '33161' },
      { city: 'Tampa, FL' },
      { city: 'Miami', region: 'FL', confidential: true as const },
      { city: 'San Juan', country: 'PR' },
      { city: 'Toronto', region: 'ON', postal_code: 'M5V 2T6', country: 'CA' },
      { city: 'Toronto', region: 'ON' },
      { city: 'Miami', region: 'FL', virtual: true as const },
      { region: 'FL' },
    ];
    expect(writtenPlaces({ locations })).toBe(
      '~sfl0533161northmiami;~sfl00tampa;!sfl00miami;~spr00sanjuan;~cca06m5v2t6toronto;~c0000toronto',
    );
    expect(readPlaces('25.7,-80.1;~sfl00tampa;!sfl00miami')).toEqual([
      place(25.7, -80.1),
      { address: 'sfl00tampa' },
      { address: 'sfl00miami', confidential: true },
    ]);
    expect(writtenPlaces({ locations: [{ region: 'FL' }] })).toBeUndefined();
  });

  it('is its week, where it is structured', () => {
    const rule = { days: ['mon' as const], opens: '09:00', closes: '17:00' };
    const week = { opening_hours: [rule], time_zone: 'America/New_York', availability: 'open' as const };
    const noted = { ...week, opening_hours: [{ ...rule, note: 'by appointment' }] };
    expect(readWeek(writtenWeek(noted, 'harbour') ?? '')).toEqual(week);
    const locations = [{ city: 'Miami', region: 'FL', virtual: true as const }, { postal_code: '33125' }];
    expect(readWeek(writtenWeek({ opening_hours: [rule], locations }, 'harbour') ?? '')).toEqual({
      opening_hours: [rule],
      place: '\t\t33125',
      team: 'harbour',
    });
    const offsets = { opening_hours: [rule], utc_offsets: ['-05:00'] };
    expect(readWeek(writtenWeek(offsets, 'harbour') ?? '')).toEqual({ ...offsets, team: 'harbour' });
    expect(writtenWeek({ time_zone: 'America/New_York' }, 'harbour')).toBeUndefined();
  });

  it('are its cities and languages, each by one name', () => {
    const fields = {
      ...bare,
      locations: [{ city: 'Miami' }, { city: 'MIAMI' }, { city: 'Port | Harbor\tBay' }, { city: '…' }],
      languages: ['Español', 'Spanish', 'Kreyol', 'High Valyrian', 'translation line available', '…'],
    };
    const facets = {
      cities: ['Miami', 'Port Harbor Bay'],
      languages: ['Spanish', 'Haitian Creole', 'High Valyrian'],
    };
    expect(facetsOf(fields)).toEqual(facets);
    expect(readFacets(writtenFacets(fields) ?? '')).toEqual(facets);
    expect(readFacets(writtenFacets({ ...bare, languages: ['French'] }) ?? '')).toEqual({
      cities: [],
      languages: ['French'],
    });
    expect(writtenFacets(bare)).toBeUndefined();
  });
});
