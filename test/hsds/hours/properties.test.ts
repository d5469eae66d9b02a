import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { weekdays } from '../../../src/events/directory/local-time.ts';
import { openingHours, type OpeningHours } from '../../../src/events/directory/opening-hours.ts';
import { readHours } from '../../../src/hsds/hours/read.ts';
import { normalised } from '../../../src/hsds/hours/week.ts';
import { writeHours } from '../../../src/hsds/hours/write.ts';

const clock = fc
  .nat({ max: 95 })
  .map(
    (quarter) =>
      `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`,
  );
const day = fc
  .date({ min: new Date('1990-01-01T00:00:00Z'), max: new Date('2090-01-01T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const note = fc.oneof(
  fc.constantFrom(
    'Food pantry',
    'Grades K-1',
    'Mon',
    'Open daily',
    'By appointment only',
    'a: b',
    '“x”, from 2026-01-01',
    'Summer',
  ),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
);
const row: fc.Arbitrary<OpeningHours> = fc
  .record(
    {
      days: fc.subarray([...weekdays], { minLength: 1 }),
      opens: clock,
      closes: fc.oneof(clock, fc.constant('24:00')),
      note,
      valid_from: day,
      valid_to: day,
    },
    { requiredKeys: ['days', 'opens', 'closes'] },
  )
  .filter((given) => openingHours.safeParse(given).success);

const rowsWithoutOverlap = fc.array(row, { maxLength: 12 }).map((rows) =>
  rows.reduce<OpeningHours[]>((kept, next) => {
    const candidate = [...kept, next];
    return overlaps(normalised(candidate)) ? kept : candidate;
  }, []),
);

const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
/** Written anew, not taken from the code under test. */
function overlaps(rows: readonly OpeningHours[]): boolean {
  const spans = rows.flatMap(({ days, opens, closes, ...about }) => {
    const end = minutes(closes) <= minutes(opens) ? minutes(closes) + 1_440 : minutes(closes);
    return days.map((day) => ({ key: day + JSON.stringify(about), from: minutes(opens), end }));
  });
  return spans.some((one, at) =>
    spans.some(
      (other, beside) => beside > at && one.key === other.key && one.from < other.end && other.from < one.end,
    ),
  );
}

/** Every quarter of an hour of the week at which something is open, and what. */
const quartersOf = (rows: readonly OpeningHours[]): Set<string> =>
  new Set(
    rows.flatMap(({ days, opens, closes, note, valid_from, valid_to }) => {
      const from = minutes(opens);
      const length = minutes(closes) - from;
      const quarters = Array.from({ length: (length <= 0 ? length + 1_440 : length) / 15 }, (_, at) => at);
      const about = JSON.stringify([note?.replace(/\s+/g, ' ').trim(), valid_from, valid_to]);
      return days.flatMap((day) =>
        quarters.map((at) => `${(weekdays.indexOf(day) * 1_440 + from + at * 15) % 10_080} ${about}`),
      );
    }),
  );

describe('reading and writing are inverse', () => {
  it('what is written of any rows is read as the same rows', () => {
    fc.assert(
      fc.property(rowsWithoutOverlap, (rows) => {
        expect(readHours(writeHours(rows))).toMatchObject({
          understood: 'fully',
          rows: normalised(rows),
          unread: [],
        });
      }),
      { numRuns: 400 },
    );
  });

  it('what is read of any text is written as a text with the same rows', () => {
    fc.assert(
      fc.property(text, (written) => {
        const { rows } = readHours(written);
        expect(z.array(openingHours).max(200).safeParse(rows)).toMatchObject({ success: true });
        expect(readHours(writeHours(rows))).toMatchObject({ understood: 'fully', rows });
      }),
      { numRuns: 1_000 },
    );
  });

  it('normal rows stay as they are, and mean the same as before', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 12 }), (rows) => {
        expect(quartersOf(normalised(rows))).toEqual(quartersOf(rows));
        expect(normalised(normalised(rows))).toEqual(normalised(rows));
        expect(z.array(openingHours).max(200).safeParse(normalised(rows))).toMatchObject({ success: true });
      }),
    );
  });
});

/** Pieces of hours in any order: mostly nonsense, at times a sentence. */
const text = fc
  .array(
    fc.constantFrom(
      'Mon',
      'Tue-Thu',
      'sáb y dom',
      'M-F',
      'daily',
      'weekdays',
      '9-5',
      '8:30am-noon',
      '9am to 5pm',
      '22:00–06:00',
      '10-11',
      '6pm-6am',
      '24 hours',
      '24/7',
      'closed',
      'for lunch',
      '12-1',
      'Office:',
      'Food Pantry:',
      '\n',
      '\n\n',
      ';',
      ',',
      '.',
      '/',
      'and',
      'a',
      '1st',
      'holidays',
      'by appointment',
      'from 2026-01-01:',
      '9',
      ':',
      '“',
      '”',
      'x',
    ),
    { maxLength: 14 },
  )
  .map((pieces) => pieces.join(' '));

/** How people write a time. */
const styles: readonly ((time: string) => string)[] = [
  (time) => time,
  (time) => twelve(time, ['am', 'pm']),
  (time) => twelve(time, [' a.m.', ' p.m.']),
  (time) => twelve(time, [' AM', ' PM']),
  (time) => (time === '12:00' ? 'noon' : twelve(time, ['a', 'p'])),
];
function twelve(time: string, [am, pm]: readonly [string, string]): string {
  const [hour, minute] = [Math.floor(minutes(time) / 60), time.slice(3)];
  return `${((hour + 11) % 12) + 1}${minute === '00' ? '' : `:${minute}`}${hour % 24 < 12 ? am : pm}`;
}
const english = ['Mon', 'Tues', 'Wednesday', 'Thur', 'Fri', 'Saturdays', 'Sun.'];
const spanish = ['lun', 'martes', 'miércoles', 'jue', 'vie', 'sábado', 'domingos'];

it('the hours of a day are read in every way in which people write them', () => {
  fc.assert(
    fc.property(
      fc.record({
        days: fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 }),
        opens: fc.integer({ min: 5 * 4, max: 12 * 4 }),
        length: fc.integer({ min: 2, max: 44 }),
        style: fc.constantFrom(...styles),
        names: fc.constantFrom(english, spanish),
        dash: fc.constantFrom('-', ' - ', '–', ' to ', ' a '),
        between: fc.constantFrom(', ', ' and ', ' y ', '/', ' & '),
        daysFirst: fc.boolean(),
      }),
      ({ days, opens, length, style, names, dash, between, daysFirst }) => {
        const time = (quarter: number): string =>
          `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`;
        const [from, to] = [time(opens), time(opens + length)];
        const times = `${style(from)}${dash}${style(to)}`;
        const named = days.map((day) => names[day] ?? '').join(between);
        const line = daysFirst ? `${named}: ${times}` : `${times}, ${named}`;
        expect(readHours(line), line).toMatchObject({
          understood: 'fully',
          rows: [{ days: weekdays.filter((_, at) => days.includes(at)), opens: from, closes: to }],
        });
      },
    ),
    { numRuns: 500 },
  );
});
