import { truncate, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatapackage } from '../../../src/hsds/package.ts';
import { collect, complaintsIn, readItems, recordsIn, rejected, zipOf } from '../support.ts';
import { workbookOf, type TestCell } from './workbook-of.ts';
import { folderOfThisTest } from '../../support/folder-of-test.ts';

const header = ['Name', 'Phone', 'Address', 'City', 'Zip', 'Last verified'];
const row = (name: string, ...others: TestCell[]): TestCell[] => [
  name,
  '305-555-0100',
  '12 Oak St',
  'Miami',
  ...others,
];

const recordsOf = async (path: string) => recordsIn(await readItems(path));

describe('a workbook', () => {
  it('is read as its cells show it: dates, zeros before codes, formulas by their saved value', async () => {
    const [record] = await recordsOf(
      await workbookOf([
        {
          name: 'List',
          rows: [
            header,
            [
              { xml: '<c t="str"><f>"Food"&amp;" Bank"</f><v>Food Bank</v></c>' },
              3055550100,
              { xml: '<c t="inlineStr"><is><r><t>12 </t></r><r><t>Oak St</t></r></is></c>' },
              'Boston',
              { number: 2139, format: '00000' },
              { number: 45293, format: 'm/d/yyyy' },
            ],
          ],
        },
      ]),
    );
    expect(record?.fields).toMatchObject({
      name: 'Food Bank',
      phones: [{ number: '3055550100' }],
      locations: [{ street: '12 Oak St', city: 'Boston', postal_code: '02139' }],
      last_verified: '2024-01-02',
    });
  });

  it('says the same in all rows over which a cell is merged', async () => {
    const records = await recordsOf(
      await workbookOf([
        {
          name: 'List',
          rows: [
            ['Agency', 'Program', 'Phone'],
            ['Camillus House', 'Shelter', '305-555-0100'],
            ['', 'Kitchen', '305-555-0101'],
            ['Lotus House', 'Women', '305-555-0102'],
          ],
          merged: ['A2:A3'],
        },
      ]),
    );
    expect(records.map(({ fields, line }) => [line, fields.name, fields.organization?.name])).toEqual([
      [2, 'Shelter', 'Camillus House'],
      [3, 'Kitchen', 'Camillus House'],
      [4, 'Women', 'Lotus House'],
    ]);
  });

  it('takes the address behind the text of a link', async () => {
    const [record] = await recordsOf(
      await workbookOf([
        {
          name: 'List',
          rows: [
            ['Name', 'Website', 'Email'],
            ['Food Bank', 'Click here', 'Write to us'],
          ],
          links: { B2: 'https://example.org/food', C2: 'mailto:food@example.org' },
        },
      ]),
    );
    expect(record?.fields).toMatchObject({ url: 'https://example.org/food', email: 'food@example.org' });
  });

  it('reads the visible sheet that says most, and names the others', async () => {
    const path = await workbookOf([
      { name: 'Read me', rows: [['This is our list.'], ['Call us with changes.']] },
      { name: 'List', rows: [header, row('Food Bank', '33101', '2024-01-02')] },
      { name: 'Old', hidden: true, rows: [header, row('Gone', '33101', '2014-01-02')] },
    ]);
    const items = await readItems(path);
    expect(recordsIn(items).map(({ fields }) => fields.name)).toEqual(['Food Bank']);
    expect(complaintsIn(items)).toEqual([
      'warning list.xlsx: List:1 the sheet "Read me" is not read; it can be chosen instead',
      'warning list.xlsx: List:1 the hidden sheet "Old" is not read; it can be chosen instead',
    ]);
    const chosen = await openDatapackage(path, { sheet: { sheet: 'old' } });
    expect(recordsIn(await collect(chosen.records())).map(({ fields }) => fields.name)).toEqual(['Gone']);
    chosen.close();
    await expect(openDatapackage(path, { sheet: { sheet: 'New' } })).rejects.toThrow(
      'list.xlsx has no sheet "New". It has: Read me, List, Old.',
    );
  });

  it('asks for a sheet where all are hidden', async () => {
    const path = await workbookOf([{ name: 'Old', hidden: true, rows: [header] }]);
    expect((await rejected(path)).message).toBe(
      'All sheets of list.xlsx are hidden: Old. Choose one by its name.',
    );
  });

  it('names macros, formulas that were never computed, and errors', async () => {
    const path = await workbookOf(
      [
        {
          name: 'List',
          rows: [
            header,
            [
              'Food Bank',
              { xml: '<c><f>A1</f></c>' },
              { xml: '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>' },
              'Miami',
              '33101',
            ],
          ],
        },
      ],
      { name: 'list.xlsm', parts: { 'xl/vbaProject.bin': 'Sub Auto_Open()' } },
    );
    expect(complaintsIn(await readItems(path))).toEqual([
      'warning list.xlsm: List:1 holds macros; they are not run',
      'warning list.xlsm: List:2 holds a formula without a saved value; save the file in a spreadsheet program first',
      'warning list.xlsm: List:2 holds a formula with the error #DIV/0!; such cells count as empty',
    ]);
  });
});

describe('a workbook that cannot be read', () => {
  const sheet = (xml: string) => ({ parts: { 'xl/worksheets/sheet1.xml': xml } });
  const any = [{ name: 'List', rows: [header] }];

  it.each([
    ['cut off', '<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c>', /is damaged, or was cut off/],
    ['no XML', 'Name,Phone', /is damaged, or was cut off/],
    [
      'with a document type',
      '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><worksheet>&b;</worksheet>',
      /holds a document type/,
    ],
    ['with an entity that is none', '<worksheet>&b;</worksheet>', /is damaged, or was cut off/],
    ['nested without end', `<worksheet>${'<a>'.repeat(100)}`, /is damaged/],
    ['without a row', '<worksheet><sheetData/></worksheet>', /holds no rows/],
  ])('is refused in one sentence: %s', async (_, xml, sentence) => {
    expect((await rejected(await workbookOf(any, sheet(xml)))).message).toMatch(sentence);
  });

  it('is refused when the file itself was cut off', async () => {
    const path = await workbookOf(any);
    await truncate(path, Math.floor((await stat(path)).size / 2));
    expect((await rejected(path)).message).toMatch(/^list\.xlsx is not a usable zip file/);
  });

  it('is refused when a text would fill the memory', async () => {
    const path = await workbookOf(any, {
      parts: { 'xl/sharedStrings.xml': `<sst><si><t>${'a'.repeat(20_000_000)}</t></si></sst>` },
    });
    expect((await rejected(path)).message).toMatch(/holds a text that is too long/);
  });

  it('is refused when it would unpack to more than the limit', async () => {
    const path = await workbookOf(any, { parts: { 'xl/media/image1.png': ' '.repeat(3_000_000) } });
    await expect(openDatapackage(path, { limits: { bytes: 1_000_000 } })).rejects.toThrow(
      'would unpack to more than 1,000,000 bytes',
    );
  });

  it.each([
    ['list.xls', 'list.xls is a spreadsheet of another kind. Save it as .xlsx or .csv and try again.'],
    ['list.ods', 'list.ods is a spreadsheet of another kind. Save it as .xlsx or .csv and try again.'],
  ])('is refused as another kind: %s', async (name, sentence) => {
    const path = join(folderOfThisTest(), name);
    await writeFile(path, 'anything');
    expect((await rejected(path)).message).toBe(sentence);
  });

  it('is refused as OpenDocument, whatever it is called', async () => {
    const path = await zipOf({
      mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
      'content.xml': '',
    });
    expect((await rejected(path)).message).toContain('is an OpenDocument spreadsheet (.ods)');
  });
});
