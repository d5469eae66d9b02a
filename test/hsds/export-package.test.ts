import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { UnsealedFields } from '../../src/events/directory/resource-fields.ts';
import { svcIdOf, uuidOf } from '../../src/events/ids.ts';
import { IdSet } from '../../src/hsds/export/id-set.ts';
import { serviceOf } from '../../src/hsds/export/service.ts';
import { references } from '../../src/hsds/export/tables.ts';
import { writePackage } from '../../src/hsds/export/write-package.ts';
import { anyRecord } from './any-record.ts';
import { publishedTables, type PublishedField } from './published-schemas.ts';
import { emptyFolder } from './support.ts';

type Row = Readonly<Record<string, string>>;

async function packageOf(records: readonly UnsealedFields[]): Promise<ReadonlyMap<string, readonly Row[]>> {
  const folder = await emptyFolder();
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
  const tables = (await readdir(folder)).filter((file) => file.endsWith('.csv'));
  return new Map(
    await Promise.all(
      tables.map(async (table) => {
        const rows: Row[] = parse(await readFile(join(folder, table)), { columns: true });
        return [table, rows] as const;
      }),
    ),
  );
}

/** Frictionless types and formats, as far as the published datapackage names them. */
function isOf({ type, format, enum: values }: PublishedField, cell: string): boolean {
  if (values && !values.includes(cell)) return false;
  if (type === 'number') return cell.trim() !== '' && Number.isFinite(Number(cell));
  if (type === 'date') return /^\d{4}-\d\d-\d\d$/.test(cell);
  if (type === 'datetime') return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(cell);
  if (type === 'time') return /^([01]\d|2[0-4]):[0-5]\d$/.test(cell);
  if (format === 'uuid') return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(cell);
  if (format === 'uri') return /^https?:\/\/[^\s]+$/.test(cell) && URL.canParse(cell);
  if (format === 'email') return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(cell);
  return true;
}

/** HSDS requires them, and a record may not know them. */
const unknown = new Set([
  'services.csv organization_id',
  ...['address_1', 'city', 'state_province', 'postal_code', 'country'].map((name) => `addresses.csv ${name}`),
  'organizations.csv description',
]);

test('the tables are those of the published datapackage, whatever the records', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyRecord, { minLength: 1, maxLength: 8 }), async (records) => {
      const tables = await packageOf(records);
      expect(tables.get('services.csv')).toHaveLength(records.length);
      const wrong = brokenReferences(tables);
      for (const [path, rows] of tables) {
        const published = publishedTables.get(path);
        expect(published, path).toBeDefined();
        const fields = new Map(published?.schema.fields.map((field) => [field.name, field]));
        for (const row of rows) {
          for (const [column, cell] of Object.entries(row)) {
            const field = fields.get(column);
            const unknownHere = !field?.constraints?.required || unknown.has(`${path} ${column}`);
            const good = field && (cell === '' ? unknownHere : isOf(field, cell));
            if (!good) wrong.push([path, column, cell]);
          }
        }
        const required = [...fields.values()].filter(({ constraints }) => constraints?.required);
        for (const { name } of required) expect(Object.keys(rows[0] ?? { [name]: '' })).toContain(name);
        expect(new Set(rows.map(({ id }) => id)).size, path).toBe(rows.length);
      }
      expect(wrong).toEqual([]);
    }),
    { numRuns: 30 },
  );
});

function brokenReferences(tables: ReadonlyMap<string, readonly Row[]>): (readonly unknown[])[] {
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
