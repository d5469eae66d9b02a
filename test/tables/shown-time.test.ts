import { describe, expect, test } from 'vitest';
import { mailTime, shownDay, shownTime, type Clock, type TimeStyle } from '../../src/tables/shown-time.ts';

const clock = (zone: string, namesZone = false, locale = 'en-GB'): Clock => ({ zone, namesZone, locale });
const winter = new Date('2026-01-31T23:59:58Z');

describe('a time', () => {
  test.each<[TimeStyle, Clock, string]>([
    ['day', clock('UTC'), '31 January 2026'],
    ['day', clock('UTC', true), '31 January 2026'],
    ['day', clock('Europe/Berlin'), '1 February 2026'],
    ['minute', clock('America/New_York'), '31 January 2026 at 18:59'],
    ['minute', clock('America/New_York', true), '31 January 2026 at 18:59 EST'],
    ['second', clock('UTC', true), '31 January 2026 at 23:59:58 UTC'],
    ['minute', clock('America/New_York', false, 'en-US'), 'January 31, 2026 at 6:59 PM'],
    ['second', clock('Asia/Kolkata', true, 'en-US'), 'February 1, 2026 at 5:29:58 AM GMT+5:30'],
  ])('to the %s of %o', (style, of, text) => {
    expect(shownTime(winter, style, of).replaceAll(' ', ' ')).toBe(text);
  });

  test('names the zone as it is at that time, also on the day on which clocks are put back', () => {
    const newYork = clock('America/New_York', true);
    expect(shownTime(new Date('2026-11-01T05:30:00Z'), 'minute', newYork)).toBe(
      '1 November 2026 at 01:30 EDT',
    );
    expect(shownTime(new Date('2026-11-01T06:30:00Z'), 'minute', newYork)).toBe(
      '1 November 2026 at 01:30 EST',
    );
  });
});

test('a calendar day is the same in every zone', () => {
  expect(shownDay('2026-03-01')).toBe('1 March 2026');
  expect(shownDay('2026-03-01', 'en-US')).toBe('March 1, 2026');
});

test('an email names the zone of the installation', () => {
  expect(mailTime('2026-07-01T00:30:00Z', 'America/Chicago')).toBe('30 June 2026 at 19:30 CDT');
  expect(mailTime('2026-07-01T00:30:00Z')).toBe('1 July 2026 at 00:30 UTC');
});
