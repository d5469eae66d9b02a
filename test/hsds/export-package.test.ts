import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { UnsealedFields } from '../../src/events/directory/resource-fields.ts';
import { svcIdOf, uuidOf } from '../../src/events/ids.ts';
import { IdSet } from '../../src/hsds/export/id-set.ts';
import { serviceOf } from '../../src/hsds/export/service.ts';
import { references } from '../../src/hsds/export/tables.ts';
import { writePackage } from '../../src/hsds/export/write-package.ts';
import { anyRecord } from './any-record.ts';
import { packageProblems, tablesIn, type Tables } from './package-problems.ts';
import { folderOfThisTest } from '../support/folder-of-test.ts';

async function packageOf(records: readonly UnsealedFields[]): Promise<Tables> {
  const folder = folderOfThisTest();
  async function* services() {
    for (const [index, fields] of records.entries()) {
      yield await Promise.resolve(
        serviceOf({
          svc_id: svcIdOf(index + 1),
          fields,
          listed: index % 2 === 0,
          inside: { status: 'approved', team: 'harbour', source_id: String(index) },
        }),
      );
    }
  }
  await writePackage(folder, 'harbour', services());
  return tablesIn(folder);
}

test('the tables are those of the published datapackage, whatever the records', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyRecord, { minLength: 1, maxLength: 8 }), async (records) => {
      const tables = await packageOf(records);
      expect(tables.get('services.csv')).toHaveLength(records.length);
      expect([...packageProblems(tables), ...brokenReferences(tables)]).toEqual([]);
    }),
    { numRuns: 30 },
  );
});

function brokenReferences(tables: Tables): (readonly unknown[])[] {
  const wrong: (readonly unknown[])[] = [];
  const ids = new Map([...tables].map(([path, rows]) => [path, new Set(rows.map(({ id }) => id))]));
  for (const [path, rows] of tables) {
    for (const row of rows) {
      for (const [column, table] of Object.entries(references)) {
        const cell = row[column];
        if (cell && !ids.get(`${table}.csv`)?.has(cell)) wrong.push([path, column, cell]);
      }
    }
  }
  return wrong;
}

test('records with the same organization share its row', async () => {
  const organization = { name: 'Harbor Aid', url: 'https://harbor.example.org' };
  const tables = await packageOf([
    { name: 'Soup', category: 'food', organization },
    { name: 'Law', category: 'legal', organization },
    { name: 'Beds', category: 'housing', organization: { name: 'Harbor Aid' } },
  ]);
  expect(tables.get('organizations.csv')).toHaveLength(2);
  const [soup, law] = tables.get('services.csv') ?? [];
  expect(soup?.['organization_id']).toBe(law?.['organization_id']);
});

test('ids are told apart, however many there are', () => {
  const ids = new IdSet();
  const many = Array.from({ length: 5_000 }, (_, index) => uuidOf('organization', String(index)));
  expect(many.every((id) => ids.add(id))).toBe(true);
  expect(many.some((id) => ids.add(id))).toBe(false);
});

test('cells hold what the record says, to the letter', async () => {
  const description = '  =1+1, "quoted"\nand a second line\t ';
  const tables = await packageOf([{ name: '@name', category: 'food', description }]);
  expect(tables.get('services.csv')?.[0]).toMatchObject({ name: '@name', description });
});
