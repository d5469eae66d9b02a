import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeOf, problemsOf } from '../../../../src/api/directory/dash/record/form-change.ts';
import {
  entriesOf,
  valuesIn,
  valuesOf,
  type FormValues,
} from '../../../../src/api/directory/dash/record/form-values.ts';
import { emptyWeek } from '../../../../src/api/directory/dash/record/hours-draft.ts';
import { phonesFrom } from '../../../../src/api/directory/dash/record/phone-lines.ts';
import { emptyPlace, type PlaceDraft } from '../../../../src/api/directory/dash/record/places-draft.ts';
import { en } from '../../../../src/api/directory/dash/texts.ts';
import type { ImpersonalFields } from '../../../../src/events/directory/resource-fields.ts';
import { anyRecord } from '../../../hsds/any-record.ts';

const { problems: texts } = en.form;

/** What a browser sends of a form that shows these values. */
const sent = (values: FormValues): URLSearchParams =>
  new URLSearchParams(
    entriesOf(values).map(([name, value]): [string, string] => [name, value.replaceAll('\n', '\r\n')]),
  );

/** The first place of a record, typed otherwise. */
const withPlace = (fields: Partial<ImpersonalFields>, typed: Partial<PlaceDraft>): FormValues => {
  const values = valuesOf(fields);
  const [first = emptyPlace, ...others] = values.places;
  return { ...values, places: [{ ...first, ...typed }, ...others] };
};

const monday = (...times: [opens: string, closes: string][]): FormValues['opening_hours'] => [
  { ...emptyWeek, times: { ...emptyWeek.times, mon: times.map(([opens, closes]) => ({ opens, closes })) } },
];

test('a form that is sent as it was shown changes nothing, whatever the record says', () => {
  fc.assert(
    fc.property(anyRecord, (fields) => {
      expect(changeOf(fields, valuesIn(sent(valuesOf(fields))))).toEqual({});
    }),
  );
});

test('lines are phones, and one that is changed where it stands keeps what the form does not show', () => {
  const [intake, fax] = [
    { number: '555-0100', extension: '7', note: 'Ask for intake' },
    { number: '555-0101', type: 'fax' as const, languages: ['Spanish'] },
  ];
  const phones = [intake, fax];
  expect(phonesFrom('555-0100 ext. 7\n555-0199 (fax)', phones)).toEqual([
    intake,
    { number: '555-0199', type: 'fax', languages: ['Spanish'] },
  ]);
  expect(phonesFrom('555-0101 (fax)', phones)).toEqual([fax]);
  expect(phonesFrom('555-0102, ext 12 (TTY)\n\n 555-0103 ')).toEqual([
    { number: '555-0102', extension: '12', type: 'tty' },
    { number: '555-0103' },
  ]);
});

test('hours are changed where they stand', () => {
  const fields = { locations: [{ city: 'Lakewood', hours: 'Mondays' }] };
  expect(changeOf(fields, { ...valuesOf(fields), hours: 'Tuesdays' })).toEqual({
    locations: [{ city: 'Lakewood', hours: 'Tuesdays' }],
  });
  expect(changeOf(fields, { ...valuesOf(fields), hours: '' })).toEqual({ locations: [{ city: 'Lakewood' }] });
});

test('an emptied place is removed, and a moved one loses its coordinates unless they are said to hold', () => {
  const fields = { locations: [{ city: 'Lakewood', latitude: 1, longitude: 2 }, { city: 'Elsewhere' }] };
  const [, other] = fields.locations;
  const typed = (place: Partial<PlaceDraft>) => changeOf(fields, withPlace(fields, place)).locations;
  expect(typed({ city: '' })).toEqual([other]);
  expect(typed({ city: 'Newtown' })).toEqual([{ city: 'Newtown' }, other]);
  expect(typed({ city: 'Newtown', pin: 'yes' })).toEqual([
    { city: 'Newtown', latitude: 1, longitude: 2 },
    other,
  ]);
  expect(typed({ latitude: '3', longitude: '-4,5', city: 'Newtown' })).toEqual([
    { city: 'Newtown', latitude: 3, longitude: -4.5 },
    other,
  ]);
});

test('problems stand beside the entry that has them', () => {
  const long = 'x'.repeat(600);
  const typed = { ...withPlace({}, { street: long }), languages: long };
  expect(problemsOf({ name: 'Old' }, { ...typed, name: '' }, texts)).toEqual({
    name: texts.missing,
    street: texts.tooLong(500),
    languages: texts.tooLong(60),
  });
});

test.each([
  ['0', '0', 'It has the coordinates 0, 0, which are in the ocean.'],
  ['91', '-80', 'It must be between -90 and 90 degrees.'],
  ['25.77', '', 'It needs latitude and longitude, or neither.'],
  ['north', '-80.2', texts.noDegrees],
  ['-80.2', '25.77', 'These coordinates have latitude and longitude swapped. Perhaps they are 25.77, -80.2.'],
])('coordinates that cannot be are refused: %s, %s', (latitude, longitude, said) => {
  const typed = withPlace({}, { postal_code: '33125', region: 'FL', latitude, longitude });
  expect(problemsOf({}, typed, texts)).toEqual({ latitude: said });
});

test('times are read as people write them', () => {
  const opening_hours = monday(['9', '12:30 pm'], ['1:30', '5'], ['22:00', '02:00']);
  expect(changeOf({}, { ...valuesOf({}), opening_hours })).toEqual({
    opening_hours: [
      { days: ['mon'], opens: '09:00', closes: '12:30' },
      { days: ['mon'], opens: '13:30', closes: '17:00' },
      { days: ['mon'], opens: '22:00', closes: '02:00' },
    ],
  });
});

test.each([
  ['soon', '5', texts.hours.time],
  ['25:00', '26:00', texts.hours.time],
  ['17:00', '09:00; Tue 9-5', texts.hours.time],
  ['10:00', '09:00', texts.hours.time],
  ['9', '', texts.hours.half],
])('times that are none are refused: %s to %s', (opens, closes, said) => {
  const typed = { ...valuesOf({}), opening_hours: monday([opens, closes]) };
  expect(problemsOf({}, typed, texts)).toEqual({ 'h0-mon': said });
});

test('openings that overlap, and a season that ends before it begins, are refused', () => {
  const overlapping = monday(['9', '1 pm'], ['12', '5']);
  expect(problemsOf({}, { ...valuesOf({}), opening_hours: overlapping }, texts)).toEqual({
    'h0-mon': texts.hours.overlap,
  });
  const [week = emptyWeek] = monday(['9', '5']);
  const season = [{ ...week, valid_from: '2026-06-01', valid_to: '2026-05-31' }];
  expect(problemsOf({}, { ...valuesOf({}), opening_hours: season }, texts)).toEqual({
    'h0-valid_to': texts.hours.dates,
  });
});

test('a phone that is no number is refused, and one that the record had stays', () => {
  const fields = { phones: [{ number: 'ask inside' }] };
  const typed = (phones: string) => problemsOf(fields, { ...valuesOf(fields), phones }, texts);
  expect(typed('ask inside\n211')).toEqual({});
  expect(typed('ask inside\nno phone')).toEqual({ phones: texts.noNumber('no phone') });
  expect(phonesFrom('305-555-0100x7')).toEqual([{ number: '305-555-0100', extension: '7' }]);
});

test('kinds of help and languages keep their order, and new ones come after them', () => {
  const fields: Partial<ImpersonalFields> = {
    category: 'food',
    categories: ['legal', 'health'],
    languages: ['Spanish', 'English'],
  };
  const typed = {
    ...valuesOf(fields),
    categories: 'food\nhousing\nhealth\nlegal',
    languages: 'Creole\nEnglish\nSpanish',
  };
  expect(changeOf(fields, typed)).toEqual({
    categories: ['legal', 'health', 'housing'],
    languages: ['Spanish', 'English', 'Creole'],
  });
});

test('that people come by appointment only is said in the words, and the table is empty then', () => {
  const fields = { hours: 'Ask for Ann.\nBy appointment only' };
  const shown = valuesOf(fields);
  expect([shown.hours, shown.by_appointment]).toEqual(['Ask for Ann.', 'yes']);
  expect(changeOf(fields, { ...shown, by_appointment: '' })).toEqual({ hours: 'Ask for Ann.' });
  expect(problemsOf(fields, { ...shown, opening_hours: monday(['9', '5']) }, texts)).toEqual({
    hours: texts.appointment,
  });
});

test('a form with as many fields as fit is read at once', () => {
  const fields = Array.from({ length: 200 }, (_, week): [string, string] => [`h${week}-times`, '100']);
  const others = Array.from({ length: 20_000 }, (_, n): [string, string] => [`x${n}`, '']);
  const form = new URLSearchParams([...others, ...fields]);
  const begun = performance.now();
  expect(valuesIn(form).opening_hours).toHaveLength(200);
  // With a look at each field for each entry it took minutes.
  expect(performance.now() - begun).toBeLessThan(5_000);
});
