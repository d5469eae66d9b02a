import { describe, expect, it } from 'vitest';
import { wrongCoordinates } from '../../src/places/coordinates.ts';

const miami = { city: 'Miami', region: 'FL', postal_code: '33125' };
const right = { latitude: 25.77, longitude: -80.21 };

describe('coordinates', () => {
  it.each([
    ['of the address', right, miami],
    ['of a place in the same region', { latitude: 27.2, longitude: -81.4 }, miami],
    ['of a town of which no state is told', right, { city: 'Chicago' }],
    ['of an address that is not known', { latitude: 1, longitude: 1 }, { city: 'Nowhereville' }],
    ['of another country', { latitude: 48.85, longitude: 2.35 }, { city: 'Paris', country: 'FR' }],
    ['of a place without an address', { latitude: 1, longitude: 1 }, {}],
  ])('%s pass', (_, point, address) => {
    expect(wrongCoordinates({ ...address, ...point })).toBeUndefined();
  });

  it.each([
    ['swapped', { latitude: -80.21, longitude: 25.77 }, 'have latitude and longitude swapped'],
    ['without their minus', { latitude: 25.77, longitude: 80.21 }, 'lack the minus of the longitude'],
    [
      'swapped without a minus',
      { latitude: 80.21, longitude: 25.77 },
      'have latitude and longitude swapped, without a minus',
    ],
  ])('that are %s are recognised by the address', (_, point, what) => {
    expect(wrongCoordinates({ ...miami, ...point })).toEqual({ what, right });
    expect(wrongCoordinates({ city: 'Miami', region: 'Florida', ...point })).toEqual({ what, right });
  });

  it('that are swapped are recognised where a latitude is none', () => {
    const losAngeles = { city: 'Los Angeles', region: 'CA', latitude: -118.24, longitude: 34.05 };
    expect(wrongCoordinates(losAngeles)?.right).toEqual({ latitude: 34.05, longitude: -118.24 });
  });

  it.each([
    ['on the sea', { latitude: 25, longitude: -60 }],
    ['beside 0,0', { latitude: 0.0001, longitude: 0.0001 }],
    ['in another state', { latitude: 41.88, longitude: -87.62 }],
  ])('%s are said to be far from the address', (_, point) => {
    const wrong = wrongCoordinates({ ...miami, ...point });
    expect(wrong?.what).toMatch(/^are [\d,]+ km from the postal code of the address$/);
    expect(wrong?.right).toBeUndefined();
  });
});
