import { describe, expect, it } from 'vitest';
import { complaintsIn, fieldsOf, folderOf, readItems, recordsIn, type Files } from './support.ts';

/** A service at two places, with these tables besides. */
const twoPlaces = (files: Files): Files => ({
  'services.csv': 'id,name,organization_id\ns1,Soup,o1\n',
  'organizations.csv': 'id,name\no1,Harbor Aid\n',
  'service_at_location.csv': 'id,service_id,location_id\nsl1,s1,l1\nsl2,s1,l2\n',
  'locations.csv': 'id,name\nl1,Hall\nl2,Annex\n',
  'addresses.csv': 'id,location_id,city,address_type\na1,l1,Harborview,physical\na2,l2,Quayside,physical\n',
  ...files,
});
const hall = { name: 'Hall', city: 'Harborview' };
const annex = { name: 'Annex', city: 'Quayside' };

describe('locations', () => {
  it('are all carried, the main one first: the first that has a physical address', async () => {
    const fields = await fieldsOf(
      twoPlaces({
        'addresses.csv':
          'id,location_id,city,address_type\na1,l1,Postville,postal\na2,l2,Quayside,physical\na3,l2,Elsewhere,postal\n',
        'service_at_location.csv': 'id,service_id,location_id\n1,s1,l3\n2,s1,l1\n3,s1,l2\n',
        'locations.csv': 'id,name,location_type\nl1,Hall,\nl2,Annex,\nl3,Hotline,virtual\n',
      }),
    );
    expect(fields.locations).toEqual([
      { name: 'Annex', city: 'Quayside' },
      { name: 'Hotline', virtual: true },
      { name: 'Hall', city: 'Postville' },
    ]);
  });

  it.each(['Unknown', '*Unknown*', 'N/A', 'none'])('%s is no town', async (written) => {
    const files = { 'addresses.csv': `id,location_id,address_1,city\na1,l1,1 Quay,${written}\n` };
    expect((await fieldsOf(twoPlaces(files))).locations?.[0]).toEqual({ name: 'Hall', street: '1 Quay' });
  });

  it('has numbers without a space after their hyphen', async () => {
    const phones = { 'phones.csv': 'id,service_id,number\np1,s1,(202) 290- 1375\n' };
    expect((await fieldsOf(twoPlaces(phones))).phones?.[0]?.number).toBe('(202) 290-1375');
  });

  it.each([
    ['US', 'US'],
    ['us', 'US'],
    ['United States', 'US'],
    ['U.S.A.', 'US'],
    ['Estados Unidos', 'US'],
    ['México', 'MX'],
    ['Mexico', 'MX'],
    ['Deutschland', undefined],
    ['', undefined],
  ])('the country "%s" is %s', async (written, code) => {
    const files = { 'addresses.csv': `id,location_id,city,country\na1,l1,X,${written}\n` };
    expect((await fieldsOf(twoPlaces(files))).locations?.[0]?.country).toBe(code);
  });

  it.each([
    ['25.5,-80.5', { latitude: 25.5, longitude: -80.5 }, undefined],
    ['100,101', undefined, 'are out of range'],
    ['0,0.0', undefined, 'are in the ocean'],
    ['25.5,', undefined, 'are incomplete'],
    ['north,west', undefined, 'are not numbers'],
  ])('the coordinates %s', async (cells, expected, problem) => {
    const items = await readItems(
      await folderOf(twoPlaces({ 'locations.csv': `id,name,latitude,longitude\nl1,Hall,${cells}\n` })),
    );
    expect(recordsIn(items)[0]?.fields.locations?.[0]).toEqual({ ...hall, ...expected });
    expect(complaintsIn(items)).toEqual(
      problem === undefined
        ? []
        : [expect.stringMatching(`^warning locations.csv:2 location l1: .* ${problem}`)],
    );
  });

  it.each([
    ['-80.2,25.8', { latitude: 25.8, longitude: -80.2 }, 'have latitude and longitude swapped; put right'],
    ['25.8,80.2', { latitude: 25.8, longitude: -80.2 }, 'lack the minus of the longitude; put right'],
    ['25,-60', undefined, 'are [\\d,]+ km from the postal code of the address; left out'],
    ['0.001,0.001', undefined, 'are [\\d,]+ km from the postal code of the address; left out'],
    ['25.8,-80.2', { latitude: 25.8, longitude: -80.2 }, undefined],
  ])('the coordinates %s of an address in Miami', async (cells, expected, problem) => {
    const files = twoPlaces({
      'locations.csv': `id,name,latitude,longitude\nl1,Hall,${cells}\n`,
      'addresses.csv':
        'id,location_id,address_1,city,state_province,postal_code\na1,l1,1 Quay,Miami,FL,33125\n',
    });
    const items = await readItems(await folderOf(files));
    const { latitude, longitude } = recordsIn(items)[0]?.fields.locations?.[0] ?? {};
    expect(latitude === undefined ? undefined : { latitude, longitude }).toEqual(expected);
    expect(complaintsIn(items)).toEqual(
      problem === undefined
        ? []
        : [expect.stringMatching(`^warning locations.csv:2 location l1: the coordinates ${problem}`)],
    );
  });

  it('report what is wrong with them once, whatever services are there', async () => {
    const items = await readItems(
      await folderOf({
        'services.csv': 'id,name\ns1,A\ns2,B\n',
        'service_at_location.csv': 'id,service_id,location_id\n1,s1,l1\n2,s2,l1\n',
        'locations.csv': 'id,name,latitude,longitude\nl1,Hall,100,101\n',
      }),
    );
    expect(complaintsIn(items)).toHaveLength(1);
  });

  it.each([
    { 'addresses.csv': 'id,location_id,address_1,city\na1,l1,CONFIDENTIAL LOCATION,Harborview\n' },
    { 'locations.csv': 'id,name\nl1,Safe House (address confidential)\n' },
    { 'locations.csv': 'id,name,confidential\nl1,Hall,true\n' },
    { 'addresses.csv': 'id,location_id,address_1,city\na1,l1,Dirección confidencial,Harborview\n' },
  ])('are confidential where the source says so', async (files) => {
    const fields = await fieldsOf(twoPlaces(files));
    expect(fields.locations?.map(({ confidential }) => confidential)).toEqual([true, undefined]);
  });
});

describe('phones', () => {
  const phones = async (rows: string, files: Files = {}) => {
    const columns = 'id,service_id,service_at_location_id,location_id,organization_id,number';
    const fields = await fieldsOf(twoPlaces({ 'phones.csv': `${columns}\n${rows}`, ...files }));
    const numbers = (list: readonly { number: string }[] = []) => list.map(({ number }) => number);
    return [numbers(fields.phones), ...(fields.locations ?? []).map((each) => numbers(each.phones))];
  };

  it('of the service at a place are that place’s, also by naming both', async () => {
    expect(await phones('1,s1,,l2,,02\n2,,sl1,,,03\n3,s1,,,,01\n')).toEqual([['01'], ['03'], ['02']]);
  });

  it('of a place come after the service’s own at the main one, and stay there at others', async () => {
    expect(await phones('1,s1,,,,01\n2,,,l1,,02\n3,,,l2,,03\n')).toEqual([['01', '02'], [], ['03']]);
    expect(await phones('2,,,l1,,02\n3,,,l2,,03\n')).toEqual([[], ['02'], ['03']]);
  });

  it('of the organization are taken where there is no other to call', async () => {
    expect(await phones('1,,,,o1,09\n2,,,l2,,03\n')).toEqual([['09'], [], ['03']]);
    expect(await phones('1,,,,o1,09\n2,,,l1,,03\n')).toEqual([[], ['03'], []]);
  });

  it('that name the service stay public where its place is confidential', async () => {
    const files = { 'locations.csv': 'id,name,confidential\nl1,Hall,true\nl2,Annex,\n' };
    expect(await phones('1,s1,,l1,,01\n2,,,l1,,02\n', files)).toEqual([['01'], ['02'], []]);
  });

  it('tell their kind, their note and their languages; a pager is counted', async () => {
    const files = {
      'phones.csv':
        'id,service_id,number,type,description\n1,s1,01,Toll Free,Mornings\n2,s1,02,Fax,\n3,s1,03,pager,\n4,s1,04,TTY,\n',
      'languages.csv': 'id,phone_id,name\n1,1,Urdu\n2,1,Thai\n',
    };
    expect((await fieldsOf(twoPlaces(files))).phones).toEqual([
      { number: '01', note: 'Toll Free; Mornings', languages: ['Thai', 'Urdu'] },
      { number: '04', type: 'tty' },
      { number: '02', type: 'fax' },
    ]);
  });
});

describe('hours', () => {
  const hours = async (rows: string) => {
    const columns = 'id,service_id,service_at_location_id,location_id,byday,opens_at,closes_at';
    const fields = await fieldsOf(twoPlaces({ 'schedules.csv': `${columns}\n${rows}` }));
    return [fields.hours, ...(fields.locations ?? []).map((each) => each.hours)];
  };

  it('at each place are that place’s; those of the main one are the service’s', async () => {
    expect(await hours('1,,,l1,MO,09:00,17:00\n2,,sl2,,TU,10:00,12:00\n')).toEqual([
      'Mon 09:00–17:00',
      undefined,
      'Tue 10:00–12:00',
    ]);
    expect(await hours('1,s1,,l1,MO,09:00,17:00\n2,s1,,l2,TU,10:00,12:00\n')).toEqual([
      'Mon 09:00–17:00',
      undefined,
      'Tue 10:00–12:00',
    ]);
  });

  it('of the main location stay there beside those of the service', async () => {
    expect(await hours('1,,,l1,MO,09:00,17:00\n2,s1,,,TU,10:00,12:00\n')).toEqual([
      'Tue 10:00–12:00',
      'Mon 09:00–17:00',
      undefined,
    ]);
  });

  it('that the main location repeats are told once', async () => {
    const row = 'MO,09:00,17:00';
    expect(await hours(`1,,,l1,${row}\n2,s1,,,${row}\n`)).toEqual(['Mon 09:00–17:00', undefined, undefined]);
  });

  it('at a place are structured there too', async () => {
    const columns = 'id,service_id,location_id,byday,opens_at,closes_at,description';
    const rows = '1,s1,l1,MO,09:00,17:00,\n2,s1,l2,TU,10:00,12:00,Tue 10-12\n';
    const fields = await fieldsOf(twoPlaces({ 'schedules.csv': `${columns}\n${rows}` }));
    expect(fields.opening_hours).toEqual([{ days: ['mon'], opens: '09:00', closes: '17:00' }]);
    expect(fields.locations?.map((each) => each.opening_hours)).toEqual([
      undefined,
      [{ days: ['tue'], opens: '10:00', closes: '12:00' }],
    ]);
  });

  it('on single days stand with their place', async () => {
    const fields = await fieldsOf(
      twoPlaces({
        'schedules.csv':
          'id,service_id,location_id,byday,opens_at,closes_at\n1,s1,,MO,09:00,17:00\n2,s1,l2,TU,10:00,12:00\n',
        'holiday_schedules.csv':
          'id,service_id,location_id,closed,start_date,end_date\n1,s1,,true,2026-12-25,2026-12-25\n2,,l2,true,2027-01-01,2027-01-02\n',
      }),
    );
    expect([fields.hours, ...(fields.locations ?? []).map((each) => each.hours)]).toEqual([
      'Mon 09:00–17:00\nClosed, 2026-12-25',
      undefined,
      'Tue 10:00–12:00\nClosed, 2027-01-01 to 2027-01-02',
    ]);
    expect(fields.opening_hours).toEqual([{ days: ['mon'], opens: '09:00', closes: '17:00' }]);
  });

  it('name their time zone, or the distances from UTC where they know no more', async () => {
    const zone = async (...zones: readonly string[]) => {
      const rows = zones.map((each, at) => `${at},s1,MO,0${at + 1}:00,17:00,${each}\n`).join('');
      const columns = 'id,service_id,byday,opens_at,closes_at,timezone';
      const { time_zone, utc_offsets } = await fieldsOf(
        twoPlaces({ 'schedules.csv': `${columns}\n${rows}` }),
      );
      return [time_zone, utc_offsets];
    };
    expect(await zone('America/Chicago')).toEqual(['America/Chicago', undefined]);
    expect(await zone('-05:00', 'UTC-6', '-0600')).toEqual([undefined, ['-05:00', '-06:00']]);
    expect(await zone('-06:00', 'America/Chicago')).toEqual(['America/Chicago', undefined]);
    expect(await zone('-99:00', 'Mars')).toEqual([undefined, undefined]);
    expect(await zone('')).toEqual([undefined, undefined]);
  });

  it('at another place are never told of the main one', async () => {
    expect(await hours('2,s1,,l2,TU,10:00,12:00\n')).toEqual([undefined, undefined, 'Tue 10:00–12:00']);
  });
});

it('accessibility and the way there belong to their place', async () => {
  const fields = await fieldsOf(
    twoPlaces({
      'locations.csv': 'id,name,transportation\nl1,Hall,Bus 7\nl2,Annex,\n',
      'accessibility_for_disabilities.csv':
        'id,location_id,accessibility,details\n2,l2,Lift,\n1,l2,Ramp,At the back\n',
    }),
  );
  expect(fields.locations).toEqual([
    { ...hall, transportation: 'Bus 7' },
    { ...annex, accessibility: 'Ramp – At the back\nLift' },
  ]);
});
