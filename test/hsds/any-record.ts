import fc from 'fast-check';
import { categories } from '../../src/events/directory/category.ts';
import { weekdays } from '../../src/events/directory/local-time.ts';
import { phoneTypes } from '../../src/events/directory/contact.ts';
import {
  unsealedFields,
  type ResourceFieldName,
  type UnsealedFields,
} from '../../src/events/directory/resource-fields.ts';

import { cleanLine } from '../../src/hsds/text.ts';

/** Any text that a record may hold; see `line` in events/define.ts. */
const text = (maximum: number) =>
  fc
    .string({ unit: 'binary', minLength: 1, maxLength: Math.min(maximum, 30) })
    // More than control characters, which an import takes away.
    .filter((value) => cleanLine(value) !== '' && !value.includes('\0') && value.trim().length <= maximum)
    .map((value) => value.trim().replace(/\r\n?/g, '\n'));

/** Words as people write them. */
const words = fc
  .array(
    fc.constantFrom(
      'Soup',
      'kitchen',
      'at',
      'the',
      'Quay,',
      'señor',
      '"open"',
      "St. Ann's",
      '5',
      '—',
      '=1+1',
    ),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((parts) => parts.join(' '));

type Texts = (maximum: number) => fc.Arbitrary<string>;

function parts(line: Texts) {
  const phone = fc.record(
    {
      number: line(120),
      extension: fc.oneof(fc.constantFrom('7', '012', '12a'), line(20)),
      type: fc.constantFrom(...phoneTypes),
      note: line(300),
      languages: fc.array(line(60), { maxLength: 2 }),
    },
    { requiredKeys: ['number'] },
  );
  const degrees = fc.double({ min: -89, max: 89, noNaN: true }).filter((value) => value !== 0);
  const clock = fc
    .tuple(fc.nat(23), fc.constantFrom('00', '15', '30'))
    .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${minute}`);
  const opening = fc.record(
    {
      days: fc.subarray([...weekdays], { minLength: 1 }),
      opens: clock,
      closes: fc.oneof(clock, fc.constant('24:00')),
      note: line(300),
      valid_from: fc.constant('2026-06-01'),
      valid_to: fc.constant('2026-08-31'),
    },
    { requiredKeys: ['days', 'opens', 'closes'] },
  );
  const location = fc
    .record(
      {
        at: fc.tuple(degrees, degrees),
        name: line(300),
        street: line(500),
        city: line(120),
        region: line(120),
        postal_code: line(20),
        country: fc.constantFrom('US', 'MX'),
        phones: fc.array(phone, { maxLength: 2 }),
        hours: line(2_000),
        opening_hours: fc.array(opening, { maxLength: 2 }),
        accessibility: line(2_000),
        transportation: line(2_000),
        virtual: fc.constant(true),
        confidential: fc.constant(true),
      },
      { requiredKeys: [] },
    )
    .map(({ at, ...rest }) => (at ? { ...rest, latitude: at[0], longitude: at[1] } : rest))
    .filter((value) => Object.keys(value).length > 0);
  const address = fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.constant('http://señor.example.org/a[1]?q=ñ|b#x#y'),
  );
  const email = fc.oneof(fc.emailAddress(), fc.constant('a..b@localhost'));
  const contact = fc
    .record(
      {
        name: line(300),
        title: line(300),
        department: line(300),
        email,
        phones: fc.array(phone, { maxLength: 2 }),
      },
      { requiredKeys: [] },
    )
    .filter((value) => Object.keys(value).length > 0);
  return {
    name: line(300),
    organization: fc.record({ name: line(300), url: address }, { requiredKeys: ['name'] }),
    alternate_name: line(300),
    kinds: fc.subarray([...categories], { minLength: 1 }),
    description: line(10_000),
    url: address,
    locations: fc.array(location, { maxLength: 3 }),
    phones: fc.array(phone, { maxLength: 3 }),
    hours: line(2_000),
    opening_hours: fc.array(opening, { maxLength: 3 }),
    time_zone: fc.constantFrom('America/New_York', 'Europe/Berlin'),
    utc_offsets: fc.subarray(['-05:00', '-04:00'], { minLength: 1 }),
    languages: fc.array(line(60), { maxLength: 3 }),
    eligibility: line(4_000),
    ages: fc
      .record({ minimum: fc.nat(20), maximum: fc.integer({ min: 20, max: 150 }) }, { requiredKeys: [] })
      .filter((ages) => Object.keys(ages).length > 0),
    cost: line(2_000),
    free: fc.boolean(),
    how_to_apply: line(4_000),
    documents: fc.array(line(500), { maxLength: 2 }),
    service_area: fc.array(line(300), { maxLength: 2 }),
    taxonomy_terms: fc.array(line(200), { maxLength: 3 }),
    alert: line(1_000),
    availability: fc.constantFrom('open', 'temporarily_closed', 'defunct'),
    last_verified: fc.constant('2026-02-03'),
    last_modified: fc.constantFrom(
      '2018',
      '2018-05',
      '2018-05-14',
      '2018-05-14T09:30:00Z',
      '2018-05-14T09:30:00.25Z',
      '2018-05-14T00:00:00Z',
    ),
    email,
    interpretation: line(2_000),
    capacity: line(500),
    contacts: fc.array(contact, { maxLength: 2 }),
    verified_by: fc.oneof(email, line(300)),
  } satisfies Partial<Record<ResourceFieldName | 'kinds', fc.Arbitrary<unknown>>>;
}

const record = (line: Texts): fc.Arbitrary<UnsealedFields> =>
  fc
    .record(parts(line), { requiredKeys: ['name', 'kinds'] })
    .map(({ kinds: [category, ...rest], ...fields }) =>
      unsealedFields.parse({
        ...fields,
        category,
        ...(rest.length === 0 ? {} : { categories: rest.slice(0, 12) }),
      }),
    );

/** Any record that the schema of the fields takes. */
export const anyRecord = record(text);

/** Records of words, as directories have them. */
export const anyWrittenRecord = record((maximum) => words.map((text) => text.slice(0, maximum).trim()));
