import { describe, expect, it } from 'vitest';
import { hoursText, type ScheduleEntry } from '../../src/hsds/schedule.ts';

const entry = (
  days: string,
  opens: string,
  closes: string,
  more: Partial<ScheduleEntry> = {},
): ScheduleEntry => ({
  days,
  opens,
  closes,
  frequency: '',
  interval: '',
  words: '',
  ...more,
});

describe('hours are condensed', () => {
  it('days in a row with the same times are a range', () => {
    const days = ['Friday', 'Monday', 'Tuesday', 'Thursday', 'Wednesday'].map((day) =>
      entry(day, '7:30am', '6:00pm'),
    );
    expect(hoursText([...days, entry('Saturday', '9:00am', '12:00pm')])).toBe(
      'Mon–Fri 07:30–18:00; Sat 09:00–12:00',
    );
  });

  it('two days are named, and gaps are kept', () => {
    expect(hoursText([entry('TH,FR', '10:00:00', '18:00:00')])).toBe('Thu, Fri 10:00–18:00');
    expect(hoursText([entry('MO,WE,TH,FR,SU', '10:00', '18:00')])).toBe('Mon, Wed–Fri, Sun 10:00–18:00');
  });

  it('several openings on one day come in order, each once', () => {
    const entries = [
      entry('MO', '13:00', '17:00'),
      entry('MO', '09:00', '12:00'),
      entry('MO', '09:00', '12:00'),
    ];
    expect(hoursText(entries)).toBe('Mon 09:00–12:00, 13:00–17:00');
  });

  it.each([
    ['12:00am', '12:00am', '00:00–24:00'],
    ['12:00pm', '11:59 p.m.', '12:00–23:59'],
    ['830am', '5pm', '08:30–17:00'],
    ['09:00Z', '17:00:00+02:00', '09:00–17:00'],
    ['0:00', '24:00', '00:00–24:00'],
  ])('%s to %s is %s', (opens, closes, expected) => {
    expect(hoursText([entry('Mon', opens, closes)])).toBe(`Mon ${expected}`);
  });

  it('days of the month and daily rules', () => {
    const monthly = entry('1SA,-1SU', '10:00', '12:00', { frequency: 'MONTHLY' });
    expect(hoursText([entry('WE', '15:00', '18:00'), monthly])).toBe(
      'Wed 15:00–18:00; 1st Sat of the month, last Sun of the month 10:00–12:00',
    );
    expect(hoursText([entry('', '08:00', '20:00', { frequency: 'DAILY' })])).toBe('Mon–Sun 08:00–20:00');
  });

  it('weekdays by number count from Monday', () => {
    expect(hoursText([entry('1', '08:00', '09:00'), entry('7', '08:00', '09:00')])).toBe(
      'Mon, Sun 08:00–09:00',
    );
  });
});

describe('the publisher’s words are taken', () => {
  it('when a time cannot be read', () => {
    const words = '8:00m-5:00pm, Mon-Fri';
    expect(
      hoursText([
        entry('Monday', '8:00m', '5:00pm', { words }),
        entry('Tuesday', '8:00am', '5:00pm', { words }),
      ]),
    ).toBe(words);
  });

  it('when they are all there is, in the order of the week', () => {
    expect(
      hoursText([entry('Tuesday', '', '', { words: 'a' }), entry('Monday', '', '', { words: 'b' })]),
    ).toBe('b; a');
    expect(hoursText([entry('', '', '', { words: String.raw`By\nappointment` })])).toBe('By appointment');
  });

  it('for rules beyond the week', () => {
    const words = 'Every second Monday';
    expect(hoursText([entry('MO', '09:00', '10:00', { frequency: 'WEEKLY', interval: '2', words })])).toBe(
      words,
    );
  });
});

it('no schedule, or one that says nothing, is no text', () => {
  expect(hoursText([])).toBe('');
  expect(hoursText([entry('Monday', '', '')])).toBe('');
  expect(hoursText([entry('Someday', '9am', '5pm')])).toBe('');
});
