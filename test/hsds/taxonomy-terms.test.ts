import { expect, it } from 'vitest';
import { openDatapackage } from '../../src/hsds/package.ts';
import { collect, complaintsIn, folderOf, records, readItems, recordsIn, type Files } from './support.ts';

const services = { 'services.csv': 'id,name\n144,Nameless\n' };
const namesIn = async (files: Files) => (await records({ ...services, ...files }))[0]?.fields.taxonomy_terms;

const rows = '1,144,BD-1800.2000\n2,144,YB-8000\n3,144,BD-1800.2000\n4,144,XX-1\n';

it.each<[string, Files]>([
  [
    '1.1',
    {
      'services_taxonomy.csv': `id,service_id,taxonomy_id\n${rows}`,
      'taxonomy.csv': 'id,name,parent_id\nYB-8000,Older adults,\nBD-1800.2000,  Food   Pantries,\n',
    },
  ],
  [
    '2.0',
    {
      'service_taxonomy.csv': `id,service_id,taxonomy_term_id\n${rows}`,
      'taxonomy_term.csv': 'id,term\nYB-8000,Older adults\nBD-1800.2000,Food Pantries\n',
    },
  ],
  [
    '3.0',
    {
      'attributes.csv': `id,link_id,taxonomy_term_id,link_entity\n${rows.replaceAll(/\n/g, ',service\n')}`,
      'taxonomy_terms.csv': 'id,code,name\nYB-8000,,Older adults\nBD-1800.2000,,Food Pantries\n',
    },
  ],
])('the names of the terms of a service are kept from HSDS %s, each once, in order', async (_, files) => {
  expect(await namesIn(files)).toEqual(['Food Pantries', 'Older adults']);
});

it('the names of the terms of a service are kept from JSON', async () => {
  const service = {
    id: '144',
    name: 'Nameless',
    attributes: [
      { id: '1', taxonomy_term: { id: 't1', name: 'Older adults' } },
      { id: '2', taxonomy_term: { id: 't2', code: 'BD-5000', name: 'Meals' } },
    ],
  };
  const folder = await folderOf({ 'services.json': JSON.stringify([service]) });
  const [record] = recordsIn(await readItems(folder));
  expect(record?.fields).toMatchObject({ category: 'food', taxonomy_terms: ['Meals', 'Older adults'] });
});

it('a term that has no name and tells no category is reported, and no other', async () => {
  const files = {
    ...services,
    'services_taxonomy.csv': `id,service_id,taxonomy_id\n${rows}`,
    'taxonomy.csv': 'id,name\nYB-8000,Older adults\n',
  };
  const datapackage = await openDatapackage(await folderOf(files));
  await collect(datapackage.records());
  const { not_carried } = datapackage.summary();
  datapackage.close();
  expect(not_carried).toEqual([
    {
      file: 'services_taxonomy.csv',
      table: 'services_taxonomy',
      rows: 1,
      why: 'the term has no name and says nothing about a category',
    },
  ]);
});

it('a service with more terms than a record takes has the first hundred, with a warning', async () => {
  const many = Array.from({ length: 120 }, (_, n) => String(n).padStart(3, '0'));
  const items = await readItems(
    await folderOf({
      ...services,
      'services_taxonomy.csv': `id,service_id,taxonomy_id\n${many.map((n) => `${n},144,t${n}\n`).join('')}`,
      'taxonomy.csv': `id,name\n${many.map((n) => `t${n},Term ${n}\n`).join('')}`,
    }),
  );
  const [record] = recordsIn(items);
  expect(record?.fields.taxonomy_terms).toEqual(many.slice(0, 100).map((n) => `Term ${n}`));
  expect(complaintsIn(items)).toEqual([
    'warning services.csv:2 service 144: taxonomy_terms: 20 more than 100 left out',
  ]);
});
