import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { categories } from '../../src/events/directory/category.ts';
import { openDatapackage } from '../../src/hsds/package.ts';
import { collect, complaintsIn, recordsIn } from './support.ts';

const example = fileURLToPath(new URL('../../examples/directory', import.meta.url));

it('the example directory reads without a problem or a warning and covers every category', async () => {
  const datapackage = await openDatapackage(example);
  const items = await collect(datapackage.records());
  datapackage.close();
  expect(datapackage).toMatchObject({ version: '3', name: 'harborview', services: items.length });
  expect(complaintsIn(items)).toEqual([]);
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
