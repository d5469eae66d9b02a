import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UnsealedFields } from '../../src/events/directory/resource-fields.ts';
import type { HsdsRecord } from '../../src/hsds/item.ts';
import { cleanLine } from '../../src/hsds/text.ts';
import { anyRecord, anyWrittenRecord } from './any-record.ts';
import { readAgain, stored } from './round-trip-support.ts';
import { folderOf, readItems, recordsIn, version1, version3, zipOf, type Files } from './support.ts';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { folderOfThisTest } from '../support/folder-of-test.ts';

const example = fileURLToPath(new URL('../../examples/directory', import.meta.url));

/** A service of HSDS 3.1 with more of everything, as other software writes it. */
const full = {
  id: 'ac148810-d857-441c-9679-408f346de14b',
  name: 'COUNSELLING',
  alternate_name: 'MyCity Counselling',
  description: 'Talking helps.',
  url: 'https://example.org/counselling',
  email: 'desk@example.org',
  status: 'temporarily closed',
  interpretation_services: 'Urdu, Polish',
  application_process: 'Ask your doctor for a letter.',
  fees_description: '$50 per hour',
  eligibility_description: 'People aged 12 and over',
  minimum_age: 12,
  maximum_age: 100,
  assured_date: '2025-01-01',
  assurer_email: 'checker@example.org',
  alert: 'Online until May',
  organization: {
    id: 'd9d5e0f5-d3ce-4f73-9a2f-4dd0ecc6c610',
    name: 'MIAMI AID',
    description: 'Aid.',
    website: 'https://aid.example.org',
  },
  phones: [
    {
      id: '1',
      number: '+44 1234 234567',
      extension: 100,
      type: 'voice',
      description: 'Front desk',
      languages: [{ id: '1', name: 'Urdu' }],
    },
    { id: '2', number: '+44 1234 234568', type: 'fax' },
    { id: '3', number: '+44 1234 234569', type: 'textphone' },
  ],
  schedules: [
    { id: '1', freq: 'WEEKLY', byday: 'MO,TU', opens_at: '09:00', closes_at: '17:00', notes: 'Walk in' },
    {
      id: '2',
      freq: 'WEEKLY',
      byday: 'FR',
      opens_at: '22:00',
      closes_at: '02:00',
      valid_from: '2026-06-01',
      valid_to: '2026-08-31',
    },
    { id: '3', freq: 'MONTHLY', byday: '1SA', opens_at: '10:00', closes_at: '12:00' },
  ],
  contacts: [
    {
      id: '1',
      name: 'Desk',
      title: 'Reception',
      email: 'reception@example.org',
      phones: [{ id: '9', number: '305-555-0300' }],
    },
    { id: '2', department: 'Intake' },
  ],
  service_areas: [{ id: '1', name: 'Harbor County' }],
  languages: [
    { id: '2', name: 'Spanish' },
    { id: '3', code: 'pl' },
  ],
  required_documents: [
    { id: '1', document: 'Photo ID' },
    { id: '2', document: 'Proof of address' },
  ],
  cost_options: [
    { id: '1', option: 'Children', amount: 0 },
    { id: '2', option: 'Adults', amount: 50, currency: 'USD' },
  ],
  service_at_locations: [
    {
      id: '1',
      location: {
        id: '1',
        location_type: 'physical',
        name: 'Civic Center',
        latitude: 25.77,
        longitude: -80.19,
        transportation: 'Bus 1',
        accessibility: [{ id: '1', description: 'Ramp', details: 'At the back' }],
        addresses: [
          {
            id: '1',
            address_1: '1 Main St',
            address_2: 'Floor 2',
            city: 'Miami',
            state_province: 'FL',
            postal_code: '33101',
            country: 'US',
            address_type: 'physical',
          },
        ],
        phones: [{ id: '4', number: '305-555-0100' }],
      },
      schedules: [{ id: '4', description: 'By appointment, Mon 9-5' }],
    },
    { id: '2', location: { id: '2', location_type: 'virtual', name: 'Video calls' } },
    {
      id: '3',
      phones: [{ id: '5', number: '305-555-0200', extension: 3 }],
      location: {
        id: '3',
        location_type: 'physical',
        addresses: [
          {
            id: '2',
            address_1: '2 Main St',
            city: 'Hialeah',
            state_province: 'FL',
            postal_code: '33102',
            country: 'US',
            address_type: 'physical',
          },
        ],
      },
    },
  ],
};

async function expectNoChange(path: string): Promise<void> {
  const first = recordsIn(await readItems(path));
  expect(first.length).toBeGreaterThan(0);
  const { csv, json } = await readAgain(first);
  expect(stored(csv)).toEqual(stored(first));
  expect(stored(json)).toEqual(stored(first));
}

const hours = (...rows: string[]): Files => ({
  ...version1,
  'regular_schedules.csv': ['id,service_id,weekday,opens_at,closes_at,original_text', ...rows, ''].join('\n'),
});

/** The records that are not as before, as they were and as they are. */
function changesIn(before: readonly HsdsRecord[], after: readonly HsdsRecord[]) {
  const now = stored(after);
  return [...stored(before)]
    .filter(([id, record]) => !isDeepStrictEqual(record, now.get(id)))
    .map(([id, record]) => [record, now.get(id)]);
}

describe('import, export and import again changes nothing', () => {
  it.each<[string, () => Promise<string>]>([
    ['HSDS 1.1', () => folderOf(version1)],
    ['HSDS 3, in a zip file', () => zipOf(version3)],
    ['the example directory', () => Promise.resolve(example)],
    [
      'HSDS 3.1 in JSON',
      async () => {
        const path = join(folderOfThisTest(), 'services.json');
        await writeFile(
          path,
          JSON.stringify([
            full,
            { ...full, id: 'x-2', status: 'defunct' },
            { ...full, id: 'x-3', status: 'inactive' },
          ]),
        );
        return path;
      },
    ],
    [
      'hours whose rows and words disagree',
      () => folderOf(hours('1,s1,Friday,9:00,17:00,9-5 Mon-Thur; 8-2 Fri')),
    ],
    [
      'words that are not understood',
      () => folderOf(hours('1,s1,Monday,9:00,17:00,Mon 9-5 or by appointment')),
    ],
    ['words without rows', () => folderOf(hours('1,s1,,,,Mon-Fri 9-5'))],
    ['hours by sections', () => folderOf(hours('1,s1,,,,Office: Tue 9-5\nPantry: Mon 13-15'))],
  ])('%s', async (_, source) => {
    await expectNoChange(await source());
  });

  it('whatever the records are, once they have been read', async () => {
    const records = (fields: UnsealedFields, index: number) => ({
      kind: 'record' as const,
      source_id: `s ${index}`,
      status: index % 2 === 0 ? ('active' as const) : ('inactive' as const),
      file: 'services.csv',
      line: index + 2,
      fields,
    });
    // Many in one package: reading costs most by the package.
    for (const arbitrary of [anyRecord, anyWrittenRecord]) {
      const all = fc.sample(arbitrary, 100);
      const { csv: first } = await readAgain(all.map(records));
      const named = all.flatMap(({ name }, index) => (cleanLine(name) === '' ? [] : [`s ${index}`]));
      expect(first.map(({ source_id }) => source_id)).toEqual(named);
      const { csv, json } = await readAgain(first);
      expect(changesIn(first, csv)).toEqual([]);
      expect(changesIn(first, json)).toEqual([]);
    }
  });
});
