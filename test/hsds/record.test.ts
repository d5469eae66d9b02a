import { describe, expect, it } from 'vitest';
import { flatMembers } from '../../src/events/directory/flat-members.ts';
import {
  complaintsIn,
  fieldsOf,
  folderOf,
  readItems,
  records,
  recordsIn,
  version1,
  version3,
  type Files,
} from './support.ts';

const service = (columns: string, cells: string, others: Files = {}): Files => ({
  'services.csv': `id,name,${columns}\ns1,Soup,${cells}\n`,
  ...others,
});

describe('a service with all its tables', () => {
  it('becomes one record from HSDS 1.1', async () => {
    const [kitchen, legal] = await records(version1);
    expect(kitchen).toEqual({
      kind: 'record',
      source_id: 's1',
      organization_source_id: 'o1',
      status: 'active',
      file: 'services.csv',
      line: 2,
      fields: {
        name: 'SOUP KITCHEN',
        category: 'food',
        taxonomy_terms: ['Soup Kitchens'],
        description: 'Warm soup.',
        url: 'http://www.harbor.example.org',
        email: 'office@harbor.example.org',
        organization: { name: 'Harbor Aid', url: 'http://www.harbor.example.org' },
        phones: [{ number: '555-0101', extension: '7' }],
        locations: [
          {
            name: 'Hall',
            street: '1 Quay, Floor 2',
            city: 'Harborview',
            region: 'HV',
            postal_code: '00001',
            country: 'US',
          },
        ],
        hours: 'Mon–Wed 07:30–18:00; Sat 09:00–12:00',
        opening_hours: [
          { days: ['mon', 'tue', 'wed'], opens: '07:30', closes: '18:00' },
          { days: ['sat'], opens: '09:00', closes: '12:00' },
        ],
        languages: ['English', 'Spanish'],
        eligibility: 'Everyone',
      },
    });
    expect(legal?.fields).toEqual({
      name: 'Legal Desk',
      category: 'legal',
      url: 'http://law.example.org',
      organization: { name: 'Harbor Aid', url: 'http://www.harbor.example.org' },
      email: 'law@example.org',
      phones: [{ number: '555-0102' }],
    });
  });

  it('becomes one record from HSDS 3', async () => {
    const [kitchen] = await records(version3);
    expect(kitchen?.fields).toEqual({
      name: 'SOUP KITCHEN',
      category: 'food',
      taxonomy_terms: ['Free Meals'],
      description: 'Warm soup.',
      url: 'https://harbor.example.org',
      email: 'office@harbor.example.org',
      organization: { name: 'Harbor Aid', url: 'https://harbor.example.org' },
      phones: [
        { number: '+1 555 0101', extension: '7' },
        { number: '555-0109', type: 'fax' },
      ],
      locations: [{ street: '1 Quay, Floor 2', city: 'Harborview', region: 'HV', postal_code: '00001' }],
      ages: { minimum: 18 },
      hours: 'Mon–Wed 07:30–18:00; Sat 09:00–12:00',
      opening_hours: [
        { days: ['mon', 'tue', 'wed'], opens: '07:30', closes: '18:00' },
        { days: ['sat'], opens: '09:00', closes: '12:00' },
      ],
      languages: ['English', 'Spanish'],
      eligibility: 'Everyone (Ages 18 and over)',
    });
  });
});

it.each([
  ['', 'active'],
  ['active', 'active'],
  ['Active', 'active'],
  ['inactive', 'inactive'],
  ['defunct', 'inactive'],
  ['withdrawn', 'inactive'],
  ['temporarily closed', 'active'],
  ['Temporarily_Closed', 'active'],
])('the status "%s" makes a record %s', async (status, expected) => {
  expect((await records(service('status', status)))[0]?.status).toBe(expected);
});

it.each([
  ['active', undefined],
  ['inactive', undefined],
  ['defunct', 'defunct'],
  ['temporarily closed', 'temporarily_closed'],
])('of the status "%s" the record tells the availability %s', async (status, expected) => {
  expect((await fieldsOf(service('status', status))).availability).toBe(expected);
});

it('a status that HSDS does not have is reported', async () => {
  expect(complaintsIn(await readItems(await folderOf(service('status', 'withdrawn'))))).toEqual([
    'warning services.csv:2 service s1: the status "withdrawn" is none of HSDS; taken as inactive',
  ]);
});

describe('text', () => {
  it('written-out line breaks become lines, marks of exports go, emphasis stays', async () => {
    const raw = String.raw`One.\n\n**Two.** \n\n\n###MON###\n###COL###`;
    expect((await fieldsOf(service('description', raw))).description).toBe('One.\n\n**Two.**');
  });

  it('control characters are dropped and a name is one line', async () => {
    const fields = await fieldsOf({
      'services.csv': 'id,name,description\n1,"A\u0000 \n  B\u0007","\tC\u0085"\n',
    });
    expect(fields).toMatchObject({ name: 'A B', description: 'C' });
  });

  it('what is too long is cut at a word, with a warning', async () => {
    const items = await readItems(await folderOf(service('description', 'word '.repeat(3000))));
    const [record] = recordsIn(items);
    expect(record?.fields.description).toMatch(/word…$/);
    expect(record?.fields.description?.length).toBeLessThanOrEqual(10_000);
    expect(complaintsIn(items)).toEqual([
      'warning services.csv:2 service s1: the description is longer than 10000 characters; it was cut',
    ]);
  });

  it('of a sentence the languages that it names are taken, and it is told as it is', async () => {
    const sentence =
      'French and Creole. Interpreters for the deaf come when they are asked for a week before.';
    const languages = `id,service_id,language\n1,s1,${'We speak '.repeat(10)}\n2,s1,* Russian.\n3,s1,${sentence}\n`;
    const items = await readItems(await folderOf(service('url', '', { 'languages.csv': languages })));
    const [fields] = recordsIn(items).map((record) => record.fields);
    expect(fields?.languages).toEqual(['Creole', 'French', 'Russian']);
    expect(fields?.interpretation).toBe(`${sentence.slice(0, -1)}\n${'We speak '.repeat(10).trim()}`);
    expect(complaintsIn(items)).toEqual([]);
  });
});

describe('web and email addresses', () => {
  it.each([
    ['www.example.org', 'http://www.example.org'],
    ['example.org/path?q=1', 'http://example.org/path?q=1'],
    ['https://example.org', 'https://example.org'],
    ['HTTP://Example.org', 'HTTP://Example.org'],
    ['example.org:8080/x', 'http://example.org:8080/x'],
    ['www.example.org; www.example.com', 'http://www.example.org'],
    ['www.example.org.', 'http://www.example.org'],
  ])('the url %s is taken as %s', async (written, expected) => {
    expect((await fieldsOf(service('url', written))).url).toBe(expected);
  });

  it.each([
    'none',
    'n/a',
    'mailto:a@example.org',
    'ask at the desk',
    'http://',
    'ftp://example.org',
    'javascript:alert(1)',
  ])('the url %s is left out with a warning', async (written) => {
    const items = await readItems(await folderOf(service('url', written)));
    expect(recordsIn(items)[0]?.fields).toEqual({ name: 'Soup', category: 'food' });
    expect(complaintsIn(items)).toEqual([
      `warning services.csv:2 service s1: the url "${written}" is not a web address; left out`,
    ]);
  });

  it('an unusable address gives way to the organization’s', async () => {
    const organizations = { 'organizations.csv': 'id,url,email\no1,www.example.org,a@example.org\n' };
    const fields = await fieldsOf(service('organization_id,url,email', 'o1,none,none', organizations));
    expect(fields).toMatchObject({ url: 'http://www.example.org', email: 'a@example.org' });
  });

  it('an organization’s unusable address is reported once, at the organization', async () => {
    const items = await readItems(
      await folderOf({
        'organizations.csv': 'id,website,email\no1,none,nobody\n',
        'services.csv': 'id,name,organization_id\n1,A,o1\n2,B,o1\n',
      }),
    );
    expect(complaintsIn(items)).toEqual([
      'warning organizations.csv:2 organization o1: the url "none" is not a web address; left out',
      'warning organizations.csv:2 organization o1: the email "nobody" is not an email address; left out',
      'warning organizations.csv:2 organization o1 has no name; it is left out',
    ]);
  });

  it('the first of several email addresses counts', async () => {
    expect((await fieldsOf(service('email', 'mailto:a@example.org; b@example.org'))).email).toBe(
      'a@example.org',
    );
  });
});

describe('phones', () => {
  const phone = async (rows: string, others: Files = {}) =>
    flatMembers.phone.of(
      await fieldsOf(
        service('organization_id', 'o1', {
          'phones.csv': `id,service_id,service_at_location_id,location_id,organization_id,number,extension,type\n${rows}`,
          'service_at_location.csv': 'id,service_id,location_id\nsl1,s1,l1\n',
          ...others,
        }),
      ),
    );

  it('are the service’s, else its location’s, else its organization’s', async () => {
    expect(await phone('1,,,,o1,555-0103,,\n2,,,l1,,555-0102,,\n3,s1,,,,555-0101,,\n')).toBe('555-0101');
    expect(await phone('1,,,,o1,555-0103,,\n2,,,l1,,555-0102,,\n3,s2,,,,555-0101,,\n')).toBe('555-0102');
    expect(await phone('1,,,,o1,555-0103,,\n2,,,l1,,555-0102,,\n3,,sl1,,,555-0101,,\n')).toBe('555-0101');
    expect(await phone('1,,,,o1,555-0103,,\n')).toBe('555-0103');
  });

  it('are voice lines before others, never a fax, and of equals the first by id', async () => {
    expect(await phone('1,s1,,,,555-0101,,tty\n10,s1,,,,555-0102,,voice\n9,s1,,,,555-0103,,voice\n')).toBe(
      '555-0103',
    );
    expect(await phone('1,s1,,,,555-0101,,Fax\n')).toBeUndefined();
  });

  it('carry their extension once', async () => {
    expect(await phone('1,s1,,,,555-0101,ext. 45,\n')).toBe('555-0101 x45');
    expect(await phone('1,s1,,,,555-0101 x45,45,\n')).toBe('555-0101 x45');
  });
});

describe('the main location', () => {
  const located = async (joins: string, addresses: string, others: Files = {}) => {
    const fields = await fieldsOf(
      service('url', '', {
        'service_at_location.csv': `id,service_id,location_id\n${joins}`,
        'addresses.csv': `id,location_id,address_1,city,state_province,postal_code,address_type\n${addresses}`,
        ...others,
      }),
    );
    const { address, city, region } = flatMembers;
    return { ...fields, address: address.of(fields), city: city.of(fields), region: region.of(fields) };
  };

  it('is the first by id that has a physical address', async () => {
    const addresses =
      '1,l1,PO Box,Postville,P,1,postal\n2,l2,2 Road,Second,S,2,physical\n3,l3,3 Road,Third,T,3,physical\n';
    expect(await located('10,s1,l3\n9,s1,l2\n1,s1,l1\n', addresses)).toMatchObject({
      city: 'Second',
      address: '2 Road, 2',
    });
    expect(await located('1,s1,l1\n', addresses)).toMatchObject({ city: 'Postville', region: 'P' });
  });

  it('decides which hours are told when they differ by location', async () => {
    const schedules =
      'id,service_id,location_id,byday,opens_at,closes_at\n1,s1,l2,SU,10:00,11:00\n2,s1,l1,MO,09:00,17:00\n3,s9,l1,TU,09:00,17:00\n';
    const fields = await located('1,s1,l1\n2,s1,l2\n', '1,l1,1 Road,First,F,1,\n2,l2,2 Road,Second,S,2,\n', {
      'schedules.csv': schedules,
    });
    expect(fields).toMatchObject({ city: 'First', hours: 'Mon 09:00–17:00' });
  });
});

describe('eligibility', () => {
  it.each([
    [',,', undefined],
    ['Everyone,,', 'Everyone'],
    [',18,', 'Ages 18 and over'],
    [',,17', 'Ages up to 17'],
    [',12,17', 'Ages 12–17'],
    ['Pupils,12,17', 'Pupils (Ages 12–17)'],
    ['From 18 on,18,', 'From 18 on'],
    [',young,old', undefined],
  ])('%s is told as %s', async (cells, expected) => {
    const fields = await fieldsOf(service('eligibility_description,minimum_age,maximum_age', cells));
    expect(fields.eligibility).toBe(expected);
  });
});

it('several languages in one cell are several, and a remark stays with its language', async () => {
  const languages =
    'id,service_id,language\n1,s1,Spanish and English\n2,s1,Creole (limited availability)\n3,s1,"French, by appointment"\n';
  const fields = await fieldsOf(service('url', '', { 'languages.csv': languages }));
  expect(fields.languages).toEqual([
    'Creole (limited availability)',
    'English',
    'French, by appointment',
    'Spanish',
  ]);
});

it('names of languages come in alphabetical order, each once, and codes get their English name', async () => {
  const languages = 'id,service_id,name,code\n1,s1,Yiddish,\n2,s1,,vi\n3,s1,YIDDISH,\n4,s1,,???\n5,s1,,ara\n';
  const fields = await fieldsOf(service('url', '', { 'languages.csv': languages }));
  expect(fields.languages).toEqual(['???', 'Arabic', 'Vietnamese', 'YIDDISH']);
});

it('rows that disagree with the words of the source are left out, and reported where they stand; the words are read', async () => {
  const items = await readItems(
    await folderOf({
      'services.csv': 'id,name\ns1,Soup\ns2,Law\n',
      'regular_schedules.csv':
        'service_id,weekday,opens_at,closes_at,original_text\n' +
        's2,Monday,9:00am,5:00pm,"9-5, Mon"\n' +
        's1,Friday,9:00am,5:00pm,9-5 Mon-Thur; 8-2 Fri\n',
    }),
  );
  expect(recordsIn(items).map(({ fields }) => [fields.hours, fields.opening_hours])).toEqual([
    [
      '9-5 Mon-Thur; 8-2 Fri',
      [
        { days: ['mon', 'tue', 'wed', 'thu'], opens: '09:00', closes: '17:00' },
        { days: ['fri'], opens: '08:00', closes: '14:00' },
      ],
    ],
    ['9-5, Mon', [{ days: ['mon'], opens: '09:00', closes: '17:00' }]],
  ]);
  expect(complaintsIn(items)).toEqual([
    'warning regular_schedules.csv:3 service s1: the text "Mon–Thu 09:00–17:00; Fri 08:00–14:00" and the rows ("Fri 09:00–17:00") disagree; the text is read, the rows are left out',
  ]);
});
