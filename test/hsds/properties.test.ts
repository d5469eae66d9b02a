import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { unsealedFields } from '../../src/events/directory/resource-fields.ts';
import { DatapackageError } from '../../src/hsds/errors.ts';
import type { HsdsItem } from '../../src/hsds/item.ts';
import { unsealedOrganizationFields } from '../../src/events/directory/organization-fields.ts';
import { folderOf, readItems, records, version1, version3, zipOf, type Files } from './support.ts';
import { folderOfThisTest } from '../support/folder-of-test.ts';

/** A table with more rows of the kind it has, so that there is something to choose between. */
const crowded: readonly Files[] = [version1, version3].map((files) => ({
  ...files,
  ...('phones.csv' in files && 'regular_schedules.csv' in files
    ? {
        'phones.csv': `${String(files['phones.csv'])}3,s1,l1,,555-0103,,\n3,s1,l1,,555-0104,,\n`,
        'services_at_location.csv': 'id,service_id,location_id\n1,s1,l1\n2,s1,l2\n,s1,l3\n',
        'services_taxonomy.csv':
          'id,service_id,taxonomy_id\n1,s1,BD-5000\n2,s1,LV-1600\n3,s1,ND-2000\n4,s1,RF-3300\n',
      }
    : {}),
}));

it('the order of rows in the other tables changes no record', async () => {
  for (const files of crowded) {
    const expected = await records(files);
    const tables = Object.keys(files).filter((name) => name.endsWith('.csv') && name !== 'services.csv');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { minLength: 12, maxLength: 12 }), async (seeds) => {
        const shuffled = { ...files };
        for (const name of tables) shuffled[name] = reordered(String(files[name]), seeds);
        expect(await records(shuffled)).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  }
});

/** Whatever happens, it is a list of items with valid fields, or a DatapackageError. */
async function expectOrderly(path: string): Promise<void> {
  const outcome = await readItems(path).catch((error: unknown) => error);
  if (!Array.isArray(outcome)) {
    expect(outcome).toBeInstanceOf(DatapackageError);
    return;
  }
  for (const item of outcome as HsdsItem[]) {
    if (item.kind === 'record')
      expect(unsealedFields.safeParse(item.fields)).toMatchObject({ data: item.fields });
    else if (item.kind === 'organization')
      expect(unsealedOrganizationFields.safeParse(item.fields)).toMatchObject({ data: item.fields });
    else if (item.kind !== 'unchanged') expect(item.reason).not.toBe('');
  }
}

it('arbitrary bytes in a table or in place of a zip file are refused in good order', async () => {
  const folder = await folderOf(version3);
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 400 }),
      fc.constantFrom(...Object.keys(version3)),
      async (bytes, file) => {
        await writeFile(join(folder, file), bytes);
        await expectOrderly(folder);
        const zip = join(folder, 'bytes.zip');
        await writeFile(zip, bytes);
        await expectOrderly(zip);
        await writeFile(join(folder, file), String(version3[file]));
      },
    ),
    { numRuns: 60 },
  );
});

it('arbitrary text in any cell gives valid fields, a problem or a refusal', async () => {
  const folder = folderOfThisTest();
  const cell = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({
      unit: fc.constantFrom('"', ',', '\n', '\r', '\\', 'n', '#', '@', '.', ':', '/', ' ', '7', 'a', '\0'),
      maxLength: 30,
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(cell, { minLength: 12, maxLength: 12 }), fc.boolean(), async (cells, quote) => {
      const row = (...values: string[]) =>
        values.map((value) => (quote ? `"${value.replaceAll('"', '""')}"` : value)).join(',');
      const [a = '', b = '', c = '', d = '', e = '', f = '', g = '', h = '', i = '', j = '', k = '', l = ''] =
        cells;
      const files: Files = {
        'services.csv': `id,name,description,url,email,minimum_age\n${row(a, b, c, d, e, f)}\ns1,Last,,,,\n`,
        'schedules.csv': `service_id,byday,opens_at,closes_at,freq,interval,description\n${row('s1', g, h, i, j, k, l)}\n`,
        'languages.csv': `service_id,name,code\n${row('s1', a, b)}\n${row('s1', '', c)}\n`,
        'phones.csv': `service_id,number,extension,type\n${row('s1', d, e, f)}\n`,
      };
      for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
      await expectOrderly(folder);
    }),
    { numRuns: 150 },
  );
});

it('a damaged byte anywhere in a zip file is noticed or harmless', async () => {
  const path = await zipOf(version3);
  const whole = await readFile(path);
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: whole.length - 1 }),
      fc.integer({ min: 1, max: 255 }),
      async (at, change) => {
        const damaged = Buffer.from(whole);
        damaged[at] = (damaged[at] ?? 0) ^ change;
        await writeFile(path, damaged);
        await expectOrderly(path);
      },
    ),
    { numRuns: 150 },
  );
});

function reordered(table: string, seeds: readonly number[]): string {
  const [header = '', ...rows] = table.trimEnd().split('\n');
  const keyed = rows.map((row, at) => ({ row, key: seeds[at % seeds.length] ?? 0 }));
  return `${[header, ...keyed.sort((left, right) => left.key - right.key).map(({ row }) => row)].join('\n')}\n`;
}
