import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { periodTerms, termsOf } from '../../src/projections/audit-terms.ts';
import type { ProjectedEvent } from '../../src/projections/engine/read-model.ts';
import { everyEvent } from '../support/every-event.ts';

const minute = 60_000;
const at = (text: string) => new Date(`${text}Z`);
const projectedAt = (time: Date): ProjectedEvent => ({
  ...(everyEvent[0] as (typeof everyEvent)[number]),
  id: '33333333-0000-4000-8000-000000000001',
  revision: 0,
  position: 7n,
  metadata: {
    commonweal_schema: 1,
    actor: { kind: 'system', id: 'cli' },
    command_id: '33333333-0000-4000-8000-000000000002',
    correlation_id: '33333333-0000-4000-8000-000000000003',
    causation_id: '33333333-0000-4000-8000-000000000002',
    at: time.toISOString(),
  },
});
const timeTermsOf = (time: Date) =>
  termsOf(projectedAt(time), undefined)
    .split(' ')
    .filter((term) => term.startsWith('d'));

describe('the terms of an event', () => {
  it('are letters and digits alone, whatever the ids are', () => {
    for (const event of everyEvent) {
      const projected: unknown = { ...projectedAt(new Date(0)), ...event };
      const terms = termsOf(projected as ProjectedEvent, 'a-b');
      expect(terms, event.type).toMatch(/^[a-z0-9]{2,60}(?: [a-z0-9]{2,60})+$/);
    }
  });

  it('say its month, day, hour and minute', () => {
    expect(timeTermsOf(at('2026-11-22T09:08:07.006'))).toEqual([
      'd202611',
      'd20261122',
      'd2026112209',
      'd202611220908',
    ]);
  });
});

describe('the terms of a time', () => {
  it('are whole months, days, hours and minutes, as few as possible', () => {
    expect(periodTerms(at('2026-01-01T00:00:00'), at('2026-03-31T23:59:59.999'))).toEqual([
      'd202601',
      'd202602',
      'd202603',
    ]);
    expect(periodTerms(at('2025-12-31T23:58:30'), at('2026-01-01T01:00:00'))).toEqual([
      'd202512312358',
      'd202512312359',
      'd2026010100',
      'd202601010100',
    ]);
    expect(periodTerms(at('2026-01-01T00:00:00'), at('2026-01-01T00:00:00'))).toEqual(['d202601010000']);
  });

  it('are had by every event within, and by none more than a minute outside', () => {
    const time = fc.date({
      min: at('2020-01-01T00:00:00'),
      max: at('2032-01-01T00:00:00'),
      noInvalidDate: true,
    });
    const length = fc.oneof(
      fc.nat({ max: 10 * minute }),
      fc.nat({ max: 72 * 3_600_000 }),
      fc.nat({ max: 500 * 86_400_000 }),
    );
    fc.assert(
      fc.property(time, length, fc.double({ min: -1, max: 2, noNaN: true }), (from, ms, share) => {
        const to = new Date(from.getTime() + ms);
        const terms = periodTerms(from, to);
        expect(terms.length).toBeLessThan(2 * (59 + 59 + 23 + 30) + 24);
        expect(new Set(terms).size).toBe(terms.length);
        const inside = new Date(from.getTime() + Math.round(ms * share));
        const has = timeTermsOf(inside).some((term) => terms.includes(term));
        if (inside >= from && inside <= to) expect(has).toBe(true);
        if (inside.getTime() < from.getTime() - minute || inside.getTime() > to.getTime() + minute)
          expect(has).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });
});
