import { describe, expect, it } from 'vitest';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatapackage } from '../../../src/hsds/package.ts';
import type { SheetTarget } from '../../../src/hsds/sheet/targets.ts';
import { collect, complaintsIn, recordsIn } from '../support.ts';
import { folderOfThisTest } from '../../support/folder-of-test.ts';

/** Reads a CSV file with these lines. */
async function read(lines: readonly (string | Buffer)[], columns?: Record<string, SheetTarget | null>) {
  const path = join(folderOfThisTest(), 'list.csv');
  await writeFile(
    path,
    Buffer.concat(lines.map((line) => Buffer.concat([Buffer.from(line), Buffer.from('\n')]))),
  );
  const datapackage = await openDatapackage(path, { sheet: { columns } });
  try {
    const items = await collect(datapackage.records());
    return {
      records: recordsIn(items),
      complaints: complaintsIn(items),
      summary: datapackage.summary(),
      sheet: datapackage.sheet,
    };
  } finally {
    datapackage.close();
  }
}

const fieldsOf = async (...lines: readonly string[]) => (await read(lines)).records[0]?.fields;

describe('a CSV file with any columns', () => {
  it('becomes records, with the lines of the file', async () => {
    const { records, complaints } = await read([
      'Resources of our county',
      '',
      'Agency,Name,Phone,Address,Hours,Spanish,Category,Notes',
      'Camillus House,Day Shelter,305-555-0100 (intake) or 305-555-0101,"1603 NW 7th Ave, Miami, FL 33136",Mon-Fri 9am-5pm,x,Housing,Ring',
      'FOOD',
      'Camillus House,Kitchen,(305) 555-0100 x3,1603 NW 7th Ave Miami FL 33136,Lun-Vie 9am a 5pm,,,',
    ]);
    expect(records).toEqual([
      expect.objectContaining({
        line: 4,
        fields: {
          name: 'Day Shelter',
          organization: { name: 'Camillus House' },
          category: 'housing',
          description: 'Ring',
          phones: [{ number: '305-555-0100', note: 'intake' }, { number: '305-555-0101' }],
          locations: [{ street: '1603 NW 7th Ave', city: 'Miami', region: 'FL', postal_code: '33136' }],
          hours: 'Mon-Fri 9am-5pm',
          opening_hours: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], opens: '09:00', closes: '17:00' }],
          languages: ['Spanish'],
        },
      }),
      expect.objectContaining({
        line: 6,
        fields: expect.objectContaining({
          name: 'Kitchen',
          category: 'food',
          phones: [{ number: '(305) 555-0100', extension: '3' }],
          locations: [{ street: '1603 NW 7th Ave', city: 'Miami', region: 'FL', postal_code: '33136' }],
        }) as unknown,
      }),
    ]);
    expect(complaints).toEqual([
      'warning list.csv:5 holds "FOOD" alone; taken as the heading of the rows below it',
    ]);
  });

  it('has hours by day, several columns for one thing, and ages', async () => {
    expect(
      await fieldsOf(
        'Name,Monday,Tuesday,Sunday,Eligibility,Population served,Minimum age,Cost,Insurance,Hotline',
        'Clinic,9am-5pm,1pm-3pm,closed,Residents,Veterans,18,Sliding scale,Medicaid,800-555-0100',
      ),
    ).toMatchObject({
      hours: 'Monday: 9am-5pm\nTuesday: 1pm-3pm\nSunday: closed',
      opening_hours: [
        { days: ['mon'], opens: '09:00', closes: '17:00' },
        { days: ['tue'], opens: '13:00', closes: '15:00' },
      ],
      eligibility: 'Residents\nPopulation served: Veterans (Ages 18 and over)',
      ages: { minimum: 18 },
      cost: 'Sliding scale\nInsurance: Medicaid',
      phones: [{ number: '800-555-0100', note: 'Hotline' }],
    });
  });

  it('keeps the ids of records when rows and columns move', async () => {
    const ids = async (...lines: string[]) => (await read(lines)).records.map(({ source_id }) => source_id);
    const before = await ids(
      'Name,Organization,Address,Phone',
      'Pantry,Caritas,12 Oak St,305-555-0100',
      'Shelter,Caritas,14 Oak St,305-555-0101',
    );
    const after = await ids(
      'Phone,Address,Name,Organization',
      '305-555-0199,14 Oak St,Shelter,CARITAS',
      '305-555-0199,12  Oak St,Pantry,Caritas',
    );
    expect(after).toEqual([...before].reverse());
    expect(await ids('ID,Name', 'A 7,Pantry', ',Shelter')).toEqual(['A 7', expect.stringMatching(/^row-/)]);
  });

  it('names rows that are doubled', async () => {
    const { records, complaints } = await read([
      'Name,Address,Phone',
      'Pantry,12 Oak St,305-555-0100',
      'Pantry,12 Oak St,305-555-0100',
      'Pantry,12 Oak St,305-555-0101',
      ',12 Oak St,305-555-0101',
    ]);
    expect(new Set(records.map(({ source_id }) => source_id)).size).toBe(2);
    expect(complaints).toEqual(
      [
        'problem list.csv:3 is the same as row 2; it is left out',
        'problem list.csv:5 has no name; it is left out',
        'warning list.csv:4 has the name, organization and address of row 2; taken as another service. Numbers of their own would tell them apart for ever',
      ].sort((one, other) => Number(/:(\d+)/.exec(one)?.[1]) - Number(/:(\d+)/.exec(other)?.[1])),
    );
  });

  it('says which columns it leaves out, and in how many rows', async () => {
    const { summary } = await read(
      ['Name,Phone,Shoe size', 'Pantry,305-555-0100,12', 'Shelter,305-555-0101,'],
      {},
    );
    expect(summary.not_carried).toEqual([
      { file: 'list.csv', column: 'Shoe size', rows: 1, why: 'no place was chosen for it' },
    ]);
  });

  it('is read as a person has chosen', async () => {
    const { records } = await read(['Name,Phone,Shoe size', 'Pantry,305-555-0100,12'], {
      'Shoe size': 'how_to_apply',
      Phone: null,
    });
    expect(records[0]?.fields).toEqual({ name: 'Pantry', category: 'food', how_to_apply: '12' });
  });

  it('may be separated by semicolons, and be in an old encoding', async () => {
    const { records, complaints } = await read([
      Buffer.from('Nombre;Teléfono;Dirección', 'latin1'),
      Buffer.from('Despensa de la Peña;305-555-0100;12 Calle Ocho, Miami', 'latin1'),
    ]);
    expect(records[0]?.fields.name).toBe('Despensa de la Peña');
    expect(complaints).toEqual([
      'warning list.csv:1 is not UTF-8; read as Windows-1252. Where letters look wrong, save it as "CSV UTF-8"',
      'warning list.csv:1 is separated by semicolons, not by commas; read as such',
    ]);
  });

  it('that is cut within a row loses that row, and says so', async () => {
    const { records, complaints } = await read([
      'Name,Phone,Notes',
      'Pantry,305-555-0100,Ring',
      'Shelter,305-555-0101,"never',
    ]);
    expect(records.map(({ fields }) => fields.name)).toEqual(['Pantry']);
    expect(complaints).toEqual([
      'warning list.csv:3 opens a quotation mark that is never closed; the rest of the file is left out',
    ]);
  });

  it('reads dates that a spreadsheet wrote as numbers, and codes without their zeros', async () => {
    expect(
      await fieldsOf('Name,State,Zip,Last verified', 'Pantry,MA,2139,45293', 'Shelter,MA,2139,1/2/2024'),
    ).toMatchObject({ last_verified: '2024-01-02', locations: [{ region: 'MA', postal_code: '02139' }] });
  });

  it.each([
    [
      '12 Oak St\nSuite 4\nMiami, FL 33101',
      { street: '12 Oak St, Suite 4', city: 'Miami', region: 'FL', postal_code: '33101' },
    ],
    [
      '12 Oak St, New York, New York 10001-1234, USA',
      { street: '12 Oak St', city: 'New York', region: 'New York', postal_code: '10001-1234' },
    ],
    ['P.O. Box 12345', { street: 'P.O. Box 12345' }],
    ['12 Oak St', { street: '12 Oak St' }],
    ['Online', { virtual: true }],
  ])('takes the address %j apart', async (address, location) => {
    expect((await fieldsOf('Name,Address', `Pantry,"${address}"`))?.locations).toEqual([location]);
  });
});
