import { describe, expect, test } from 'vitest';
import { hoursPlaceOf } from '../../src/events/directory/location.ts';
import type { Location } from '../../src/events/directory/location.ts';
import { hoursZone, type DefaultZones, type ZoneFacts } from '../../src/places/hours-zone.ts';
import { offsetsOf } from '../../src/places/zone-offsets.ts';

const none: DefaultZones = { teams: new Map(), installation: undefined };
const zoneAt = (location: Partial<Location>, facts: ZoneFacts = {}, defaults = none) =>
  hoursZone({ ...facts, place: hoursPlaceOf([location]) }, defaults);
const defaults = (installation?: string, team?: string): DefaultZones => ({
  teams: new Map(team === undefined ? [] : [['harbour', team]]),
  installation,
});

describe('the zone of hours is', () => {
  const everything = {
    latitude: 41.88,
    longitude: -87.63,
    postal_code: '60601',
    city: 'Chicago',
    region: 'IL',
    country: 'US',
  };

  test('that of the record, wherever it is', () => {
    expect(zoneAt(everything, { time_zone: 'Europe/Berlin' })).toBe('Europe/Berlin');
  });

  test.each<readonly [string, Partial<Location>, string]>([
    ['its coordinates', { latitude: 30.4213, longitude: -87.2169 }, 'America/Chicago'],
    ['coordinates elsewhere', { latitude: 48.2, longitude: 16.37, country: 'AT' }, 'Europe/Vienna'],
    ['its postal code', { postal_code: '32501' }, 'America/Chicago'],
    ['a code with four more digits', { postal_code: '85001-1234' }, 'America/Phoenix'],
    ['its town', { city: 'Pensacola', region: 'Florida' }, 'America/Chicago'],
    ['its town, in the other half of the state', { city: 'Miami', region: 'FL' }, 'America/New_York'],
    ['a town that no table knows, by its state', { city: 'Nowhere', region: 'FL' }, 'America/New_York'],
    ['its state', { region: 'Hawaii' }, 'Pacific/Honolulu'],
    ['its territory', { city: 'San Juan', country: 'PR' }, 'America/Puerto_Rico'],
    [
      'the city of a confidential place',
      { city: 'Denver', region: 'CO', confidential: true },
      'America/Denver',
    ],
  ])('that of %s', (_, location, zone) => {
    expect(zoneAt(location)).toBe(zone);
  });

  test('that of the first location that people can go to and that says where it is', () => {
    const place = hoursPlaceOf([
      { city: 'Miami', region: 'FL', virtual: true },
      { name: 'Somewhere' },
      { postal_code: '96813' },
      { postal_code: '33125' },
    ]);
    expect(hoursZone({ place }, none)).toBe('Pacific/Honolulu');
    expect(hoursPlaceOf([{ name: 'Line', virtual: true, country: 'US' }])).toBeUndefined();
    expect(hoursPlaceOf()).toBeUndefined();
  });

  test('else that of its team, else that of the installation', () => {
    const facts = { team: 'harbour' };
    expect(hoursZone(facts, defaults('America/Denver', 'America/Chicago'))).toBe('America/Chicago');
    expect(hoursZone(facts, defaults('America/Denver'))).toBe('America/Denver');
    expect(hoursZone({ team: 'other' }, defaults('America/Denver', 'America/Chicago'))).toBe(
      'America/Denver',
    );
    expect(hoursZone(facts, none)).toBeUndefined();
    expect(zoneAt({ city: 'Toronto', region: 'ON', country: 'CA' }, {}, defaults('America/Toronto'))).toBe(
      'America/Toronto',
    );
  });
});

describe('nothing wrong is taken for a zone', () => {
  test.each<readonly [string, Partial<Location>, string | undefined]>([
    [
      'coordinates that are swapped',
      { latitude: -80.19, longitude: 25.77, region: 'FL' },
      'America/New_York',
    ],
    ['coordinates on the sea', { latitude: 30, longitude: -40, postal_code: '60601' }, 'America/Chicago'],
    ['coordinates on the sea, and nothing else', { latitude: 30, longitude: -40 }, undefined],
    [
      'coordinates of another state',
      { latitude: 40.7, longitude: -74, city: 'Reno', region: 'NV' },
      'America/Los_Angeles',
    ],
    [
      'a point that the table takes for Canada',
      { latitude: 48.99, longitude: -104.5, region: 'MT' },
      'America/Denver',
    ],
    ['a postal code that does not exist', { postal_code: '00000' }, undefined],
    ['the code of another country', { postal_code: '60601', country: 'FR' }, undefined],
    ['a town without a state', { city: 'Springfield' }, undefined],
    ['a state of two zones', { region: 'TN' }, undefined],
    ['words', { city: "'; DROP TABLE", region: '\u0000', postal_code: '🙂' }, undefined],
  ])('%s', (_, location, zone) => {
    expect(zoneAt(location)).toBe(zone);
  });

  test('a zone that does not exist, from an old event', () => {
    expect(zoneAt({ region: 'HI' }, { time_zone: 'Mars/Olympus' })).toBe('Pacific/Honolulu');
  });

  test('a default that the state of a record does not have', () => {
    const tennessee = { region: 'TN' };
    expect(zoneAt(tennessee, {}, defaults('America/Chicago'))).toBe('America/Chicago');
    expect(zoneAt(tennessee, {}, defaults('America/Los_Angeles'))).toBeUndefined();
    expect(zoneAt(tennessee, { team: 'harbour' }, defaults('America/Chicago', 'America/Denver'))).toBe(
      'America/Chicago',
    );
  });
});

describe('a distance from UTC', () => {
  test('helps to choose, in summer and in winter', () => {
    expect(offsetsOf('America/New_York', 2026)).toEqual(['-05:00', '-04:00']);
    expect(offsetsOf('Asia/Kathmandu', 2026)).toEqual(['+05:45', '+05:45']);
    expect(zoneAt({ region: 'TN' }, { utc_offsets: ['-04:00'] })).toBe('America/New_York');
    expect(zoneAt({ region: 'TN' }, { utc_offsets: ['-06:00'] })).toBe('America/Chicago');
    // Winter in New York, summer in Chicago.
    expect(zoneAt({ region: 'TN' }, { utc_offsets: ['-05:00'] })).toBeUndefined();
  });

  test('says less than a place, and keeps a default away that cannot be right', () => {
    expect(zoneAt({ region: 'FL' }, { utc_offsets: ['+01:00'] })).toBe('America/New_York');
    const facts = { utc_offsets: ['-05:00'] };
    expect(hoursZone(facts, defaults('America/New_York'))).toBe('America/New_York');
    expect(hoursZone(facts, defaults('America/Los_Angeles'))).toBeUndefined();
  });
});
