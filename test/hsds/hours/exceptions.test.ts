import { describe, expect, it } from 'vitest';
import { exceptionsIn } from '../../../src/hsds/hours/exceptions.ts';
import { hoursOf } from '../../../src/hsds/hours/hours.ts';
import { scheduleRows } from '../../../src/hsds/hours/schedule-rows.ts';

type Cells = Readonly<Record<string, string>>;

const rowsOf = (file: string, cells: readonly Cells[]) =>
  cells.map((row, at) => ({ file, line: at + 2, cell: (name: string) => row[name] ?? '' }));
const exceptions = (...cells: readonly Cells[]) =>
  exceptionsIn('service s1', rowsOf('holiday_schedules.csv', cells));

describe('rows of holiday_schedules', () => {
  it.each<readonly [string, Cells, string]>([
    [
      'a day on which it is closed',
      { closed: 'true', start_date: '2026-12-25', end_date: '2026-12-25' },
      'Closed, 2026-12-25',
    ],
    ['a day without its end', { closed: 'TRUE', start_date: '2026-12-25' }, 'Closed, 2026-12-25'],
    [
      'several days',
      { closed: '1', start_date: '2026-12-24', end_date: '2027-01-02' },
      'Closed, 2026-12-24 to 2027-01-02',
    ],
    [
      'other hours on a day',
      {
        closed: 'false',
        opens_at: '09:00',
        closes_at: '12:00',
        start_date: '2026-12-24',
        end_date: '2026-12-24',
      },
      '2026-12-24 to 2026-12-24: Thu 09:00–12:00',
    ],
    [
      'other hours on several days',
      { opens_at: '9:00 am', closes_at: '1:00 pm', start_date: '2026-12-26', end_date: '2026-12-29' },
      '2026-12-26 to 2026-12-29: Mon, Tue, Sat, Sun 09:00–13:00',
    ],
    [
      'other hours for weeks',
      { opens_at: '10:00', closes_at: '14:00', start_date: '2026-12-20', end_date: '2027-01-10' },
      '2026-12-20 to 2027-01-10: Mon–Sun 10:00–14:00',
    ],
  ])('say in words %s', (_, cells, line) => {
    expect(exceptions(cells)).toEqual({ lines: [line], warnings: [] });
  });

  it.each<readonly [Cells, string]>([
    [{ closed: 'true' }, 'it has no date'],
    [{ closed: 'true', start_date: '2026-02-30' }, '2026-02-30 is not a date'],
    [
      { closed: 'true', start_date: '2026-12-25', end_date: '2026-12-01' },
      'it begins on 2026-12-25, but ends on 2026-12-01',
    ],
    [{ start_date: '2026-12-25' }, 'it neither says that it is closed, nor when it is open'],
    [{ start_date: '2026-12-25', opens_at: '10:00', closes_at: '05:00' }, 'it closes before it opens'],
  ])('that nobody understands are named: %o', (cells, problem) => {
    const { lines, warnings } = exceptions(cells);
    expect(lines).toEqual([]);
    expect(warnings.map(({ file, line, reason }) => `${file}:${line} ${reason}`)).toEqual([
      expect.stringContaining(
        `holiday_schedules.csv:2 service s1: the hours of single days are not carried: ${problem}`,
      ),
    ]);
  });

  it('stand in the order of their dates below the hours of the week, which stay structured', () => {
    const week = scheduleRows(
      rowsOf('schedules.csv', [
        { byday: 'MO,TU', opens_at: '09:00', closes_at: '17:00', description: 'Mon, Tue 9-5' },
      ]),
    );
    const single = exceptions(
      { closed: 'true', start_date: '2027-01-01' },
      { closed: 'true', start_date: '2026-12-25' },
    );
    expect(hoursOf('service s1', week, undefined, single)).toEqual({
      hours: 'Mon, Tue 9-5\nClosed, 2026-12-25\nClosed, 2027-01-01',
      opening_hours: [{ days: ['mon', 'tue'], opens: '09:00', closes: '17:00' }],
      warnings: [],
    });
  });

  it('are the hours where nothing else is known of them', () => {
    expect(
      hoursOf('service s1', [], undefined, exceptions({ closed: 'true', start_date: '2026-12-25' })),
    ).toEqual({
      hours: 'Closed, 2026-12-25',
      warnings: [],
    });
  });
});
