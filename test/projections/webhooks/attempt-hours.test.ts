import { describe, expect, it } from 'vitest';
import { attemptHours, durationBounds } from '../../../src/projections/webhooks/attempt-hours.ts';
import { quantile } from '../../../src/projections/webhooks/health-report.ts';
import { given } from '../../support/fold.ts';

const subscription = '5f0c1a52-6d3f-5c55-9a8e-3c8f2f0c7a11';
const attempt = (ms: number) => ({
  subscription,
  attempt: 1,
  started_at: '2026-01-01T00:00:00.000Z',
  duration_ms: ms,
});
const succeeded = (ms: number) =>
  ({ type: 'DeliverySucceeded', data: { ...attempt(ms), status: 204 } }) as const;
const retried = (ms: number) =>
  ({
    type: 'DeliveryAttemptFailed',
    data: { ...attempt(ms), error: 'No.', next_attempt_at: '2026-01-01T01:00:00.000Z' },
  }) as const;
const failed = (ms: number) => ({ type: 'DeliveryFailed', data: { ...attempt(ms), error: 'No.' } }) as const;
const erased = {
  type: 'DeliveryFailed',
  data: { ...attempt(0), attempt: 0, error: 'Erased.', reason: 'erased' },
} as const;

type Attempted =
  ReturnType<typeof succeeded> | ReturnType<typeof retried> | ReturnType<typeof failed> | typeof erased;

/** One event a minute, from the first minute of the year on. */
const after = (...story: readonly Attempted[]) => [
  ...given(attemptHours, ...story.map((event) => ['webhook-delivery-a', event] as const)).values(),
];

describe('the attempts of an hour', () => {
  it('are counted by their outcome and by how long they took', () => {
    const [hour, ...others] = after(succeeded(3), succeeded(40), retried(90), failed(20_000));
    expect(others).toEqual([]);
    expect(hour).toMatchObject({ hour: '2026-01-01T00', attempts: 4, succeeded: 2, given_up: 1 });
    expect(hour?.durations).toEqual([1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1]);
    expect(hour?.durations).toHaveLength(durationBounds.length + 1);
  });

  it('have nothing to do with an erased person, and an interrupted one has no duration', () => {
    expect(after(erased)).toEqual([]);
    const [hour] = after(retried(0));
    expect(hour).toMatchObject({ attempts: 1, succeeded: 0 });
    expect(hour?.durations.every((count) => count === 0)).toBe(true);
  });

  it('are kept by the hour, and the ones of more than a week ago are overwritten', () => {
    const story = Array.from({ length: 130 }, () => succeeded(3));
    expect(after(...story).map(({ hour, attempts }) => [hour, attempts])).toEqual([
      ['2026-01-01T00', 60],
      ['2026-01-01T01', 60],
      ['2026-01-01T02', 10],
    ]);
    const [slot] = after(succeeded(3));
    const event = { ...succeeded(3), metadata: { at: '2026-01-09T00:10:00.000Z' } } as never;
    expect(attemptHours.fold(slot, event)).toMatchObject({ hour: '2026-01-09T00', attempts: 1 });
    expect(attemptHours.idOf(event)).toBe(
      attemptHours.idOf({ ...succeeded(3), metadata: { at: '2026-01-01T00:00:00.000Z' } } as never),
    );
  });
});

describe('a quantile', () => {
  const of = (...counts: readonly number[]) =>
    [...counts, ...durationBounds.slice(counts.length), 0].map((count, place) =>
      place < counts.length ? count : 0,
    );

  it('lies within the bounds of the attempts that it divides', () => {
    expect(quantile(of(10), 0.5)).toBe(3);
    expect(quantile(of(0, 0, 0, 100), 0.5)).toBe(38);
    expect(quantile(of(95, 0, 0, 0, 5), 0.95)).toBe(5);
    expect(quantile(of(94, 0, 0, 0, 6), 0.95)).toBeGreaterThan(50);
  });

  it('is nothing of nothing, and the last bound of what took longer', () => {
    expect(quantile(of(), 0.5)).toBeNull();
    expect(quantile([...durationBounds.map(() => 0), 7], 0.5)).toBe(10_000);
  });
});
