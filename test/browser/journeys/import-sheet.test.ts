import { describe, expect, test } from 'vitest';
import { workbookOf, type TestSheet } from '../../hsds/workbook/workbook-of.ts';
import { hasChromium } from '../chromium.ts';
import { screensAndOtherWay, startService, visit } from './journey.ts';

/** A list of a city: a title, an organization and its programs, and columns of its own. */
const city: readonly TestSheet[] = [
  {
    name: 'Resources',
    rows: [
      ['Community resources of Harborview, updated in May'],
      ['Agency', 'Program', 'Phone', 'Address', 'Hours', 'Website', 'Remarks', 'Visited by'],
      [
        'Harbor Aid',
        'Harbor food pantry',
        '305-555-0100 (intake) or 305-555-0101',
        '12 Oak St, Miami, FL 33101',
        'Mon-Fri 9am-5pm',
        'www.example.org',
        'Ring twice',
        'AB',
      ],
      [
        'Harbor Aid',
        'Night shelter',
        '(305) 555-0102 x7',
        '14 Oak St, Miami, FL 33101',
        '24/7',
        'www.example.org',
        '',
        'CD',
      ],
    ],
  },
];

/** A list of a church in Spanish: merged cells, hours of each day, an address in parts. */
const parish: readonly TestSheet[] = [
  {
    name: 'Servicios',
    rows: [
      [
        'Organización',
        'Nombre del servicio',
        'Teléfono',
        'Dirección',
        'Ciudad',
        'Código postal',
        'Lunes',
        'Martes',
        'Requisitos',
        'Idiomas',
      ],
      [
        'Cáritas',
        'Despensa de la parroquia',
        3055550103,
        '20 Calle Ocho',
        'Miami',
        { number: 33135, format: '00000' },
        '9am-1pm',
        '',
        'Identificación',
        'Español, Inglés',
      ],
      [
        '',
        'Ropero de la parroquia',
        3055550104,
        '20 Calle Ocho',
        'Miami',
        { number: 33135, format: '00000' },
        '',
        '1pm-3pm',
        '',
        'Español',
      ],
    ],
    merged: ['A2:A3'],
  },
];

/** A list of a network: headings between the rows, columns to tick, a sheet to read first, and a hidden one. */
const network: readonly TestSheet[] = [
  { name: 'Read me', rows: [['How to use this list'], ['Call before you go.']] },
  {
    name: 'Sites',
    rows: [
      ['Site', 'Street', 'Town', 'ST', 'Zip', 'Tel', 'Spanish', 'Haitian Creole'],
      ['FOOD'],
      ['Community fridge of the north', '30 Pine St', 'Miami', 'FL', 33101, '305-555-0105', 'x', ''],
      ['LEGAL'],
      ['Tenants desk of the north', '32 Pine St', 'Miami', 'FL', 33101, '305-555-0106', 'x', 'x'],
    ],
  },
  {
    name: 'Old',
    hidden: true,
    rows: [
      ['Site', 'Tel'],
      ['Gone', '305-555-0107'],
    ],
  },
];

const lists = [
  { name: 'city.xlsx', sheets: city, service: 'Harbor food pantry' },
  { name: 'parroquia.xlsx', sheets: parish, service: 'Despensa de la parroquia' },
  { name: 'network.xlsx', sheets: network, service: 'Community fridge of the north' },
];

/** Pressing, without the checks of how the pages look. */
const withinMs = 120_000;

describe.skipIf(!hasChromium)('in a real browser, an admin', () => {
  const service = startService();

  const visits = screensAndOtherWay.flatMap(([called, screen]) =>
    lists.map((list) => [list.name, called, list, screen] as const),
  );
  test.each(visits)(
    'brings %s, which nobody here has seen, from the file to the public, on %s screen',
    async (name, _, { sheets, service: offered }, screen) => {
      const { dash } = service;
      const scripts = !('scripts' in screen);
      const team = `sheets-${name.replace('.xlsx', '')}-${screen.width}${scripts ? '' : '-plain'}`;
      await dash.team(team);
      const account = await dash.account();
      await dash.member(team, account, 'admin');
      const admin = await visit(service, screen);
      const { page } = admin;
      const waitsFor = async (heading: string): Promise<void> => {
        if (!scripts)
          while (!(await page.getByRole('heading', { name: heading }).isVisible()))
            await page.goto(page.url());
        await admin.heading(heading);
      };
      await admin.signIn(account);
      const file = await workbookOf(sheets, { name });
      const began = performance.now();
      await admin.open(`/dash/resources/import?team=${team}`);
      await page.getByLabel('File', { exact: true }).setInputFiles(file);
      await page.getByLabel('Make new records public at once').check();
      await admin.press('Compare');
      await waitsFor('What are the columns?');
      await admin.sees(offered);
      const looking = performance.now();
      await admin.looksRight(`import-columns-${name.replace('.xlsx', '')}`);
      const looked = performance.now() - looking;
      if (sheets === city) {
        await page.getByLabel('What it says: Remarks').selectOption('how_to_apply');
        await admin.press('Show the services');
        await admin.sees('Ring twice');
      }
      await admin.press('Compare');
      await waitsFor('What would change');
      await admin.sees('2 records will change.');
      await admin.press('Import');
      await waitsFor('Imported');
      await admin.open(`/find?q=${encodeURIComponent(offered)}`);
      await admin.sees(offered);
      expect(performance.now() - began - looked).toBeLessThan(withinMs);
    },
  );
});
