import { expect, test } from 'vitest';
import { recordFilter } from '../../../src/actions/directory/record-filter.ts';

const now = new Date('2026-11-02T03:00:00Z');
const also = (query: string, zone?: string) =>
  recordFilter.conditions('harbour', recordFilter.parse(new URLSearchParams(query)).filter, now, zone).also;

test('days begin in the zone of the reader, also where the clocks change, and periods count from the day there', () => {
  const changed = (from: string) => [{ field: 'updated_at', from }];
  expect(also('changed=2026-11-01')).toEqual(changed('2026-11-01T00:00:00.000Z'));
  expect(also('changed=2026-11-01', 'America/New_York')).toEqual(changed('2026-11-01T04:00:00.000Z'));
  expect(also('changed=2026-11-02', 'America/New_York')).toEqual(changed('2026-11-02T05:00:00.000Z'));
  expect(also('changed=2026-11-02', 'Asia/Tokyo')).toEqual(changed('2026-11-01T15:00:00.000Z'));
  // In New York it is still the first of November.
  expect(also('changed=7-days', 'America/New_York')).toEqual(changed('2026-10-25T04:00:00.000Z'));
  expect(also('verified=7-days', 'America/New_York')).toEqual([{ field: 'verified', before: '2026-10-25' }]);
  expect(also('verified=7-days')).toEqual([{ field: 'verified', before: '2026-10-26' }]);
});
