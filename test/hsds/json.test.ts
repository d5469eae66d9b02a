import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openFiles } from '../../src/hsds/source/open-files.ts';
import type { RelatedRows } from '../../src/hsds/source/related-rows.ts';
import { stageFiles } from '../../src/hsds/source/stage-files.ts';
import {
  complaintsIn,
  folderOf,
  readItems,
  records,
  recordsIn,
  rejected,
  version3,
  zipOf,
} from './support.ts';
import { folderOfThisTest } from '../support/folder-of-test.ts';

/** The service of `version3`, as the API of HSDS 3 gives it. */
const kitchen = {
  id: 's1',
  name: 'SOUP KITCHEN',
  description: 'Warm soup.',
  status: 'active',
  eligibility_description: 'Everyone',
  minimum_age: 18,
  phones: [
    { id: '0', number: '555-0109', type: 'fax' },
    { id: '1', number: '"+1 555 0101"', extension: 7, type: 'voice' },
  ],
  schedules: [
    { id: '1', freq: 'WEEKLY', interval: 1, byday: 'MO,TU,WE', opens_at: '07:30:00', closes_at: '18:00:00' },
    { id: '2', freq: 'WEEKLY', byday: 'SA', opens_at: '09:00', closes_at: '12:00' },
  ],
  languages: [
    { id: '1', name: 'Spanish', code: 'es' },
    { id: '2', name: null, code: 'en' },
  ],
  service_at_locations: [
    {
      id: '1',
      location: {
        id: 'l1',
        addresses: [
          {
            id: '0',
            address_1: 'PO Box 9',
            city: 'Elsewhere',
            state_province: 'XX',
            postal_code: '00009',
            address_type: 'postal',
          },
          {
            id: '1',
            address_1: '1 Quay',
            address_2: 'Floor 2',
            city: 'Harborview',
            state_province: 'HV',
            postal_code: '00001',
            address_type: 'physical',
          },
        ],
      },
    },
  ],
  attributes: [{ id: '1', link_type: 'taxonomy_term', taxonomy_term: { id: 't1', name: 'Free Meals' } }],
};
const organization = {
  id: 'o1',
  name: 'Harbor Aid',
  website: 'https://harbor.example.org',
  email: 'office@harbor.example.org',
  legal_status: 'charity',
};
const service = { ...kitchen, organization };

const jsonFile = async (content: string): Promise<string> => {
  const path = join(folderOfThisTest(), 'services.json');
  await writeFile(path, content);
  return path;
};
const read = async (value: unknown) =>
  readItems(await jsonFile(typeof value === 'string' ? value : JSON.stringify(value, null, 2)));
const named = (id: string) => ({ id, name: `Service ${id}`, status: 'active' });
const ids = (items: Awaited<ReturnType<typeof read>>) => recordsIn(items).map(({ source_id }) => source_id);

describe('a JSON file of HSDS 3 gives the same record as the tables', () => {
  it.each([
    ['service_full', service],
    ['a list of them', [service]],
    ['a page of them', { total_items: 1, page_number: 1, contents: [service], empty: false }],
    ['organization_full', { ...organization, services: [kitchen] }],
    ['organization_full with its services first', { services: [kitchen], ...organization }],
    ['a list of organization_full', [{ ...organization, services: [kitchen] }]],
    ['a page of service_at_location_full', { contents: [{ ...kitchen.service_at_locations[0], service }] }],
  ])('%s', async (_, value) => {
    const [expected] = await records(version3);
    const items = await read(value);
    expect(recordsIn(items).map(({ fields }) => fields)).toEqual([expected?.fields]);
    expect(complaintsIn(items)).toEqual([]);
  });

  it('in JSON Lines, in a folder and in folders of a zip file', async () => {
    expect(ids(await read(`${JSON.stringify(named('a'))}\n${JSON.stringify(named('b'))}\n`))).toEqual([
      'a',
      'b',
    ]);
    const files = {
      'one/page.json': JSON.stringify([named('a')]),
      'two/page.json': JSON.stringify(named('b')),
    };
    expect(ids(await readItems(await zipOf(files)))).toEqual(['a', 'b']);
    const folder = await folderOf({
      'a.json': JSON.stringify(named('a')),
      'b.json': JSON.stringify({ contents: [named('b')] }),
      'datapackage.json': '{"name":"x"}',
    });
    expect(ids(await readItems(folder))).toEqual(['a', 'b']);
  });

  it('tables in one JSON object, as tabular.json has them', async () => {
    const items = await read({
      'organizations.csv': [organization],
      'services.csv': [{ ...named('a'), organization_id: 'o1' }],
      'phones.csv': [{ id: '1', service_id: 'a', number: '555-0101' }],
    });
    expect(recordsIn(items)[0]?.fields).toMatchObject({
      organization: { name: 'Harbor Aid' },
      phones: [{ number: '555-0101' }],
    });
  });
});

it('what several services share is there once', async () => {
  const path = await jsonFile(JSON.stringify([service, { ...service, id: 's2' }]));
  const staged = await stageFiles(await openFiles(path));
  const rows = (table: RelatedRows['files'][number]['table']) =>
    staged.files.find((file) => file.table === table)?.rows;
  expect([rows('services'), rows('organizations'), rows('addresses'), rows('phones')]).toEqual([2, 1, 2, 4]);
  staged.close();
  expect(complaintsIn(await readItems(path))).toEqual([]);
});

it('members that HSDS does not have are columns, and lists that it does not have are unknown', async () => {
  const path = await jsonFile(
    JSON.stringify({
      'services.csv': [{ ...named('a'), nickname: 'A', tags: ['x', 'y'], extra: { a: 1 } }],
      'staff.csv': [{ id: 1 }],
    }),
  );
  const staged = await stageFiles(await openFiles(path));
  expect(Object.fromEntries(staged.files[0]?.filled ?? [])).toMatchObject({ nickname: 1, tags: 1, extra: 1 });
  expect(staged.rowOf('services', 'a')?.cell('tags')).toBe('x, y');
  expect(staged.rowOf('services', 'a')?.cell('extra')).toBe('{"a":1}');
  expect(staged.unknownFiles).toEqual(['services.json: staff.csv']);
  staged.close();
});

describe('bad JSON is reported by file and line, and the rest goes in', () => {
  it('a file that is cut off', async () => {
    const whole = JSON.stringify([named('a'), named('b'), named('c')], null, 2);
    const items = await read(whole.slice(0, whole.indexOf('Service c')));
    expect(ids(items)).toEqual(['a', 'b']);
    expect(complaintsIn(items)).toEqual([
      'problem services.json:12 the file ends within what begins here, on line 14: it is cut off; what came before is read',
    ]);
  });

  it('an organization that is cut off within its services', async () => {
    const whole = JSON.stringify({ ...organization, services: [named('a'), named('b')] }, null, 2);
    const items = await read(whole.slice(0, whole.indexOf('Service b')));
    expect(ids(items)).toEqual(['a']);
    expect(complaintsIn(items)).toHaveLength(1);
  });

  it('an entry that is no JSON, no object, nested without end or too long', async () => {
    const deep = `${'{"organization":'.repeat(5_000)}{}${'}'.repeat(5_000)}`;
    const long = JSON.stringify({ ...named('long'), description: 'x'.repeat(17 * 1024 * 1024) });
    const items = await read(
      `[\n{"id":"a","name":"A"},\n{"id":"b",,"name":"B"},\n[1],\n${deep},\n${long},\n{"id":"c","name":"C"}]`,
    );
    expect(ids(items)).toEqual(['a', 'c']);
    expect(complaintsIn(items).map((each) => each.replace(/is not JSON: .*/, 'is not JSON'))).toEqual([
      'problem services.json:3 is not JSON',
      'problem services.json:4 is not an object',
      'problem services.json:5 the object that begins here is nested deeper than any of HSDS; it is left out',
      'problem services.json:6 the object that begins here is longer than 16,777,216 bytes; it is left out',
    ]);
  });

  it.each([
    ['a member that HSDS does not have', 'extra', '[', ']'],
    ['a member that HSDS has as a text', 'description', '{"a":', '}'],
    ['a member of something nested in it', 'phones', '[', ']'],
  ])(
    'a service with %s that is nested without end is named, and left out alone',
    async (_, member, open, close) => {
      const nested = (levels: number) => `${open.repeat(levels)}1${close.repeat(levels)}`;
      const endless = nested(100_000);
      const value = member === 'phones' ? `[{"id":"1","number":${endless}}]` : endless;
      const items = await read(
        `[\n{"id":"a","name":"A","extra":${nested(60)}},\n{"id":"b","name":"B","${member}":${value}},\n{"id":"c","name":"C"}]`,
      );
      expect(ids(items)).toEqual(['a', 'c']);
      expect(complaintsIn(items)).toEqual([
        'problem services.json:3 the object that begins here, with the id b, is nested deeper than any of HSDS; it is left out',
      ]);
    },
  );

  it('text that is no JSON, after what is', async () => {
    const items = await read('{"id":"a","name":"A"}\nhello');
    expect(ids(items)).toEqual(['a']);
    expect(complaintsIn(items)).toEqual([
      'problem services.json:2 is not JSON: it holds neither an object nor a list; the rest is left out',
    ]);
  });

  it('members with names that mean something to JavaScript', async () => {
    const items = await read(
      '[{"id":"a","name":"A","__proto__":{"id":"x"},"constructor":"c","toString":"t"},{"id":"__proto__","name":"constructor"}]',
    );
    expect(ids(items)).toEqual(['a', '__proto__']);
    expect(({} as Record<string, unknown>)['id']).toBeUndefined();
  });

  it('a file without services', async () => {
    const error = await rejected(await jsonFile('{"contents":[{"id":"t","term_uri":"http://x.example"}]}'));
    expect(error).toMatchObject({ code: 'no_services', message: 'services.json holds no services.' });
  });
});

it('characters and objects that fall across the pieces in which a file is read are whole', async () => {
  const name = 'é'.repeat(250);
  const many = Array.from({ length: 400 }, (_, at) => ({ id: `s${at}`, name: 'x'.repeat(at % 3) + name }));
  const path = await jsonFile(JSON.stringify({ contents: many }));
  expect((await readFile(path)).length).toBeGreaterThan(3 * 65_536);
  const found = recordsIn(await readItems(path));
  expect(found).toHaveLength(400);
  expect(found.every(({ fields }) => fields.name.endsWith(name))).toBe(true);
});
