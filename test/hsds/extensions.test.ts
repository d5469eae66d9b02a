import { expect, it } from 'vitest';
import { openDatapackage } from '../../src/hsds/package.ts';
import { collect, folderOf, recordsIn } from './support.ts';

async function phoneOf(number: string, description = '', extension = '') {
  const datapackage = await openDatapackage(
    await folderOf({
      'services.csv': 'id,name,organization_id\ns1,Soup,o1\n',
      'organizations.csv': 'id,name\no1,Harbor Aid\n',
      'phones.csv': `id,service_id,number,extension,description\np1,s1,"${number}",${extension},"${description}"\n`,
    }),
  );
  try {
    const [record] = recordsIn(await collect(datapackage.records()));
    return record?.fields.phones?.[0];
  } finally {
    datapackage.close();
  }
}

it.each([
  ['(202) 842-0858 ext. 106', 'Main', '(202) 842-0858', '106', 'Main'],
  ['202-842-0858 x 7', '', '202-842-0858', '7', undefined],
  ['202-842-0858, extension 7', '', '202-842-0858', '7', undefined],
  ['202-842-0858 (ext 7)', '', '202-842-0858', '7', undefined],
  ['(202) 518-9400', 'Intake Number, ext 244', '(202) 518-9400', '244', 'Intake Number'],
  ['(202) 479-2845', 'Ext. 103 - Rental Assistance', '(202) 479-2845', '103', 'Rental Assistance'],
  ['(301) 699-7709', 'Social work services (X230)', '(301) 699-7709', '230', 'Social work services'],
])(
  'the extension of %s "%s" stands apart, so that it can be dialled',
  async (cell, about, number, extension, note) => {
    expect(await phoneOf(cell, about)).toEqual({
      number,
      extension,
      ...(note === undefined ? {} : { note }),
    });
  },
);

it.each([
  ['202-842-0858', 'Adoption line (671-LOVE)'],
  ['202-842-0858', 'ext. 5 for English, ext. 6 for Spanish'],
  ['202-842-0858', 'next 24 hours'],
  ['1-800-FLOWERS', 'Flowers'],
  ['202-842-0858 or 202-842-0859', 'Both'],
])('%s "%s" has none', async (number, note) => {
  expect(await phoneOf(number, note)).toEqual({ number, note });
});

it('an extension of its own stays, whatever the description says', async () => {
  expect(await phoneOf('202-842-0858', 'ext. 5', '9')).toMatchObject({ extension: '9', note: 'ext. 5' });
});
