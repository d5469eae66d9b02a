import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeOf, problemsOf } from '../../../../src/api/directory/dash/record/form-change.ts';
import {
  phonesFrom,
  valuesIn,
  valuesOf,
  type FormValues,
} from '../../../../src/api/directory/dash/record/form-values.ts';
import { anyRecord } from '../../../hsds/any-record.ts';

/** What a browser sends of a form that shows these values. */
const sent = (values: FormValues): URLSearchParams =>
  new URLSearchParams(
    Object.entries(values).map(([name, value]): [string, string] => [name, value.replaceAll('\n', '\r\n')]),
  );

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

test('an emptied place is removed, and a moved one loses its coordinates', () => {
  const fields = { locations: [{ city: 'Lakewood', latitude: 1, longitude: 2 }, { city: 'Elsewhere' }] };
  expect(changeOf(fields, { ...valuesOf(fields), city: '' })).toEqual({ locations: [{ city: 'Elsewhere' }] });
  expect(changeOf(fields, { ...valuesOf(fields), city: 'Newtown' })).toEqual({
    locations: [{ city: 'Newtown' }, { city: 'Elsewhere' }],
  });
});

test('problems stand beside the entry that has them', () => {
  const texts = { missing: 'missing', tooLong: (most: number) => `over ${most}`, tooMany: () => 'many' };
  const long = 'x'.repeat(600);
  const change = { name: null, locations: [{ street: long }], languages: [long] } as never;
  expect(problemsOf(change, texts)).toEqual({ name: 'missing', street: 'over 500', languages: 'over 60' });
});
