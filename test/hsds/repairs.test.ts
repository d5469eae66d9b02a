import { describe, expect, it } from 'vitest';
import { openDatapackage } from '../../src/hsds/package.ts';
import { collect, folderOf, recordsIn, type Files } from './support.ts';

async function read(files: Files) {
  const datapackage = await openDatapackage(await folderOf(files));
  try {
    const records = recordsIn(await collect(datapackage.records()));
    return { fields: records.map(({ fields }) => fields), summary: datapackage.summary() };
  } finally {
    datapackage.close();
  }
}

const base: Files = {
  'services.csv': 'id,name,organization_id\ns1,Soup,o1\ns2,Law,o2\ns3,Bread,o2\n',
  'organizations.csv': 'id,name\no1,Harbor Aid\no2,Quay Aid\n',
  'service_at_location.csv': 'id,service_id,location_id\n1,s1,l1\n2,s2,l2\n3,s3,l2\n',
  'locations.csv': 'id,name,organization_id\nl1,Hall,o1\nl2,Annex,o2\n',
};

describe('a link that is left out', () => {
  it('is found where a location or an organization has one service alone, and nowhere else', async () => {
    const { fields, summary } = await read({
      ...base,
      'eligibility.csv':
        'id,service_id,location_id,organization_id,eligibility\n1,,l1,,Sailors\n2,,,o1,Fishers\n3,,l2,,Nobody\n4,,,o2,Nobody\n5,s2,l1,,Clients\n',
    });
    expect(fields.map(({ eligibility }) => eligibility)).toEqual(['Fishers\nSailors', 'Clients', undefined]);
    expect(summary.repaired_links).toEqual([
      expect.objectContaining({ file: 'eligibility.csv', column: 'service_id', rows: 2 }),
    ]);
    expect(summary.not_carried).toEqual([
      { file: 'eligibility.csv', table: 'eligibility', rows: 2, why: 'they belong to no service' },
    ]);
  });

  it('of an address is that of the only location of its organization', async () => {
    const { fields, summary } = await read({
      ...base,
      'physical_addresses.csv': 'id,location_id,organization_id,city\n1,,o1,Harborview\n',
    });
    expect(fields[0]?.locations).toEqual([{ name: 'Hall', city: 'Harborview' }]);
    expect(summary.repaired_links).toEqual([expect.objectContaining({ column: 'location_id', rows: 1 })]);
  });

  it('between the only service and the only location of an organization is made', async () => {
    const { 'service_at_location.csv': _, ...files } = base;
    const { fields, summary } = await read(files);
    expect(fields.map(({ locations }) => locations)).toEqual([[{ name: 'Hall' }], undefined, undefined]);
    expect(summary.repaired_links).toEqual([expect.objectContaining({ file: 'locations.csv', rows: 1 })]);
    // The other location is an office of its organization.
    expect(summary.not_carried).toEqual([]);
  });

  it('to the organization is that of the program, or the only organization that there is', async () => {
    const services = 'id,name,organization_id,program_id\ns1,Soup,,p1\n';
    const programs = { 'programs.csv': 'id,name,organization_id\np1,Food,o2\n' };
    const named = async (files: Files) => (await read(files)).fields[0]?.organization?.name;
    expect(await named({ ...base, ...programs, 'services.csv': services })).toBe('Quay Aid');
    expect(await named({ ...base, 'services.csv': services })).toBeUndefined();
    const only = { 'services.csv': services, 'organizations.csv': 'id,name\no9,Only Aid\n' };
    expect(await named(only)).toBe('Only Aid');
  });

  it('that leads nowhere is counted, and where it first does', async () => {
    const { summary } = await read({ ...base, 'organizations.csv': 'id,name\no1,Harbor Aid\n' });
    expect(summary.broken_links).toEqual([
      { file: 'services.csv', column: 'organization_id', rows: 2, first_line: 3 },
      { file: 'locations.csv', column: 'organization_id', rows: 1, first_line: 3 },
    ]);
  });
});

it('text that was read in a wrong encoding is repaired everywhere but in ids, and counted by file', async () => {
  const { fields, summary } = await read({
    'services.csv': 'id,name,description\nsâ€™1,Childrenâ€™s Soup,"Itâ€™s for niÃ±os"\ns2,Plain,Naïve\n',
    'regular_schedules.csv':
      'service_id,weekday,opens_at,closes_at,original_text\nsâ€™1,Monday,9am,5pm,Mon 9amâ€“5pm\n',
  });
  expect(fields[0]).toMatchObject({
    name: 'Children’s Soup',
    description: 'It’s for niños',
    hours: 'Mon 9am–5pm',
    opening_hours: [{ days: ['mon'], opens: '09:00', closes: '17:00' }],
  });
  expect(summary.repaired_text).toEqual([
    { file: 'services.csv', table: 'services', rows: 1, places: 3 },
    { file: 'regular_schedules.csv', table: 'schedules', rows: 1, places: 1 },
  ]);
});

it('of two columns that say the same the newer one counts, and what the other one says besides is counted', async () => {
  const { fields, summary } = await read({
    ...base,
    'addresses.csv': 'id,location_id,city,region,state_province\n1,l1,Miami,South,FL\n2,l2,Naples,FL,FL\n',
  });
  expect(fields.map(({ locations }) => locations?.[0]?.region)).toEqual(['FL', 'FL', 'FL']);
  expect(summary.not_carried).toEqual([
    { file: 'addresses.csv', table: 'addresses', column: 'region', rows: 1, why: 'state_province counts' },
  ]);
});
