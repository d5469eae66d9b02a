import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { entityId } from '../../../src/hsds/export/ids.ts';
import { ofTeam } from '../../../src/api/pages/paths.ts';
import { v1 } from '../../api/harness.ts';
import { workbookOf } from '../../hsds/workbook/workbook-of.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { hasChromium } from '../chromium.ts';
import { startService, visit, type Screen } from './journey.ts';

const screens: readonly (readonly [string, Screen])[] = [
  ['a wide screen', { width: 1280 }],
  ['a phone without JavaScript', { width: 360, scripts: false }],
];

const ofCounty = '305-555-0101';
const ofCity = '305-555-0102';
const ofCityLater = '305-555-0103';

describe.skipIf(!hasChromium)('in a real browser, a record that two sources bring', () => {
  const service = startService();
  const folder = temporaryFolder();
  afterAll(() => folder.remove());

  /** The package of the county: what it says of the pantry is longer. */
  async function county(): Promise<string> {
    const zip = new ZipFile();
    const table = (name: string, ...lines: readonly string[]) =>
      zip.addBuffer(Buffer.from([...lines, ''].join('\n')), `${name}.csv`);
    table('organizations', 'id,name,description', 'o1,Harbor Aid,Help in Harborview.');
    table(
      'services',
      'id,organization_id,name,description,url,status',
      'p,o1,Harbor Food Pantry,Bags of food for everybody who lives between the harbor and the hill.,https://harbor.example/pantry,active',
      's,o1,Night Shelter,A bed for a night.,https://harbor.example/shelter,active',
    );
    table('service_at_locations', 'id,service_id,location_id', 'ap,p,lp', 'as,s,ls');
    table('locations', 'id,organization_id,name', 'lp,o1,Hall', 'ls,o1,House');
    table(
      'addresses',
      'id,location_id,address_1,city,state_province,postal_code,country',
      'dp,lp,12 Oak Street,Miami,FL,33101,US',
      'ds,ls,40 Hill Road,Miami,FL,33101,US',
    );
    table('phones', 'id,service_id,number', `np,p,${ofCounty}`, 'ns,s,305-555-0140');
    zip.end();
    const path = join(folder.path, `${crypto.randomUUID()}.zip`);
    await pipeline(zip.outputStream, createWriteStream(path));
    return path;
  }

  /** The list of the city, which has a phone of its own. */
  const city = (phone: string): Promise<string> =>
    workbookOf(
      [
        {
          name: 'Resources',
          rows: [
            ['Agency', 'Program', 'Phone', 'Address', 'Description'],
            [
              'Harbor Aid',
              'Harbor food pantry',
              `${ofCounty} or ${phone}`,
              '12 Oak St, Miami, FL 33101',
              'Food on Mondays.',
            ],
          ],
        },
      ],
      { name: 'city.xlsx' },
    );

  test.each(screens)(
    'is merged into one, stays one when its source comes again, and is two again when that is undone, on %s',
    { timeout: 120_000 },
    async (called, screen) => {
      const { dash } = service;
      const team = `merging-${String(screen.width)}`;
      await dash.team(team);
      const account = await dash.account({ profile: { name: 'Ada Keeper' } });
      await dash.member(team, account, 'admin');
      const { bearer } = await dash.key();
      const read = (url: string) => dash.server.inject({ url, headers: bearer });
      const phonesOf = async (svcId: string): Promise<string[]> => {
        const { phones } = (await read(`${v1}/${svcId}`)).json<{ phones: { number: string }[] }>();
        return phones.map(({ number }) => number);
      };
      const admin = await visit(service, screen);
      const { page } = admin;
      const isSmall = screen.scripts === false;

      /** Sends a file by the page, looks at what would change, and imports it if anything would. */
      const imports = async (source: string, file: string, report: RegExp): Promise<void> => {
        const waitsFor = async (heading: string): Promise<void> => {
          if (isSmall)
            while (!(await page.getByRole('heading', { name: heading }).isVisible()))
              await page.goto(page.url());
          await admin.heading(heading);
        };
        await admin.open(ofTeam('/dash/resources/import', team));
        await admin.fill(/^Source/, source);
        await page.getByLabel('File', { exact: true }).setInputFiles(file);
        await page.getByLabel('Make new records public at once').check();
        await admin.press('Compare');
        if (file.endsWith('.xlsx')) {
          await waitsFor('What are the columns?');
          await admin.press('Compare');
        }
        await waitsFor('What would change');
        await admin.sees(report);
        const begin = page.getByRole('button', { name: 'Import', exact: true });
        if ((await begin.count()) === 0) return;
        await begin.click();
        await waitsFor('Imported');
      };
      const opensDuplicates = async (total: string): Promise<void> => {
        await admin.open(ofTeam('/dash/resources', team));
        await admin.follow('Duplicates');
        await admin.heading('Duplicates');
        await admin.sees(total);
      };
      /** What a reader, a program of HSDS and one of v1 get of the record that goes. */
      const answersOf = async (svcId: string) => {
        const answers = await Promise.all(
          [`/r/${svcId}`, `/hsds/services/${entityId(svcId, 'service')}`, `${v1}/${svcId}`].map(read),
        );
        return answers.map(({ statusCode, headers, payload }) =>
          statusCode === 410
            ? [statusCode, (JSON.parse(payload) as { merged_into?: string }).merged_into]
            : [statusCode, headers.location],
        );
      };

      await admin.signIn(account);
      await imports('County', await county(), /2 records will change/);
      await imports('City', await city(ofCity), /1 record will change/);

      await opensDuplicates('1 group, 2 records.');
      await admin.looksRight(`merging-list`);
      await admin.follow(/^Compare and merge/);
      await admin.heading('Merge two records');
      const { pathname, searchParams } = new URL(page.url());
      const goes = pathname.split('/').at(-2) ?? '';
      const stays = searchParams.get('into') ?? '';
      const isLed = [
        [308, `/r/${stays}`],
        [308, `/hsds/services/${entityId(stays, 'service')}`],
        [410, stays],
      ];
      expect(await phonesOf(goes)).toEqual([ofCounty, ofCity]);
      const choice = (field: string, which: number) =>
        page.getByRole('group', { name: field }).getByRole('radio').nth(which);
      await choice('Description', 0).check();
      await choice('Phone numbers', 1).check();
      await admin.looksRight(`merging-compared`);
      await admin.press('Show the result');
      await page.locator('[aria-labelledby=result]', { hasText: ofCity }).waitFor();
      expect(await choice('Phone numbers', 1).isChecked()).toBe(true);
      await choice('Description', 1).check();
      await admin.looksRight(`merging-result`);
      await page.getByRole('button', { name: /^Merge as chosen/ }).click();
      await admin.sees('They are merged. You can undo it below.');
      await admin.sees('No records look like duplicates.');
      await admin.looksRight(`merging-done`);
      expect(await answersOf(goes)).toEqual(isLed);
      expect(await phonesOf(stays)).toEqual([ofCounty, ofCity]);
      await admin.open(`/r/${goes}`);
      await admin.heading('Harbor Food Pantry');
      expect(new URL(page.url()).pathname).toBe(`/r/${stays}`);
      // Chosen last, without looking at the result once more.
      await admin.sees('Food on Mondays.');

      // The same again: nothing to do, and no double.
      await imports('City', await city(ofCity), /Nothing/);
      await opensDuplicates('No records look like duplicates.');
      await imports('City', await city(ofCityLater), /1 record will change/);
      await opensDuplicates('No records look like duplicates.');
      expect(await answersOf(goes)).toEqual(isLed);
      expect(await phonesOf(stays)).toEqual([ofCounty, ofCityLater]);
      await admin.open(ofTeam('/dash/resources', team, { status: 'approved' }));
      await admin.sees('2 records');

      // Undone on the page of the record that went.
      await admin.open(ofTeam(`/dash/resources/${goes}`, team));
      await admin.sees('This record was a duplicate');
      await admin.looksRight(`merging-gone`);
      await admin.confirm('Undo the merge');
      await admin.sees('The merge is undone.');
      await admin.looksRight(`merging-undone`);
      expect((await answersOf(goes)).map(([status]) => status)).toEqual([200, 200, 200]);
      expect(await phonesOf(goes)).toEqual([ofCounty, ofCityLater]);
      expect(await phonesOf(stays)).toEqual([ofCounty, ofCityLater]);

      await opensDuplicates('1 group, 2 records.');
      await admin.follow(/^Compare and merge/);
      await page.getByRole('button', { name: /^Merge as chosen/ }).click();
      await admin.sees('They are merged.');
      expect(await answersOf(goes)).toEqual(isLed);
      expect(await phonesOf(stays), called).toEqual([ofCounty, ofCityLater]);
      await admin.leave();
    },
  );
});
