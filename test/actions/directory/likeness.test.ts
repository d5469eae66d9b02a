import { describe, expect, test } from 'vitest';
import { duplicateIn } from '../../../src/actions/directory/likeness.ts';
import type { ResourceFields } from '../../../src/events/directory/resource-fields.ts';
import { duplicateTraces, type Traces } from '../../../src/projections/directory/duplicates.ts';

interface Listed {
  readonly name: string;
  readonly street?: string;
  readonly city?: string;
  readonly phone?: string;
  readonly organization?: string;
  readonly alternate?: string;
  readonly point?: readonly [number, number];
}

const usual: Listed = {
  ...{ name: 'Corner Food Pantry', street: '1200 Flagler Street', city: 'Miami', phone: '305-555-0134' },
};

function traced(listed: Listed) {
  const { name, street = '', city, phone = '', organization, alternate, point } = listed;
  const [latitude, longitude] = point ?? [];
  const place = { street, city, ...(latitude === undefined ? {} : { latitude, longitude }) };
  const fields = {
    ...{ name, category: 'food', phones: phone === '' ? [] : [{ number: phone }] },
    ...(alternate === undefined ? {} : { alternate_name: alternate }),
    ...(organization === undefined ? {} : { organization: { name: organization } }),
    locations: street === '' ? [] : [place],
  } as ResourceFields;
  const data = { svc_id: 'r_0000000000000001', id: 1, team: 'harbour', fields };
  const submitted = { type: 'ResourceSubmitted', data, metadata: { at: '' } } as never;
  const doc = duplicateTraces.fold(undefined, submitted);
  return { keys: doc?.keys.split(' ') ?? [], traces: JSON.parse(doc?.traces ?? '{}') as Traces };
}

/** As the list of duplicates does: what shares a key is compared. */
function found(one: Listed, other: Listed): string {
  const [left, right] = [traced(one), traced(other)];
  if (!left.keys.some((key) => right.keys.includes(key))) return '';
  return (duplicateIn(left.traces, right.traces) ?? []).join(' ');
}

const row = (why: string, one: Partial<Listed>, other: Partial<Listed>) =>
  [why, { ...usual, ...one }, { ...usual, ...other }] as const;
const house = { organization: 'Bay Harbor House' };
const corner = { street: 'Corner of Flagler and Second', point: [25.7743, -80.1937] } as const;

describe('two records are duplicates', () => {
  test.each([
    row('with a misspelt street', {}, { street: '1200 Flager Street' }),
    row('with "St." in place of "Street"', {}, { street: '1200 Flagler St.' }),
    row('with and without a suite', { street: '1200 Flagler Street, Suite 40' }, {}),
    row('with a suite behind a post box', { street: 'PO Box 771' }, { street: 'P.O. Box 771, Suite 4' }),
    row('in a misspelt town', {}, { city: 'Maimi' }),
    row('at a corner', corner, { street: 'Second Avenue at Flagler', point: [25.7746, -80.194] }),
    row('with another form of the phone number', {}, { phone: '+1 (305) 555 0134' }),
    row('with and without "Inc."', { name: 'Corner Food Pantry, Inc.' }, {}),
    row('with swapped words', {}, { name: 'Food Pantry Corner' }),
    row('with a wrong letter', {}, { name: 'Corner Food Pantyr' }),
    row('with a letter that changes a stem', { name: 'Turning Point' }, { name: 'Turnnig Point' }),
    row('with and without "Services"', {}, { name: 'Corner Food Pantry Services' }),
    row('with and without the town', {}, { name: 'The Corner Food Pantry of Miami' }),
    row('with the organization', house, { name: 'Bay Harbor House - Corner Food Pantry' }),
    row('as an acronym', { name: "Young Men's Christian Association" }, { name: 'YMCA' }),
    row(
      'beside an acronym',
      { name: 'Legal Aid Society of Dade' },
      { name: 'Legal Aid Society of Dade (LASD)' },
    ),
    row('of two organizations, worded otherwise', house, {
      ...{ name: 'Food Pantry at the Corner Church', organization: 'Corner Church' },
    }),
    row('where one has no place', {}, { street: '' }),
  ])('%s', (_, one, other) => {
    expect(found(one, other)).toContain('name');
    expect(found(other, one)).toBe(found(one, other));
  });
});

describe('two records are no duplicates', () => {
  test.each([
    row('at two addresses, with one phone', house, { ...house, street: '40 Ocean Drive' }),
    row('at two numbers of a street', {}, { street: '1412 Flagler Street' }),
    row('in two quarters of a town', { street: '400 6th Street NW' }, { street: '400 6th Street SE' }),
    row('in two streets of one letter', { street: '71 O Street' }, { street: '71 P Street' }),
    row('at two corners', corner, { street: 'Corner of Biscayne and Third', point: [25.7843, -80.1937] }),
    row(
      'as two programs by their names',
      { ...house, name: 'Counseling - Youth Program' },
      { ...house, name: 'Counseling - Veterans Program' },
    ),
    row(
      'for all and for some',
      { ...house, name: 'Counseling' },
      { ...house, name: 'Counseling for Seniors' },
    ),
    row(
      'as two programs by their other names',
      { ...house, alternate: 'Ryan White' },
      { ...house, alternate: 'Housing First' },
    ),
    row('of one house', { ...house, name: 'Food Pantry' }, { ...house, name: 'Clothes Closet' }),
    row('by a number', { name: 'Fire Station 12' }, { name: 'Fire Station 14' }),
    row('by a letter of a short word', { name: 'New Hope' }, { name: 'New Home' }),
    row('by the beginning of a word', { name: 'Maternal Care' }, { name: 'Paternal Care' }),
    row('with two phones and nothing else', { street: '' }, { street: '', phone: '305-555-0177' }),
  ])('%s', (_, one, other) => {
    expect(found(one, other)).toBe('');
  });
});

test('a long record has a bounded number of keys, and is compared by its first words', () => {
  const name = Array.from({ length: 40 }, (_, n) => `word${String(n)}`).join(' ');
  const { keys, traces } = traced({ ...usual, ...house, name });
  expect(keys.length).toBeLessThanOrEqual(32);
  expect(traces.name.length).toBeLessThanOrEqual(16);
});
