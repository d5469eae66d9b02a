import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { categories } from '../../src/events/directory/category.ts';
import { openDatapackage } from '../../src/hsds/package.ts';
import { collect, complaintsIn, recordsIn } from './support.ts';

const example = fileURLToPath(new URL('../../examples/directory', import.meta.url));

it('the example directory reads without a problem, with one warning of hours that no week has, and covers every category', async () => {
  const datapackage = await openDatapackage(example);
  const items = await collect(datapackage.records());
  datapackage.close();
  expect(datapackage).toMatchObject({ version: '3', name: 'harborview', services: recordsIn(items).length });
  expect(complaintsIn(items)).toEqual([
    'warning schedules.csv:14 service svc-11: the hours "1SA 10:00:00–12:00:00" are not structured: days of the month are no rule of a week',
  ]);
  const found = new Set(recordsIn(items).map(({ fields }) => fields.category));
  expect(found).toEqual(new Set(categories));
});

it('every example has a description, a phone, hours, languages and a place', async () => {
  const datapackage = await openDatapackage(example);
  const records = recordsIn(await collect(datapackage.records()));
  datapackage.close();
  expect(records.length).toBeGreaterThanOrEqual(60);
  for (const { fields } of records) {
    for (const text of [fields.locations?.[0]?.street, fields.locations?.[0]?.city])
      expect(text).toMatch(/\S/);
    expect(Object.keys(fields)).toEqual(
      expect.arrayContaining([
        'name',
        'category',
        'description',
        'organization',
        'locations',
        'phones',
        'hours',
        'languages',
      ]),
    );
  }
  expect(records.filter(({ status }) => status === 'inactive')).toEqual([]);
  expect(
    records.flatMap(({ fields }) => (fields.availability === 'temporarily_closed' ? [fields.name] : [])),
  ).toEqual(['Rowing for Everyone']);
  expect(records.map(({ fields }) => fields.name)).toEqual(
    expect.arrayContaining(['Inmigración y Ciudadanía', 'Tư vấn tâm lý gia đình', 'عيادة الأمل للصحة']),
  );
});

it('the examples show what pages and search have to deal with', async () => {
  const datapackage = await openDatapackage(example);
  const records = recordsIn(await collect(datapackage.records())).map(({ fields }) => fields);
  datapackage.close();
  const count = (has: (fields: (typeof records)[number]) => unknown) => records.filter(has).length;
  expect(count(({ opening_hours, time_zone }) => opening_hours && time_zone)).toBeGreaterThan(60);
  expect(count(({ locations }) => locations?.some(({ latitude }) => latitude !== undefined))).toBeGreaterThan(
    60,
  );
  expect(count(({ alternate_name, name }) => /[áéíóúñ]/i.test(`${name} ${alternate_name}`))).toBeGreaterThan(
    10,
  );
  for (const has of [
    ({ locations }) => locations?.some(({ confidential, virtual }) => confidential && !virtual),
    ({ locations }) => (locations?.length ?? 0) > 1,
    ({ opening_hours }) =>
      opening_hours?.some(({ days, opens, closes }) => days.length === 7 && opens + closes === '00:0024:00'),
    ({ phones }) => phones?.some(({ type }) => type === 'text'),
    ({ languages }) => languages?.includes('Haitian Creole'),
    ({ languages }) => languages?.includes('American Sign Language'),
    ({ alert, availability }) => alert && availability === undefined,
    ({ free }) => free === false,
    ({ documents }) => (documents?.length ?? 0) > 1,
  ] satisfies ((fields: (typeof records)[number]) => unknown)[])
    expect(count(has), has.toString()).toBeGreaterThan(0);
  const numbers = records.flatMap(({ phones = [], locations = [] }) =>
    [...phones, ...locations.flatMap((location) => location.phones ?? [])].map(({ number }) => number),
  );
  // The numbers that are reserved for fiction.
  for (const number of numbers) expect(number).toMatch(/^555-01\d\d$/);
});
