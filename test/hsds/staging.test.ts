import { describe, expect, it } from 'vitest';
import { nearestRows, type RelatedRows, type Row } from '../../src/hsds/source/related-rows.ts';
import { openDatapackage } from '../../src/hsds/package.ts';
import { openFiles } from '../../src/hsds/source/open-files.ts';
import { stageFiles } from '../../src/hsds/source/stage-files.ts';
import { collect, complaintsIn, folderOf, readItems, recordsIn, type Files } from './support.ts';

const services = 'id,name\ns1,Soup\ns2,Law\n';

async function staged<Result>(files: Files, use: (related: RelatedRows) => Result): Promise<Result> {
  const rows = await stageFiles(await openFiles(await folderOf({ 'services.csv': services, ...files })));
  try {
    return use(rows);
  } finally {
    rows.close();
  }
}

const numbers = (rows: readonly Row[]): string[] => rows.map((row) => row.cell('number'));

describe('the rows of a source', () => {
  const phones =
    'id,service_id,location_id,organization_id,number\n1,s1,l1,,1\n2,,l1,o1,2\n3,,,o1,3\n4,s1,,,4\n5,s2,l1,,5\n';

  it('are found by any column that holds an id, in the order of the file', async () => {
    await staged({ 'phones.csv': phones }, (related) => {
      expect(numbers(related.rowsOf('phones', 'service_id', 's1'))).toEqual(['1', '4']);
      expect(numbers(related.rowsOf('phones', 'location_id', 'l1'))).toEqual(['1', '2', '5']);
      expect(related.rowOf('phones', '3')).toMatchObject({ file: 'phones.csv', line: 4 });
      expect(related.rowsOf('phones', 'contact_id', 'c1')).toEqual([]);
      expect(related.rowsOf('languages', 'service_id', 's1')).toEqual([]);
      expect(related.rowsOf('phones', 'service_id', '')).toEqual([]);
      expect(numbers([...related.each('phones')])).toEqual(['1', '2', '3', '4', '5']);
    });
  });

  it('belong to the most specific thing that they name', async () => {
    await staged({ 'phones.csv': phones }, (related) => {
      expect(numbers(related.belongingTo('phones', 'location_id', 'l1'))).toEqual(['2']);
      expect(numbers(related.belongingTo('phones', 'organization_id', 'o1'))).toEqual(['3']);
      const place = { service: 's3', organization: 'o1', location: 'l1', serviceAtLocation: '' };
      expect(numbers(nearestRows(related, 'phones', place))).toEqual(['2']);
      expect(numbers(nearestRows(related, 'phones', { ...place, location: 'l2' }))).toEqual(['3']);
      expect(numbers(nearestRows(related, 'phones', place, (row) => row.cell('number') !== '2'))).toEqual([
        '3',
      ]);
    });
  });

  it('of several files of one table are all there', async () => {
    const files = {
      'schedules.csv': 'id,service_id,byday\n1,s1,MO\n',
      'regular_schedules.csv': 'id,service_id,weekday\n2,s1,Tuesday\n',
    };
    await staged(files, (related) => {
      const rows = related.rowsOf('schedules', 'service_id', 's1');
      expect(rows.map((row) => [row.file, row.cell('byday') || row.cell('weekday')])).toEqual([
        ['regular_schedules.csv', 'Tuesday'],
        ['schedules.csv', 'MO'],
      ]);
    });
  });
});

describe('an accounting of the source', () => {
  it('counts the rows that have a value, by file and column', async () => {
    await staged({ 'contacts.csv': 'id,service_id,name,email\n1,s1,Ann,\n2,s1,Ben, \n3,,,\n' }, (related) => {
      const contacts = related.files.find(({ table }) => table === 'contacts');
      expect(contacts).toMatchObject({ name: 'contacts.csv', rows: 3 });
      expect(Object.fromEntries(contacts?.filled ?? [])).toEqual({ id: 3, service_id: 2, name: 2 });
    });
  });

  it('names the files that hold no table', async () => {
    await staged({ 'README.txt': 'hello', 'staff.csv': 'id\n1\n', 'datapackage.json': '{}' }, (related) =>
      expect([...related.unknownFiles].sort()).toEqual(['README.txt', 'staff.csv']),
    );
  });

  it('counts the links that lead nowhere, and names the first', async () => {
    const files = {
      'locations.csv': 'id,name\nl1,Hall\n',
      'phones.csv':
        'id,service_id,location_id,organization_id,number\n1,s1,l1,,1\n2,s8,l1,o1,2\n3,s9,l9,o1,3\n',
    };
    await staged(files, (related) =>
      expect(related.links()).toEqual([
        { file: 'phones.csv', column: 'service_id', rows: 3, dangling: 2, firstLine: 3, firstId: 's8' },
        { file: 'phones.csv', column: 'location_id', rows: 2 + 1, dangling: 1, firstLine: 4, firstId: 'l9' },
      ]),
    );
  });
});

it('one service with a great many rows does not stop the others, and is reported', async () => {
  const rows = Array.from({ length: 2_500 }, (_, at) => `${at},s1,555-${at}`);
  const items = await readItems(
    await folderOf({
      'services.csv': services,
      'phones.csv': `id,service_id,number\n${rows.join('\n')}\nx,s2,555-0102\n`,
    }),
  );
  const [first, second] = recordsIn(items);
  expect(first?.fields.phones).toHaveLength(100);
  expect(second?.fields.phones).toEqual([{ number: '555-0102' }]);
  expect(complaintsIn(items)).toContain(
    'warning phones.csv:2002 service_id s1 has 2,500 rows; only the first 2,000 are read',
  );
});

it('rows beyond the most of one id are not said to belong to nothing', async () => {
  const phones = Array.from({ length: 2_500 }, (_, at) => `${at},s1,555-${at}`);
  const datapackage = await openDatapackage(
    await folderOf({
      'services.csv': services,
      'phones.csv': `id,service_id,number\n${phones.join('\n')}\nx,,555-0102\ny,s2,555-0103\n`,
    }),
  );
  try {
    await collect(datapackage.records());
    expect(datapackage.summary().not_carried).toEqual([
      {
        file: 'phones.csv',
        table: 'phones',
        rows: 1,
        why: 'they belong to no service, or to an organization or a location whose services have their own',
      },
      {
        file: 'phones.csv',
        table: 'phones',
        rows: 500,
        why: 'there are too many of one id; see the warnings',
      },
    ]);
  } finally {
    datapackage.close();
  }
});

it('a cell of a million characters does not stop the others, and is reported', async () => {
  const items = await readItems(
    await folderOf({
      'services.csv': services,
      'phones.csv': `id,service_id,number,description\n1,s1,555-0101,\n2,s2,555-0102,"${'x'.repeat(1_000_000)}"\n3,s2,555-0103,\n`,
    }),
  );
  expect(recordsIn(items).map(({ fields }) => fields.phones?.length)).toEqual([1, 2]);
  expect(complaintsIn(items)).toEqual([
    'warning phones.csv:3 the description is longer than 100,000 characters; it was cut',
    'warning services.csv:3 service s2: the phones.0.note is longer than 300 characters; it was cut',
  ]);
});
