import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { distanceKm } from '../../src/ground/earth.ts';
import { countiesNamed, saysCounty } from '../../src/places/counties.ts';
import { placeKey } from '../../src/places/place-key.ts';
import { codesWithin, postalCode } from '../../src/places/postal-codes.ts';
import { stateCode, stateCodes, stateOtherwise } from '../../src/places/states.ts';
import { town, townsNamed, townsWithin } from '../../src/places/towns.ts';

/** Places as an atlas has them. */
const miami = { latitude: 25.7741, longitude: -80.1936 };
const chicago = { latitude: 41.8755, longitude: -87.6244 };
const folder = new URL('../../src/tables/gazetteer/', import.meta.url);

const cellsOf = (file: string): string[][] =>
  readFileSync(new URL(file, folder), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .slice(1)
    .map((line) => line.split('\t'));

describe('postal codes', () => {
  it('are where they are, with their state and county', () => {
    const code = postalCode('33125');
    expect(code).toMatchObject({ code: '33125', state: 'FL', county: '086' });
    expect(code && distanceKm(code, miami)).toBeLessThan(6);
  });

  it('are known as people write them', () => {
    for (const text of [' 60601', '60601-1234', '606011234', '60601 1234']) {
      expect(postalCode(text)?.state, text).toBe('IL');
    }
  });

  it('with zeros before them, and of islands, are among them', () => {
    expect(postalCode('02108')?.state).toBe('MA');
    expect(postalCode('00901')?.state).toBe('PR');
    expect(postalCode('00802')?.state).toBe('VI');
    expect(postalCode('96910')?.state).toBe('GU');
    expect(postalCode('96950')?.state).toBe('MP');
  });

  it.each(['00000', '99999', '3312', '331255', 'SW1A 1AA', '', 'Miami', '33125-', '３３１２５'])(
    'are not made up: %j',
    (text) => {
      expect(postalCode(text)).toBeUndefined();
    },
  );

  it('in a circle are those whose middle lies in it', () => {
    const circle = { ...miami, radiusKm: 8 };
    const codes = codesWithin(circle);
    const all = cellsOf('postal-codes.tsv')
      .filter(
        ([, , , north, east]) => distanceKm(miami, { latitude: Number(north), longitude: Number(east) }) <= 8,
      )
      .map(([code]) => code);
    expect(codes.map(({ code }) => code)).toEqual(all);
    expect(all).toContain('33125');
  });

  it('in a circle over the date line and over a pole are found as well', () => {
    const adak = postalCode('99546');
    expect(adak?.longitude).toBeLessThan(-176);
    const across = codesWithin({ latitude: 51.9, longitude: 179.9, radiusKm: 400 });
    expect(across.map(({ code }) => code)).toContain('99546');
    expect(codesWithin({ latitude: 90, longitude: 0, radiusKm: 3_000 }).length).toBeGreaterThan(10);
  });
});

describe('towns', () => {
  it.each([
    ['Miami', 'FL', miami],
    ['chicago', 'Illinois', chicago],
    ['Chicago, IL', undefined, chicago],
  ])('%s in %s is where it is', (name, region, point) => {
    const found = town(name, region);
    expect(found && distanceKm(found, point)).toBeLessThan(5);
  });

  it('are known by their abbreviations, and without marks', () => {
    expect(town('Ft. Lauderdale', 'FL')).toEqual(town('Fort Lauderdale', 'fl.'));
    expect(town('St Louis', 'MO')).toEqual(town('SAINT LOUIS', 'Missouri'));
    expect(town('N. Miami Beach', 'FL')).toEqual(town('North Miami Beach', 'FL'));
    expect(town('Canon City', 'CO')).toEqual(town('Cañon City', 'CO'));
  });

  it('of one name in several states are told apart; without a state the largest comes first', () => {
    expect(town('Springfield', 'IL')?.state).toBe('IL');
    expect(town('Miami')?.state).toBe('FL');
    expect(townsNamed('Springfield').length).toBeGreaterThan(20);
    expect(town('New York')?.state).toBe('NY');
  });

  it('that do not exist are not found', () => {
    for (const name of ['', '  ', 'Nowhereville', '???']) expect(town(name), name).toBeUndefined();
    expect(town('Miami', 'Ontario')).toBeUndefined();
    expect(town('Miami', 'ND')).toBeUndefined();
  });

  it('in a circle are those whose middle lies in it', () => {
    const found = townsWithin({ ...miami, radiusKm: 15 }).map(({ key }) => key);
    expect(found).toEqual(expect.arrayContaining(['miami', 'miamibeach', 'hialeah', 'northmiami']));
    expect(found).not.toContain('fortlauderdale');
  });
});

describe('counties', () => {
  it('are known with and without the word, and with a state', () => {
    const [county] = countiesNamed('Miami-Dade County');
    expect(county && distanceKm(county, miami)).toBeLessThan(20);
    expect(countiesNamed('Cook').length).toBeGreaterThan(1);
    expect(countiesNamed('Cook County, IL')).toHaveLength(1);
    expect(countiesNamed('Orleans Parish', 'Louisiana')).toHaveLength(1);
    expect(countiesNamed('Nowhere County')).toEqual([]);
    expect(saysCounty('Cook County, IL')).toBe(true);
    expect(saysCounty('Cook')).toBe(false);
  });
});

describe('states', () => {
  it('are known by name and abbreviation', () => {
    expect(['FL', 'fl.', ' Florida ', 'Ontario'].map(stateCode)).toEqual(['FL', 'FL', 'FL', undefined]);
    expect(['FL', 'Florida', 'ON'].map(stateOtherwise)).toEqual(['Florida', 'FL', undefined]);
  });
});

describe('the tables', () => {
  it('hold the United States: 50 states, the District and five territories, in points on land or near it', () => {
    const codes = cellsOf('postal-codes.tsv');
    const towns = cellsOf('towns.tsv');
    expect(codes.length).toBeGreaterThan(41_000);
    expect(towns.length).toBeGreaterThan(35_000);
    expect(new Set(codes.map(([, state]) => state))).toEqual(new Set(stateCodes));
    for (const [name, ...cells] of [...codes, ...towns]) {
      const [latitude, longitude] = cells.slice(-2).map(Number) as [number, number];
      expect(latitude > -15 && latitude < 72, name).toBe(true);
      expect(longitude < -64 || longitude > 144, name).toBe(true);
    }
  });

  it('are in the order in which they are looked up', () => {
    const codes = cellsOf('postal-codes.tsv').map(([code]) => code);
    expect(codes).toEqual([...new Set(codes)].sort());
    const keys = cellsOf('towns.tsv').map(([name]) => placeKey(name ?? ''));
    expect(keys).toEqual(keys.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0)));
  });

  it('are in the image of the container with the rest of src, and say where they come from', () => {
    expect(readFileSync(new URL('../../.dockerignore', import.meta.url), 'utf8')).toContain('!src\n');
    for (const file of ['postal-codes.tsv', 'towns.tsv', 'counties.tsv']) {
      expect(existsSync(new URL(file, folder))).toBe(true);
      expect(statSync(new URL(file, folder)).size).toBeLessThan(1_500_000);
      expect(readFileSync(new URL(file, folder), 'utf8').slice(0, 400)).toContain('(CC BY 4.0)');
    }
  });
});

it('a town that is called as a member of every object is itself', () => {
  for (const name of ['constructor', 'valueOf', 'toString']) expect(placeKey(name)).toBe(name.toLowerCase());
});
