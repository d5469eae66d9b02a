import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { paragraphs } from '../../../src/events/define.ts';
import { location } from '../../../src/events/directory/location.ts';
import { openingHours, timeZone } from '../../../src/events/directory/opening-hours.ts';
import { phone } from '../../../src/events/directory/contact.ts';
import { resourceFields } from '../../../src/events/directory/resource.ts';

const pantry = { name: 'Pantry', category: 'food' };
const weekdays = { days: ['mon'], opens: '09:00', closes: '17:00' };

/** What each kind of value takes (and as what it is kept, where that differs), and what it refuses. */
const values: readonly {
  readonly kind: string;
  readonly schema: z.ZodType;
  readonly takes: readonly unknown[];
  readonly keeps?: readonly (readonly [given: unknown, kept: unknown])[];
  readonly refuses: readonly unknown[];
}[] = [
  {
    kind: 'a text of several lines',
    schema: paragraphs(9),
    takes: ['a', 'a\nb', 'a\n\nb'],
    keeps: [
      ['a\r\nb\rc', 'a\nb\nc'],
      ['\r\n a \n', 'a'],
    ],
    refuses: ['', '\n', 'a\0', '\ud800', 'abcdefghij'],
  },
  {
    kind: 'a location',
    schema: location,
    takes: [
      { city: 'Miami' },
      { latitude: -90, longitude: 180 },
      { latitude: 0, longitude: 0.001 },
      { country: 'US' },
      { virtual: true },
      { name: 'Haven', confidential: true },
      { street: 'Flat 1\nQuay 2', phones: [{ number: '305' }] },
    ],
    keeps: [
      [{ country: 'us' }, { country: 'US' }],
      [{ postal_code: ' 33101 ' }, { postal_code: '33101' }],
    ],
    refuses: [
      {},
      { latitude: 25.7 },
      { longitude: -80.2 },
      { latitude: 0, longitude: 0 },
      { latitude: -0, longitude: 0 },
      { latitude: 90.1, longitude: 0 },
      { latitude: 25, longitude: -180.1 },
      { latitude: Number.NaN, longitude: 1 },
      { latitude: Infinity, longitude: 1 },
      { latitude: '25', longitude: '-80' },
      { country: 'USA' },
      { country: 'QQ' },
      { country: '1A' },
      { postal_code: 33101 },
      { virtual: false },
      { confidential: 'yes' },
      { planet: 'Earth' },
    ],
  },
  {
    kind: 'a phone',
    schema: phone,
    takes: [
      { number: '305' },
      { number: '305', extension: '7', type: 'tty', note: 'Ask', languages: ['Kreyòl'] },
    ],
    refuses: [{}, { number: ' ' }, { number: '305', type: 'pager' }, { extension: '7' }],
  },
  {
    kind: 'a rule of opening hours',
    schema: openingHours,
    takes: [
      weekdays,
      { ...weekdays, opens: '00:00', closes: '24:00' },
      // Past midnight.
      { ...weekdays, opens: '22:00', closes: '02:00' },
      { ...weekdays, note: 'By appointment', valid_from: '2026-12-24', valid_to: '2026-12-24' },
      { ...weekdays, valid_from: '2028-02-29' },
    ],
    keeps: [
      [
        { ...weekdays, days: ['sun', 'mon', 'sun'] },
        { ...weekdays, days: ['mon', 'sun'] },
      ],
    ],
    refuses: [
      { ...weekdays, days: [] },
      { ...weekdays, days: ['Monday'] },
      { ...weekdays, opens: '24:00' },
      { ...weekdays, opens: '9:00' },
      { ...weekdays, closes: '24:01' },
      { ...weekdays, closes: '17:60' },
      { ...weekdays, valid_from: '2027-02-29' },
      { ...weekdays, valid_from: '2026-02-02', valid_to: '2026-02-01' },
      { ...weekdays, valid_to: '2026-02-01T00:00:00Z' },
      { days: ['mon'] },
    ],
  },
  {
    kind: 'a time zone',
    schema: timeZone,
    takes: ['America/New_York', 'Asia/Kolkata', 'UTC', 'Etc/GMT+5'],
    refuses: ['', 'Mars/Olympus', '+01:00', 'America', 'America/New York', 'x'.repeat(61), 5],
  },
  {
    kind: 'the fields of a resource',
    schema: resourceFields,
    takes: [
      pantry,
      { ...pantry, categories: ['goods', 'money'] },
      { ...pantry, ages: { minimum: 0, maximum: 0.5 } },
      { ...pantry, ages: { maximum: 150 } },
      { ...pantry, free: false, availability: 'temporarily_closed', last_verified: '2026-03-31' },
      { ...pantry, organization: { name: 'Harbour Aid' } },
    ],
    refuses: [
      { ...pantry, categories: ['food'] },
      { ...pantry, categories: ['goods', 'goods'] },
      { ...pantry, ages: {} },
      { ...pantry, ages: { minimum: 5, maximum: 4 } },
      { ...pantry, ages: { minimum: -1 } },
      { ...pantry, ages: { maximum: 151 } },
      { ...pantry, free: 'yes' },
      { ...pantry, availability: 'closed' },
      { ...pantry, last_verified: '31.03.2026' },
      { ...pantry, organization: { url: 'https://example.org' } },
      { ...pantry, organization: { name: 'x', url: 'javascript:alert(1)' } },
      { ...pantry, locations: Array.from({ length: 201 }, () => ({ city: 'Miami' })) },
      { ...pantry, phones: Array.from({ length: 101 }, () => ({ number: '305' })) },
      // Flat members are derived, not stored.
      { ...pantry, city: 'Miami' },
    ],
  },
];

describe.each(values)('$kind', ({ schema, takes, keeps = [], refuses }) => {
  it('is taken as it is', () => {
    for (const value of takes)
      expect(schema.safeParse(value), JSON.stringify(value)).toMatchObject({ data: value });
  });
  it('is kept in one form', () => {
    for (const [given, kept] of keeps) expect(schema.parse(given)).toEqual(kept);
  });
  it('is refused when it is wrong', () => {
    for (const value of refuses) expect(schema.safeParse(value).success, JSON.stringify(value)).toBe(false);
  });
});
