import { describe, expect, it } from 'vitest';
import { openDatapackage } from '../../../src/hsds/package.ts';
import { collect, complaintsIn, folderOf, recordsIn, type Files } from '../support.ts';

async function read(files: Files) {
  const datapackage = await openDatapackage(await folderOf(files));
  const items = await collect(datapackage.records());
  const summary = datapackage.summary();
  datapackage.close();
  const records = recordsIn(items);
  return {
    organizations: items.flatMap((item) => (item.kind === 'organization' ? [item] : [])),
    of: Object.fromEntries(
      records.map((record) => [
        record.source_id,
        [record.organization_source_id, record.fields.organization?.name],
      ]),
    ),
    records,
    complaints: complaintsIn(items),
    summary,
  };
}

describe('the organization of a service', () => {
  it('is that of the parent service or program that it names, however many are between', async () => {
    const { of, summary } = await read({
      'organizations.csv': 'id,name\no1,Harbor Aid\no2,Quay Clinic\n',
      'programs.csv': 'id,name,organization_id\np1,Program,o2\np2,Lost,nobody\n',
      'services.csv': [
        'id,name,organization_id,program_id',
        's1,Direct,o1,',
        's2,Child,s1,',
        's3,Grandchild,s2,',
        's4,Of a program,p1,',
        's5,By a program,,p1',
        's6,Itself,s6,',
        's7,Round,s8,',
        's8,About,s7,',
        's9,Nowhere,gone,',
        's10,Of one without,s9,',
        's11,Of one with a program,s12,',
        's12,With a program,,p1',
        's13,Of a lost program,p2,',
      ].join('\n'),
    });
    expect(of).toEqual({
      s1: ['o1', 'Harbor Aid'],
      s2: ['o1', 'Harbor Aid'],
      s3: ['o1', 'Harbor Aid'],
      s4: ['o2', 'Quay Clinic'],
      s5: ['o2', 'Quay Clinic'],
      s6: [undefined, undefined],
      s7: [undefined, undefined],
      s8: [undefined, undefined],
      s9: [undefined, undefined],
      s10: [undefined, undefined],
      s11: ['o2', 'Quay Clinic'],
      s12: ['o2', 'Quay Clinic'],
      s13: [undefined, undefined],
    });
    expect(summary.repaired_links).toEqual([
      {
        file: 'services.csv',
        table: 'services',
        column: 'organization_id',
        rows: 4,
        how: 'that of the parent that it names',
      },
      {
        file: 'services.csv',
        table: 'services',
        column: 'organization_id',
        rows: 2,
        how: 'that of its program or its location, or the only one there is',
      },
    ]);
    expect(summary.broken_links).toContainEqual({
      file: 'services.csv',
      column: 'organization_id',
      rows: 1,
      first_line: 10,
    });
  });

  it('is that of the location that the service names, where it names no organization', async () => {
    const { of } = await read({
      'organizations.csv': 'id,name\n1,Harbor Aid\n2,Quay Clinic\n',
      'locations.csv': 'id,organization_id,name\n8,1,Hall\n9,2,Ward\n',
      'services.csv': 'id,location_id,name\n5,9,Beds\n6,8,Soup\n7,,Elsewhere\n',
    });
    expect(of).toEqual({ 5: ['2', 'Quay Clinic'], 6: ['1', 'Harbor Aid'], 7: [undefined, undefined] });
  });

  it('gives a child its phones and web address, but not what is said of its only other service', async () => {
    const { records } = await read({
      'organizations.csv': 'id,name,url\no1,Harbor Aid,aid.example.org\n',
      'services.csv': 'id,name,organization_id\ns1,Direct,o1\ns2,Child,s1\n',
      'phones.csv': 'id,number,organization_id\n1,555-0100,o1\n',
      'eligibility.csv': 'id,eligibility,organization_id\n1,Adults,o1\n',
    });
    const [direct, child] = records.map(({ fields }) => fields);
    expect(direct).toMatchObject({ eligibility: 'Adults', phones: [{ number: '555-0100' }] });
    expect(child).toMatchObject({ url: 'http://aid.example.org', phones: [{ number: '555-0100' }] });
    expect(child).not.toHaveProperty('eligibility');
  });
});

describe('organizations', () => {
  it('are read with all that belongs to them, before the services', async () => {
    const { organizations, complaints, summary } = await read({
      'organizations.csv': [
        'id,name,alternate_name,description,email,website,tax_id,year_incorporated,legal_status,parent_organization_id',
        'o1,Harbor Aid,HA,"<p>Aid since\\n1970.</p>",aid@example.org,aid.example.org,12-345,1970-01-01,Nonprofit,o2',
        'o2,Bay Trust,,,nobody,,,,,',
        'o2,Twice,,,,,,,,',
        'o3,,,,,,,,,',
      ].join('\n'),
      'services.csv': 'id,name,organization_id\ns1,Soup,o1\n',
      'locations.csv':
        'id,organization_id,name,latitude,longitude\nl1,o1,Office,25.5,-80.5\nl2,o1,Kitchen,25.6,-80.6\n',
      'service_at_locations.csv': 'id,service_id,location_id\n1,s1,l2\n',
      'addresses.csv': 'id,location_id,address_1,city,country\n1,l1,1 Quay,Harborview,US\n',
      'phones.csv': 'id,number,organization_id,contact_id\n1,555-0100,o1,\n2,555-0101,,c1\n',
      'contacts.csv': 'id,name,organization_id\nc1,Ana Quay,o1\n',
      'organization_identifiers.csv':
        'id,organization_id,identifier_scheme,identifier_type,identifier\n1,o1,US-EIN,EIN,99-9\n',
      'urls.csv': 'id,organization_id,url\n1,o1,https://more.example.org\n',
    });
    expect(organizations.map(({ source_id, file, line }) => [source_id, file, line])).toEqual([
      ['o1', 'organizations.csv', 2],
      ['o2', 'organizations.csv', 3],
    ]);
    expect(organizations.map(({ fields }) => fields)).toEqual([
      {
        name: 'Harbor Aid',
        alternate_name: 'HA',
        description: 'Aid since\n1970.',
        url: 'http://aid.example.org',
        additional_urls: ['https://more.example.org'],
        phones: [{ number: '555-0100' }],
        locations: [
          {
            name: 'Office',
            street: '1 Quay',
            city: 'Harborview',
            country: 'US',
            latitude: 25.5,
            longitude: -80.5,
          },
        ],
        identifiers: [
          { scheme: 'US-EIN', type: 'EIN', value: '99-9' },
          { type: 'tax_id', value: '12-345' },
        ],
        year_incorporated: 1970,
        legal_status: 'Nonprofit',
        parent: { name: 'Bay Trust' },
        email: 'aid@example.org',
        contacts: [{ id: expect.any(String) as string, name: 'Ana Quay', phones: [{ number: '555-0101' }] }],
      },
      { name: 'Bay Trust' },
    ]);
    expect(complaints).toEqual([
      'warning organizations.csv:3 organization o2: the email "nobody" is not an email address; left out',
      'warning organizations.csv:4 organization o2 is there already; this row is left out',
      'warning organizations.csv:5 organization o3 has no name; it is left out',
    ]);
    expect(summary.not_carried).toEqual([
      {
        file: 'organizations.csv',
        table: 'organizations',
        rows: 2,
        why: 'they have no id or no name, or an id that is there already',
      },
    ]);
  });

  it('are read from JSON, where each service holds its own', async () => {
    const organization = { id: 'o1', name: 'Harbor Aid', description: 'Aid.' };
    const { organizations, of } = await read({
      'services.json': JSON.stringify([
        { id: 's1', name: 'Soup', organization },
        { id: 's2', name: 'Beds', organization },
      ]),
    });
    expect(organizations.map(({ fields }) => fields)).toEqual([{ name: 'Harbor Aid', description: 'Aid.' }]);
    expect(of).toEqual({ s1: ['o1', 'Harbor Aid'], s2: ['o1', 'Harbor Aid'] });
  });

  it('are cut and left out in part where they do not fit, which is said', async () => {
    const { organizations, complaints } = await read({
      'organizations.csv': `id,name,legal_status\no1,${'Long '.repeat(80)},${'x'.repeat(400)}\n`,
      'services.csv': 'id,name,organization_id\ns1,Soup,o1\n',
    });
    expect(organizations[0]?.fields.name).toHaveLength(295);
    expect(complaints).toEqual([
      'warning organizations.csv:2 organization o1: the legal_status is longer than 300 characters; it was cut',
      'warning organizations.csv:2 organization o1: the name is longer than 300 characters; it was cut',
      'warning services.csv:2 service s1: the organization.name is longer than 300 characters; it was cut',
    ]);
  });
});
