import { describe, expect, it } from 'vitest';
import { openDatapackage } from '../../src/hsds/package.ts';
import { collect, complaintsIn, folderOf, recordsIn, rejected, zipOf, type Files } from './support.ts';

async function read(path: string) {
  const datapackage = await openDatapackage(path);
  const items = await collect(datapackage.records());
  const summary = datapackage.summary();
  datapackage.close();
  return { records: recordsIn(items), complaints: complaintsIn(items), summary };
}
const readFiles = async (files: Files) => read(await folderOf(files));

describe('a table without a column that its rows need', () => {
  it('costs its rows, which are named and counted, and not the package', async () => {
    const { records, complaints, summary } = await readFiles({
      'services.csv': 'id,name\ns1,Counselling\n',
      'phones.csv': 'id,service_id,number\np1,s1,555-0100\n',
      // As the example of the profile of the United Kingdom has it.
      'languages.csv': 'id,service_id,phone_id\n1,s1,p1\n2,s1,\n',
      'schedules.csv': 'id,opens_at\n1,09:00\n',
      'required_documents.csv': '',
    });
    expect(records[0]?.fields).toMatchObject({ name: 'Counselling', phones: [{ number: '555-0100' }] });
    expect(complaints).toEqual([
      'problem schedules.csv:1 has no column "service_id" or "location_id" or "service_at_location_id"; its header is: id, opens_at; its only row is left out',
      'problem languages.csv:1 has no column "language" or "name" or "code"; its header is: id, service_id, phone_id; its 2 rows are left out',
    ]);
    expect(summary.not_carried).toEqual([
      expect.objectContaining({ file: 'schedules.csv', table: 'schedules', rows: 1 }),
      {
        file: 'languages.csv',
        table: 'languages',
        rows: 2,
        why: 'has no column "language" or "name" or "code"; its header is: id, service_id, phone_id',
      },
    ]);
  });

  it('is said of a table of organizations too, and services stay without theirs', async () => {
    const { records, complaints } = await readFiles({
      'services.csv': 'id,name,organization_id\ns1,Soup,o1\n',
      'organizations.csv': 'number,name\no1,Harbor Aid\n',
    });
    expect(records[0]?.fields).not.toHaveProperty('organization');
    expect(complaints).toEqual([
      'problem organizations.csv:1 has no column "id"; its header is: number, name; its only row is left out',
    ]);
  });

  it('tells what it is of a package in the form of Ohana, whose services go in', async () => {
    const { records, complaints, summary } = await readFiles({
      'organizations.csv':
        'id,accreditations,alternate_name,description,name,website\n1,,,Aid.,Harbor Aid,\n',
      'locations.csv':
        'id,organization_id,accessibility,description,languages,latitude,longitude,name,virtual\n1,1,ramp,,Spanish,25.5,-80.5,Hall,false\n',
      'addresses.csv':
        'id,location_id,address_1,city,state_province,postal_code,country\n1,1,1 Quay,Harborview,HV,00001,US\n',
      'mail_addresses.csv': 'id,location_id,attention,address_1\n1,1,A,Box 1\n',
      'phones.csv': 'id,location_id,number,number_type\n1,1,650 555-0100,voice\n',
      'services.csv': 'id,location_id,program_id,name,audience,keywords,taxonomy_ids\n1,1,,Soup,All,,101\n',
      'regular_schedules.csv':
        'id,location_id,service_id,weekday,opens_at,closes_at\n1,1,,Monday,08:00,17:00\n',
      'taxonomy.csv': 'taxonomy_id,name,parent_id,parent_name\n101,Emergency,,\n102,Food,,\n',
    });
    expect(records).toHaveLength(1);
    expect(records[0]?.fields).toMatchObject({
      name: 'Soup',
      organization: { name: 'Harbor Aid' },
      locations: [{ street: '1 Quay', city: 'Harborview', phones: [{ number: '650 555-0100' }] }],
      opening_hours: [{ days: ['mon'], opens: '08:00', closes: '17:00' }],
    });
    expect(complaints).toEqual([
      'problem taxonomy.csv:1 has no column "id"; its header is: taxonomy_id, name, parent_id, parent_name; its 2 rows are left out',
    ]);
    expect(summary.not_carried).toContainEqual({
      file: 'mail_addresses.csv',
      rows: 0,
      why: 'HSDS has no such table',
    });
  });
});

describe('a folder', () => {
  const tables: Files = {
    'data/services.csv': 'id,name\ns1,Soup\n',
    'data/phones.csv': 'id,service_id,number\n1,s1,555-0100\n',
    'datapackage.json': '{}',
    'README.md': 'Read me',
  };

  it('whose tables lie in a folder of it is read as the zip file of it is', async () => {
    const [folder, zip] = [await read(await folderOf(tables)), await read(await zipOf(tables))];
    expect(folder).toEqual(zip);
    expect(folder.records[0]?.fields).toMatchObject({ name: 'Soup', phones: [{ number: '555-0100' }] });
  });

  it('with tables of its own leaves those in its folders alone', async () => {
    const { records } = await readFiles({
      'services.csv': 'id,name\ns1,Soup\n',
      'old/services.csv': 'id,name\ns0,Broth\n',
    });
    expect(records.map(({ source_id }) => source_id)).toEqual(['s1']);
  });

  it('with two datapackages in it is refused', async () => {
    const error = await rejected(
      await folderOf({ 'a/services.csv': 'id,name\n1,A\n', 'b/services.csv': 'id,name\n1,B\n' }),
    );
    expect(error).toMatchObject({ code: 'ambiguous' });
    expect(error.message).toMatch(/holds 2 datapackages \(in a, b\)/);
  });

  it('with JSON in a folder of it is read', async () => {
    const { records } = await readFiles({ 'json/services.json': '[{"id":"s1","name":"Soup"}]' });
    expect(records.map(({ source_id }) => source_id)).toEqual(['s1']);
  });
});

describe('an id that two rows have', () => {
  it('is said of services, organizations, locations and programs; the first one counts', async () => {
    const { records, complaints } = await readFiles({
      'services.csv': 'id,name,organization_id\ns1,Soup,o1\ns1,Beds,o1\n',
      'organizations.csv': 'id,name\no1,Harbor Aid\no1,Quay Clinic\n',
      'locations.csv': 'id,name\nl1,Hall\nl1,Ward\nl1,Hall\n',
      'programs.csv': 'id,name,organization_id\np1,One,o1\np1,Two,o1\n',
      'service_at_locations.csv': 'id,service_id,location_id\n1,s1,l1\n',
    });
    expect(records.map(({ fields }) => [fields.name, fields.organization?.name, fields.locations])).toEqual([
      ['Soup', 'Harbor Aid', [{ name: 'Hall' }]],
    ]);
    expect(complaints).toEqual([
      'warning organizations.csv:3 organization o1 is there already; this row is left out',
      'warning locations.csv:3 location l1 is there already, on line 2 of locations.csv; this row is left out',
      'warning programs.csv:3 program p1 is there already, on line 2 of programs.csv; this row is left out',
      'problem services.csv:3 service s1 is already on line 2',
    ]);
  });
});
