import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { workbookOf, type TestSheet } from '../../../hsds/workbook/workbook-of.ts';
import { until } from '../../../support/until.ts';
import { startDashboard, type Account, type Dashboard } from '../../accounts/harness.ts';
import type { PlainBrowser } from '../../accounts/plain-browser.ts';

const page = '/dash/resources/import';

let dash: Dashboard;
let admin: Account;
let browser: PlainBrowser;
beforeAll(async () => {
  dash = await startDashboard();
  admin = await dash.account();
  await dash.member('harbour', admin, 'admin');
  browser = await dash.signedIn(admin);
});
afterAll(() => dash.stop());

const send = async (content: string | Uint8Array<ArrayBuffer>, name: string, fields = {}) => {
  await browser.open(`${page}?team=harbour`);
  return browser.pressWithFile('Compare', { field: 'file', name, content }, fields);
};

const sendSheets = async (sheets: readonly TestSheet[], name = 'list.xlsx', fields = {}) =>
  send(new Uint8Array(readFileSync(await workbookOf(sheets))), name, fields);

const untilHeading = (heading: string): Promise<boolean> =>
  until(async () => {
    await browser.open(browser.url.pathname + browser.url.search.replace(/&done=[a-z]+/, ''));
    return browser.heading === heading;
  });

const asks = 'What are the columns?';

const cityList: TestSheet = {
  name: 'Resources',
  rows: [
    ['Community resources of Harborview'],
    ['Agency', 'Program', 'Phone', 'Address', 'Remarks', 'Visited by'],
    ['Caritas', 'Food pantry', '305-555-0100', '12 Oak St, Miami, FL 33101', 'Ring twice', 'Ana'],
    ['Caritas', 'Shelter', '305-555-0101', '14 Oak St, Miami, FL 33101', '', 'Leo'],
  ],
};

describe('a spreadsheet that is sent in the browser', () => {
  test('shows what its columns say and its first services, and is imported as a person has put it right', async () => {
    await sendSheets([cityList], 'list.xlsx', { source: 'City list' });
    expect(await untilHeading(asks)).toBe(true);
    expect(browser.text).toContain('The first services, as they will be');
    expect(browser.text).toContain('Food pantry');
    expect(browser.text).toContain('12 Oak St, Miami, FL 33101');
    expect(browser.text).not.toContain('Ana How');

    await browser.press('Show the services', { c4: 'how_to_apply' });
    expect(browser.heading).toBe(asks);
    expect(browser.text).toMatch(/How to apply\s+Ring twice/);

    await browser.press('Compare');
    expect(await untilHeading('What would change')).toBe(true);
    expect(browser.text).toContain('2 records will change.');
    await browser.press('Import');
    expect(await untilHeading('Imported')).toBe(true);
  });

  test('is read the next month as it was put right, and nothing is new', async () => {
    await sendSheets([cityList], 'list of May.xlsx', { source: 'City list' });
    expect(await untilHeading(asks)).toBe(true);
    expect(browser.text).toContain('as you chose them for this source the last time');
    await browser.press('Compare');
    expect(await untilHeading('What would change')).toBe(true);
    expect(browser.text).toContain('Nothing would change');
  });

  test('keeps no cell of the file in what is remembered of it', async () => {
    await sendSheets(
      [
        {
          name: 'A',
          rows: [
            ['Name', 'Contact name', 'Phone'],
            ['Pantry', 'Zoraida Quintero', '305-555-0100'],
          ],
        },
      ],
      'people.xlsx',
    );
    expect(await untilHeading(asks)).toBe(true);
    expect(browser.text).toContain('Zoraida Quintero');
    const stored = readdirSync(dash.folder)
      .filter((name) => name.startsWith('side.db'))
      .map((name) => readFileSync(join(dash.folder, name), 'latin1'))
      .join('');
    expect(stored).not.toContain('Zoraida');
  });

  test('may be read from another sheet, hidden ones are named', async () => {
    await sendSheets([
      cityList,
      {
        name: 'Old',
        hidden: true,
        rows: [
          ['Name', 'Phone'],
          ['Gone pantry', '305-555-0199'],
        ],
      },
    ]);
    expect(await untilHeading(asks)).toBe(true);
    expect(browser.text).toContain('the hidden sheet "Old" is not read');
    await browser.press('Show the services', { sheet: 'Old' });
    expect(await untilHeading(asks)).toBe(true);
    expect(browser.text).toContain('Gone pantry');
  });

  test('needs a name, and says so', async () => {
    await send('Name,Phone\nPantry,305-555-0100\n', 'list.csv');
    expect(await untilHeading(asks)).toBe(true);
    await browser.press('Compare', { c0: '' });
    expect(browser.status).toBe(422);
    expect(browser.text).toContain('Say which column is the name of the service, or the organization.');
  });

  test.each([
    [
      'a locked workbook',
      new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
      'an old or a locked Excel file',
    ],
    [
      'a picture',
      new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]),
      'This is no spreadsheet',
    ],
  ])('is refused at once where it is %s', async (_, content, sentence) => {
    await send(content, 'list.xlsx');
    expect(browser.status).toBe(415);
    expect(browser.text).toContain(sentence);
  });

  test('fails with one sentence where it is cut off, or has no rows', async () => {
    const whole = new Uint8Array(readFileSync(await workbookOf([cityList])));
    await send(whole.slice(0, 600), 'cut.xlsx');
    expect(await untilHeading('The file cannot be imported')).toBe(true);
    expect(browser.text).toContain('cut.xlsx is not a usable zip file');
    await send('\n\n', 'empty.csv');
    expect(await untilHeading('The file cannot be imported')).toBe(true);
  });

  test('begins with a template, which is read without a question left', async () => {
    await browser.open(`${page}?team=harbour`);
    await browser.open(`${page}/template?team=harbour`);
    const template = browser.html;
    await send(template, 'directory-template.csv');
    expect(await untilHeading(asks)).toBe(true);
    expect(browser.text).toContain('Example Community Center');
    const columns = template.split('\n')[0]?.split(',').length ?? 0;
    expect(columns).toBeGreaterThan(15);
    expect(browser.html.match(/<option value="[a-z_0-9]+"\s+selected/g)).toHaveLength(columns);
  });
});
