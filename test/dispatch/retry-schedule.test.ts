import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { schedule } from '../../src/dispatch/retry-schedule.ts';
import { nextAttempt, parseRetryAfter } from '../../src/dispatch/retry-schedule.ts';

const at = new Date('2026-03-01T12:00:00.000Z');
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const failedAttempt = fc.integer({ min: 1, max: schedule.length - 1 });
const waited = (next: Date | null) => (next === null ? Number.NaN : next.getTime() - at.getTime());

describe('the schedule', () => {
  test('has twelve attempts: at once, seconds, minutes, hours, a day', () => {
    expect(schedule.map((delay) => delay / 1_000)).toEqual([
      0, 5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 86_400,
    ]);
  });

  test('puts the second attempt 5 s after the first and the last 24 h after the one before it', () => {
    expect(waited(nextAttempt({ failedAttempt: 1, at, random: 0.5 }))).toBe(5_000);
    expect(waited(nextAttempt({ failedAttempt: 11, at, random: 0.5 }))).toBe(86_400_000);
  });

  test('ends after the twelfth attempt, whatever the receiver asks for', () => {
    expect(nextAttempt({ failedAttempt: 12, at, random: 0.5 })).toBeNull();
    expect(nextAttempt({ failedAttempt: 12, at, random: 0.5, retryAfterSeconds: 60 })).toBeNull();
    expect(nextAttempt({ failedAttempt: 13, at, random: 0.5 })).toBeNull();
  });

  test('strays from the table by up to 20 % to either side', () => {
    expect(waited(nextAttempt({ failedAttempt: 4, at, random: 0 }))).toBe(480_000);
    expect(waited(nextAttempt({ failedAttempt: 4, at, random: 1 }))).toBe(720_000);
    fc.assert(
      fc.property(failedAttempt, random, (attempt, r) => {
        const delay = schedule[attempt] ?? Number.NaN;
        const wait = waited(nextAttempt({ failedAttempt: attempt, at, random: r }));
        expect(wait).toBeGreaterThanOrEqual(0.8 * delay);
        expect(wait).toBeLessThanOrEqual(1.2 * delay);
      }),
    );
  });

  test('can be replaced by another table', () => {
    const delays = [0, 10, 20];
    expect(waited(nextAttempt({ failedAttempt: 1, at, random: 0.5, delays }))).toBe(10);
    expect(waited(nextAttempt({ failedAttempt: 2, at, random: 0.5, delays }))).toBe(20);
    expect(nextAttempt({ failedAttempt: 3, at, random: 0.5, delays })).toBeNull();
  });
});

describe('a Retry-After', () => {
  test('moves the next attempt within one and two times the delay of the table', () => {
    const wait = (retryAfterSeconds: number) =>
      waited(nextAttempt({ failedAttempt: 4, at, random: 0, retryAfterSeconds })) / 1_000;
    expect([wait(0), wait(599), wait(700), wait(1_200), wait(86_400)]).toEqual([600, 600, 700, 1_200, 1_200]);
  });

  test('is never undercut by jitter, unless it asks for more than twice the delay', () => {
    fc.assert(
      fc.property(failedAttempt, random, fc.integer({ min: 0, max: 1_000_000 }), (attempt, r, asked) => {
        const delay = schedule[attempt] ?? Number.NaN;
        const wait = waited(nextAttempt({ failedAttempt: attempt, at, random: r, retryAfterSeconds: asked }));
        expect(wait).toBeGreaterThanOrEqual(Math.min(Math.max(delay, asked * 1_000), 2 * delay));
        expect(wait).toBeLessThanOrEqual(2 * delay);
      }),
    );
  });

  test('is read as a number of seconds', () => {
    expect(parseRetryAfter('120', at)).toBe(120);
    expect(parseRetryAfter(' 0 ', at)).toBe(0);
  });

  test('is read as a date in all three forms of HTTP', () => {
    expect(parseRetryAfter('Sun, 01 Mar 2026 12:01:30 GMT', at)).toBe(90);
    expect(parseRetryAfter('Sunday, 01-Mar-26 12:01:30 GMT', at)).toBe(90);
    expect(parseRetryAfter('Sun Mar  1 12:01:30 2026', at)).toBe(90);
  });

  test('with a date gone by means now, and two digits more than 50 years ahead are the last century', () => {
    expect(parseRetryAfter('Sun, 06 Nov 1994 08:49:37 GMT', at)).toBe(0);
    expect(parseRetryAfter('Sunday, 06-Nov-94 08:49:37 GMT', at)).toBe(0);
    expect(parseRetryAfter('Sunday, 01-Mar-76 12:00:00 GMT', at)).toBeGreaterThan(1e9);
  });

  test('that is garbage is ignored', () => {
    const garbage = [
      undefined,
      '',
      'soon',
      '-5',
      '1.5',
      '1e3',
      '0x10',
      '12345678901234567890',
      '2026-03-01T12:01:30Z',
      'Sun, 31 Feb 2026 12:00:00 GMT',
      'Sun, 01 Mar 2026 25:00:00 GMT',
      'Sun, 01 Mar 2026 12:00:00 CET',
      'Mar 1',
    ];
    expect(garbage.map((value) => parseRetryAfter(value, at))).toEqual(garbage.map(() => undefined));
    fc.assert(
      fc.property(fc.string(), (value) => {
        const seconds = parseRetryAfter(value, at);
        expect(seconds === undefined || (Number.isFinite(seconds) && seconds >= 0)).toBe(true);
      }),
    );
  });
});
