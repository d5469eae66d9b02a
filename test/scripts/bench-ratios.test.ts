import { describe, expect, it } from 'vitest';
import { ratiosIn, ratiosOf, worse } from '../../bench/ratios.ts';
import type { Row } from '../../bench/measure.ts';

const row = (what: string, ours: number, aim: string, baseline?: number): Row => ({
  what,
  ours,
  aim,
  baseline,
});

describe('the ratios of two runs of the bench', () => {
  const before = ratiosOf([
    row('list: CPU (µs)', 200, '≤ 1.5', 100),
    row('appends/s', 600, '', 100),
    row('rebuild: events/s', 30, '≥ 0.3', 100),
    row('start (s)', 2, ''),
  ]);

  it('name what costs more or does less by more than the share, the worst first', () => {
    const now = [
      row('list: CPU (µs)', 230, '≤ 1.5', 100),
      row('appends/s', 300, '', 100),
      row('rebuild: events/s', 28, '≥ 0.3', 100),
      row('start (s)', 2.5, ''),
      row('new', 9, ''),
    ];
    expect(worse(now, before, 0.1).map(({ what, by }) => [what, Number(by.toFixed(2))])).toEqual([
      ['appends/s', 2],
      ['start (s)', 1.25],
      ['list: CPU (µs)', 1.15],
    ]);
  });

  it('are the same when both machines were slower by the same', () => {
    expect(worse([row('list: CPU (µs)', 2_000, '≤ 1.5', 1_000)], before, 0.1)).toEqual([]);
  });

  it('are read from a file, and nothing else is taken for one', () => {
    expect(ratiosIn(JSON.stringify(before))).toEqual(before);
    expect(() => ratiosIn('{"list":"2"}')).toThrow('This is no file of ratios');
  });
});
