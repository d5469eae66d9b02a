import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { weekdays } from '../../../src/events/directory/local-time.ts';
import { openingHours, type OpeningHours } from '../../../src/events/directory/opening-hours.ts';
import { hoursOf, type Hours } from '../../../src/hsds/hours/hours.ts';
import { scheduleRows, type ScheduleRow } from '../../../src/hsds/hours/schedule-rows.ts';
import { writeHours } from '../../../src/hsds/hours/write.ts';

type Cells = Readonly<Record<string, string>>;

/** Rows as a file has them: the header is line 1. */
const rowsOf = (cells: readonly Cells[]): ScheduleRow[] =>
  scheduleRows(
    cells.map((row, at) => ({ file: 'schedules.csv', line: at + 2, cell: (name) => row[name] ?? '' })),
  );
const hours = (...cells: readonly Cells[]): Hours => hoursOf('service s1', rowsOf(cells));
const weekly = (opens_at: string, closes_at: string, days: readonly string[], more: Cells = {}): Cells[] =>
  days.map((weekday) => ({ weekday, opens_at, closes_at, ...more }));
const workdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'];
const told = ({ hours, opening_hours, warnings }: Hours) => ({
  hours,
  rows: opening_hours && writeHours(opening_hours),
  warnings: warnings.map(({ file, line, reason }) => `${file}:${line} ${reason}`),
});

describe('rows without words', () => {
  it('are the structured hours, and are shown as text', () => {
    expect(
      told(
        hours(...weekly('7:30am', '6:00pm', workdays), {
          byday: 'SA',
          opens_at: '09:00',
          closes_at: '12:00:00',
        }),
      ),
    ).toEqual({
      hours: 'Mon–Fri 07:30–18:00; Sat 09:00–12:00',
      rows: 'Mon–Fri 07:30–18:00; Sat 09:00–12:00',
      warnings: [],
    });
  });

  it.each<readonly [Cells, string]>([
    [{ byday: 'MO,WE,TH,FR,SU', opens_at: '10:00', closes_at: '18:00' }, 'Mon, Wed–Fri, Sun 10:00–18:00'],
    [{ byday: 'mo, tu', opens_at: '10:00', closes_at: '18:00' }, 'Mon, Tue 10:00–18:00'],
    [{ weekday: 'Lunes', opens_at: '10:00', closes_at: '18:00' }, 'Mon 10:00–18:00'],
    [{ weekday: 'Monday-Friday', opens_at: '10:00', closes_at: '18:00' }, 'Mon–Fri 10:00–18:00'],
    [{ weekday: '7', opens_at: '8:00', closes_at: '9:00' }, 'Sun 08:00–09:00'],
    [{ freq: 'DAILY', interval: '1', opens_at: '08:00', closes_at: '20:00' }, 'Mon–Sun 08:00–20:00'],
    [{ freq: 'weekly', byday: 'MO', wkst: 'SU', opens_at: '08:00', closes_at: '20:00' }, 'Mon 08:00–20:00'],
    [{ weekday: 'Mon', opens_at: '12:00am', closes_at: '12:00am' }, 'Mon 00:00–24:00'],
    [{ weekday: 'Mon', opens_at: '00:00', closes_at: '00:00' }, 'Mon 00:00–24:00'],
    [{ weekday: 'Mon', opens_at: '12:00pm', closes_at: '11:59 p.m.' }, 'Mon 12:00–23:59'],
    [{ weekday: 'Mon', opens_at: '830am', closes_at: '5pm' }, 'Mon 08:30–17:00'],
    [{ weekday: 'Mon', opens_at: '0830', closes_at: '1700' }, 'Mon 08:30–17:00'],
    [{ weekday: 'Mon', opens_at: '8:00m', closes_at: '5:00pm' }, 'Mon 08:00–17:00'],
    [{ weekday: 'Mon', opens_at: '9:0am', closes_at: '5:00pm' }, 'Mon 09:00–17:00'],
    [{ weekday: 'Mon', opens_at: '09:00Z', closes_at: '17:00:00+02:00' }, 'Mon 09:00–17:00'],
    [{ weekday: 'Mon', opens_at: '22:00', closes_at: '06:00' }, 'Mon 22:00–06:00'],
    [
      { byday: 'MO', opens_at: '9:00', closes_at: '12:00', valid_from: '2026-06-01', valid_to: '2026-08-31' },
      '2026-06-01 to 2026-08-31: Mon 09:00–12:00',
    ],
    // a single date, whatever its weekday
    ...[{}, { freq: 'DAILY' }].map((often): [Cells, string] => [
      { ...often, opens_at: '9:00', closes_at: '12:00', valid_from: '2026-12-24', valid_to: '2026-12-24' },
      '2026-12-24 to 2026-12-24: Thu 09:00–12:00',
    ]),
    [
      {
        byday: 'MO',
        opens_at: '9:00',
        closes_at: '12:00',
        dtstart: '2026-06-01T00:00:00Z',
        until: '20260831T000000Z',
      },
      '2026-06-01 to 2026-08-31: Mon 09:00–12:00',
    ],
    [
      { byday: 'MO', opens_at: '9:00', closes_at: '12:00', attending_type: 'virtual', notes: 'Ring twice.' },
      '“virtual; Ring twice.”: Mon 09:00–12:00',
    ],
  ])('%j', (cells, expected) => {
    expect(told(hours(cells))).toEqual({ hours: expected, rows: expected, warnings: [] });
  });

  it('several openings of one day come in order, each once', () => {
    const cells = [...weekly('13:00', '17:00', ['MO']), ...weekly('09:00', '12:00', ['MO', 'Monday'])];
    expect(told(hours(...cells)).rows).toBe('Mon 09:00–12:00, 13:00–17:00');
  });

  it('the order of the rows changes nothing', () => {
    const cells = ['Pantry', 'Clinic', 'Office'].flatMap((notes) =>
      weekly('9:00', '12:00', workdays, { notes }),
    );
    expect(hours(...cells)).toEqual(hours(...cells.toReversed()));
  });

  it('days of the month are shown, and are in no week', () => {
    expect(
      told(
        hours(
          { byday: 'WE', opens_at: '15:00', closes_at: '18:00' },
          { byday: '1SA,-1SU', freq: 'MONTHLY', opens_at: '10:00', closes_at: '12:00' },
        ),
      ),
    ).toEqual({
      hours: 'Wed 15:00–18:00; 1st Sat of the month, last Sun of the month 10:00–12:00',
      rows: 'Wed 15:00–18:00',
      warnings: [
        'schedules.csv:3 service s1: the hours "1SA,-1SU 10:00–12:00" are not structured: days of the month are no rule of a week',
      ],
    });
  });

  it('the link of a schedule is in the text', () => {
    expect(
      hours({ byday: 'MO', opens_at: '9:00', closes_at: '12:00', schedule_link: 'https://a.example.org' })
        .hours,
    ).toBe('Mon 09:00–12:00\nhttps://a.example.org');
  });
});

describe('a row that is wrong is reported, and never guessed', () => {
  const wrong: readonly (readonly [cells: Cells, why: string, shown?: string])[] = [
    [{ weekday: 'Mon', opens_at: '25:00', closes_at: '26:00' }, '25:00 is not a time'],
    [{ weekday: 'Mon', opens_at: '09:00', closes_at: '5 o’clock' }, '5 o’clock is not a time'],
    [{ weekday: 'Mon', opens_at: '09:00' }, 'it does not say when it closes'],
    [{ weekday: 'Mon', closes_at: '09:00' }, 'it does not say when it opens'],
    [{ weekday: 'Mon', opens_at: '09:00', closes_at: '09:00' }, 'it closes when it opens', 'Mon 09:00–09:00'],
    [
      { weekday: 'Mon', opens_at: '10:00pm', closes_at: '6:00pm' },
      'it closes before it opens, and is no night',
      'Mon 22:00–18:00',
    ],
    [
      { weekday: 'Mon', opens_at: '9', closes_at: '5' },
      'it closes before it opens, and is no night',
      'Mon 09:00–05:00',
    ],
    [{ weekday: 'Mon', opens_at: '8:00m', closes_at: '9:00pm' }, 'am or pm is missing'],
    [{ weekday: 'Someday', opens_at: '09:00', closes_at: '10:00' }, 'Someday is not a day'],
    [{ weekday: '8', opens_at: '09:00', closes_at: '10:00' }, '8 is not a day'],
    [{ byday: 'MO,XX', opens_at: '09:00', closes_at: '10:00' }, 'XX is not a day'],
    [
      { byday: '6SA', freq: 'MONTHLY', opens_at: '09:00', closes_at: '10:00' },
      '6SA is not a day of the month',
    ],
    [
      { byday: 'MO', freq: 'MONTHLY', opens_at: '09:00', closes_at: '10:00' },
      'MO of a month does not say which',
    ],
    [{ freq: 'WEEKLY', opens_at: '09:00', closes_at: '10:00' }, 'it names no day'],
    [
      { byday: 'MO', freq: 'YEARLY', opens_at: '09:00', closes_at: '10:00' },
      'the frequency YEARLY is not of a week',
    ],
    [
      { byday: 'MO', interval: '2', opens_at: '09:00', closes_at: '10:00' },
      'the interval 2 is not every week',
    ],
    [
      { byday: 'MO', count: '3', byweekno: '41', opens_at: '09:00', closes_at: '10:00' },
      'it is not for every week (count, byweekno)',
    ],
    [
      { byday: 'MO', valid_from: '2026-02-30', opens_at: '09:00', closes_at: '10:00' },
      '2026-02-30 is not a date',
    ],
    [{ byday: 'MO', valid_to: 'soon', opens_at: '09:00', closes_at: '10:00' }, 'soon is not a date'],
    [
      {
        byday: 'MO',
        valid_from: '2026-03-01',
        valid_to: '2026-02-01',
        opens_at: '09:00',
        closes_at: '10:00',
      },
      'it is valid from 2026-03-01, but only to 2026-02-01',
    ],
    [{ weekday: 'Mon' }, 'it has neither times nor a text'],
  ];
  it.each(wrong.map(([cells, why, shown]) => ({ cells, why, shown })))(
    '$why: $cells',
    ({ cells, why, shown }) => {
      const { warnings, ...rest } = hours(cells);
      expect(rest).toEqual(shown === undefined ? {} : { hours: shown });
      expect(warnings).toMatchObject([{ kind: 'warning', file: 'schedules.csv', line: 2 }]);
      expect(warnings[0]?.reason).toMatch(/^service s1: the hours ".*" are not structured: /);
      expect(warnings[0]?.reason.split(' are not structured: ')[1]).toBe(why);
    },
  );

  it('the other rows are kept', () => {
    expect(
      told(hours(...weekly('9:00', '17:00', ['Mon', 'Tue']), ...weekly('25:00', '26:00', ['Wed']))),
    ).toMatchObject({
      hours: 'Mon, Tue 09:00–17:00',
      rows: 'Mon, Tue 09:00–17:00',
    });
  });

  it('rows with the same problem are one warning', () => {
    expect(told(hours(...weekly('25:00', '26:00', ['Mon', 'Mon', 'Tue']))).warnings).toEqual([
      'schedules.csv:2 service s1: the hours "Mon 25:00–26:00" are not structured: 25:00 is not a time (2 rows)',
      'schedules.csv:4 service s1: the hours "Tue 25:00–26:00" are not structured: 25:00 is not a time',
    ]);
  });

  it('more rows than a record can have are left out', () => {
    const many = Array.from({ length: 201 }, (_, at) => ({
      weekday: 'Mon',
      opens_at: '00:00',
      closes_at: `${10 + (at % 10)}:${10 + (at % 50)}`,
      notes: String(at),
    }));
    const found = hours(...many);
    expect(found.opening_hours).toBeUndefined();
    expect(found.warnings).toHaveLength(1);
  });
});

describe('the words of the publisher are the text', () => {
  it('rows that say the same are kept beside them', () => {
    const original_text = '8:30am-5:00pm, Mon-Fri';
    expect(told(hours(...weekly('8:30am', '5:00pm', workdays, { original_text })))).toEqual({
      hours: original_text,
      rows: 'Mon–Fri 08:30–17:00',
      warnings: [],
    });
  });

  it('line breaks are kept, and texts of several rows are lines in the order of the week', () => {
    expect(
      told(
        hours(
          { byday: 'TU', opens_at: '10:00', closes_at: '12:00', description: 'Tuesdays 10-12' },
          { byday: 'MO', opens_at: '9:00', closes_at: '17:00', description: String.raw`Monday\n9-5` },
        ),
      ),
    ).toEqual({
      hours: 'Monday\n9-5\nTuesdays 10-12',
      rows: 'Mon 09:00–17:00; Tue 10:00–12:00',
      warnings: [],
    });
  });

  it.each([
    // as a real export had them: the last day of the text with the first time
    [
      '9-5 Mon-Thur; 8-2 Fri',
      weekly('9:00am', '5:00pm', ['Friday']),
      'Mon–Thu 09:00–17:00; Fri 08:00–14:00',
      'Fri 09:00–17:00',
    ],
    [
      '9:00am-3:00pm, Tues, Wed, Thur',
      weekly('9:00am', '3:00pm', ['Wednesday']),
      'Tue–Thu 09:00–15:00',
      'Wed 09:00–15:00',
    ],
    // a day too many
    ['Mon 9-5', weekly('9:00', '17:00', ['Mon', 'Tue']), 'Mon 09:00–17:00', 'Mon, Tue 09:00–17:00'],
    ['Mon 9-5', weekly('9:00', '18:00', ['Mon']), 'Mon 09:00–17:00', 'Mon 09:00–18:00'],
    // a row that cannot be
    ['Mon 9-5', weekly('17:00', '9:00', ['Mon']), 'Mon 09:00–17:00', 'Mon 17:00–09:00'],
  ])(
    'rows that disagree are dropped, and words that are understood are read: %j',
    (text, cells, read, rows) => {
      const found = told(hours(...cells.map((row) => ({ ...row, original_text: text }))));
      expect(found).toMatchObject({ hours: text, rows: read });
      expect(found.warnings.at(-1)).toBe(
        `schedules.csv:2 service s1: the text "${read}" and the rows ("${rows}") disagree; the text is read, the rows are left out`,
      );
    },
  );

  it.each([
    // partly understood: what is understood is not in the rows
    [
      '8-4:30 Mon, Fri; 3rd Saturday 8-12',
      weekly('8:00', '16:30', ['Mon']),
      'Mon, Fri 08:00–16:30',
      'Mon 08:00–16:30',
    ],
  ])(
    'rows that disagree with words that are not fully understood are dropped: %j',
    (original_text, cells, read, rows) => {
      const found = told(hours(...cells.map((row) => ({ ...row, original_text }))));
      expect(found).toMatchObject({ hours: original_text, rows: undefined });
      expect(found.warnings).toEqual([
        `schedules.csv:2 service s1: the text "${read}" and the rows ("${rows}") disagree; the text is shown, the rows are left out`,
      ]);
    },
  );

  it.each([
    // the rest may say something else
    ['Mon 9-5, other days by appointment', weekly('9:00', '17:00', ['Mon'])],
    ['By appointment only', weekly('9:00', '17:00', workdays)],
    ['Mon 9-5\nevenings: call', weekly('9:00', '17:00', ['Mon', 'Tue'])],
    // the rest may take it back
    ['Mon 9-5\nBy appointment only', weekly('9:00', '17:00', ['Mon'])],
    ['Mon 9-5\nTemporarily closed', weekly('9:00', '17:00', ['Mon'])],
  ])('rows that the text does not confirm are dropped: %j', (original_text, cells) => {
    const found = told(hours(...cells.map((row) => ({ ...row, original_text }))));
    expect(found).toMatchObject({ hours: original_text, rows: undefined });
    expect(found.warnings).toEqual([
      expect.stringMatching(
        /^schedules.csv:2 service s1: the rows \(.*\) are left out: the text does not confirm them/,
      ),
    ]);
  });

  it.each([
    ['Mon 9-5\nCall for more information', weekly('9:00', '17:00', ['Mon'])],
    ['Mon 9-5; 1st Sat 10-12', [...weekly('9:00', '17:00', ['Mon'])]],
    // a text that says nothing of days and times
    ['Regular hours', weekly('9:00', '17:00', ['Mon'])],
  ])('rows that the understood part confirms are kept: %j', (original_text, cells) => {
    expect(told(hours(...cells.map((row) => ({ ...row, original_text }))))).toEqual({
      hours: original_text,
      rows: 'Mon 09:00–17:00',
      warnings: [],
    });
  });

  it('rows take the names of the sections of the text, and get the sections that they lack', () => {
    const original_text = 'Office: Mon-Fri 9-5\nPantry: Tue 1-3';
    expect(told(hours(...weekly('9:00', '17:00', workdays, { original_text }))).rows).toBe(
      'Office: Mon–Fri 09:00–17:00\nPantry: Tue 13:00–15:00',
    );
    const dated = weekly('9:00', '17:00', workdays, { original_text, valid_from: '2026-01-01' });
    expect(told(hours(...dated)).rows).toBe('from 2026-01-01: Mon–Fri 09:00–17:00\nPantry: Tue 13:00–15:00');
  });

  it('words without rows are structured where they are fully understood', () => {
    expect(
      told(hours({ weekday: 'Monday', original_text: '9:00am-12:00pm / 1:00pm-6:00pm, Mon, Tue' })),
    ).toEqual({
      hours: '9:00am-12:00pm / 1:00pm-6:00pm, Mon, Tue',
      rows: 'Mon, Tue 09:00–12:00, 13:00–18:00',
      warnings: [],
    });
    expect(told(hours({ description: 'Mon 9-5, 1st Sat 9-12' }))).toMatchObject({
      rows: undefined,
      warnings: [],
    });
  });

  it('words beside a row that is no row of a week are not structured', () => {
    const description = 'Saturdays 10-12';
    const monthly = { byday: '1SA', freq: 'MONTHLY', opens_at: '10:00', closes_at: '12:00', description };
    expect(told(hours(monthly))).toEqual({
      hours: description,
      rows: undefined,
      warnings: [
        'schedules.csv:2 service s1: the hours "1SA 10:00–12:00" are not structured: days of the month are no rule of a week',
        'schedules.csv:2 service s1: the text "Sat 10:00–12:00" and the rows ("1st Sat of the month 10:00–12:00") disagree; the text is shown, the rows are left out',
      ],
    });
    const limited = { byday: 'SA', byweekno: '41', opens_at: '10:00', closes_at: '12:00', description };
    expect(told(hours(limited))).toEqual({
      hours: description,
      rows: undefined,
      warnings: [
        'schedules.csv:2 service s1: the hours "SA 10:00–12:00" are not structured: it is not for every week (byweekno)',
      ],
    });
  });

  it('the words are all that is shown of rows that are no rows of a week', () => {
    const description = 'Every second Monday 9-10';
    const row = {
      byday: 'MO',
      opens_at: '09:00',
      closes_at: '10:00',
      freq: 'WEEKLY',
      interval: '2',
      description,
    };
    expect(told(hours(row))).toMatchObject({ hours: description, rows: undefined });
  });

  it('notes and links that the text does not have are lines after it', () => {
    expect(
      hours({ description: 'Mon 9-5', notes: 'Ring twice.', schedule_link: 'https://a.example.org' }).hours,
    ).toBe('Mon 9-5\nRing twice.\nhttps://a.example.org');
  });
});

it('no rows are no hours', () => {
  expect(hours()).toEqual({ warnings: [] });
});

it('rows are kept beside a text that says the same, and left out for the text where it says one opening less or more', () => {
  const opening = fc.record({
    opens: fc.integer({ min: 0, max: 46 }),
    length: fc.integer({ min: 1, max: 30 }),
    days: fc.subarray([...weekdays], { minLength: 1 }),
  });
  const clock = (half: number): string =>
    `${String(Math.floor((half % 48) / 2)).padStart(2, '0')}:${half % 2 === 0 ? '00' : '30'}`;
  fc.assert(
    fc.property(opening, opening, ({ days, opens, length }, other) => {
      const closes = Math.min(opens + length, 48);
      const week = days.map((day) => ({ days: [day], opens: clock(opens), closes: clock(closes) }));
      const more = other.days.filter((day) => !days.includes(day));
      const text = (rows: readonly OpeningHours[]): Cells => ({ description: writeHours(rows) });
      const cells = days.map((byday) => ({ byday, opens_at: clock(opens), closes_at: clock(closes) }));
      expect(told(hours(text(week), ...cells))).toEqual({
        hours: writeHours(week),
        rows: writeHours(week),
        warnings: [],
      });
      const others = [
        ...(more.length > 0 ? [[...week, { days: more, opens: '09:00', closes: '10:00' }]] : []),
        ...(days.length > 1 ? [week.slice(1)] : []),
        [{ days, opens: clock(opens), closes: clock(closes === 48 ? 47 : closes + 1) }].filter(
          (row) => row.opens !== row.closes,
        ),
      ].filter((rows) => rows.length > 0);
      for (const rows of others) {
        const found = hours(text(rows), ...cells);
        expect(found.opening_hours && writeHours(found.opening_hours)).toBe(writeHours(rows));
        expect(found.warnings[0]?.reason).toMatch(/disagree; the text is read/);
      }
    }),
    { numRuns: 200 },
  );
});

it('whatever the cells hold, the rows are valid, and agree with a text of them', () => {
  const cell = (...often: readonly string[]) =>
    fc.oneof(fc.constantFrom(...often), fc.string({ maxLength: 8 }));
  const row = fc.record({
    weekday: cell('Mon', 'TU', '1SA', '3', 'MO,FR'),
    opens_at: cell('9:00', '9am', '22:00', '24:00', ''),
    closes_at: cell('5pm', '12:00', '6:00', '24:00', ''),
    freq: cell('', 'WEEKLY', 'MONTHLY'),
    valid_from: cell('', '2026-01-01'),
    notes: cell('', 'Food'),
  });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 6 }), (cells) => {
      const { opening_hours = [], hours: text = '' } = hours(...cells);
      expect(z.array(openingHours).max(200).safeParse(opening_hours)).toMatchObject({ success: true });
      if (opening_hours.length > 0) expect(text).not.toBe('');
    }),
    { numRuns: 500 },
  );
});

it('the same rows of two services are the same hours, and what is wrong with them is said of both', () => {
  const good = rowsOf(weekly('9:00', '17:00', workdays));
  expect(hoursOf('service s1', good)).toEqual(hoursOf('service s2', good));
  expect(hoursOf('service s1', good).hours).toBe('Mon–Fri 09:00–17:00');
  const bad = rowsOf([{ weekday: 'Monday', opens_at: 'noonish', closes_at: '17:00' }]);
  for (const owner of ['service s1', 'service s2'])
    expect(hoursOf(owner, bad).warnings.map(({ reason }) => reason)).toEqual([
      expect.stringContaining(`${owner}: the hours`),
    ]);
});

it('a great many rows of one service are read at once', () => {
  const [row] = rowsOf(weekly('9:00', '17:00', ['Mon']));
  if (!row) throw new Error('no row');
  expect(
    hoursOf(
      'service s1',
      Array.from({ length: 300_000 }, () => row),
    ),
  ).toMatchObject({ hours: 'Mon 09:00–17:00' });
});
