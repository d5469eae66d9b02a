import { describe, expect, it } from 'vitest';
import { hsdsColumns, type ColumnUse } from '../../src/hsds/columns.ts';
import { openDatapackage } from '../../src/hsds/package.ts';
import { layouts, type TableName } from '../../src/hsds/source/layout.ts';
import { collect, folderOf, recordsIn, type Files } from './support.ts';

type Cells = Readonly<Record<string, string>>;
type Tables = Partial<Record<TableName, readonly Cells[]>>;

const address = {
  id: 'a1',
  location_id: 'l1',
  address_1: '1 Quay',
  address_2: 'Floor 2',
  address_3: 'Room 3',
  address_4: 'Door 4',
  city: 'Harborview',
  state_province: 'HV',
  postal_code: '00001',
  country: 'US',
};

/** One service with a row in every table and a value in every column that is carried. */
const full: Tables = {
  services: [
    {
      id: 's1',
      organization_id: 'o1',
      name: 'Soup',
      alternate_name: 'Broth',
      description: 'Warm.',
      url: 'https://soup.example.org',
      email: 'soup@example.org',
      status: 'active',
      interpretation_services: 'By phone',
      application_process: 'Walk in',
      wait_time: '2 days',
      fees: '$1',
      fees_description: 'One dollar',
      eligibility_description: 'Adults',
      minimum_age: '18',
      maximum_age: '99',
      assured_date: '2026-01-02',
      assurer_email: 'check@example.org',
      alert: 'Moved',
      last_modified: '2018-05-14T09:30:00Z',
    },
  ],
  organizations: [
    {
      id: 'o1',
      name: 'Harbor Aid',
      alternate_name: 'Broth',
      website: 'https://aid.example.org',
      tax_id: '12-3456789',
      uri: 'https://register.example.org/1',
      year_incorporated: '1970',
      legal_status: 'Nonprofit',
    },
  ],
  locations: [
    {
      id: 'l1',
      location_type: 'physical',
      name: 'Hall',
      alternate_name: 'Broth',
      description: 'Warm.',
      transportation: 'Bus 7',
      latitude: '25.5',
      longitude: '-80.5',
      confidential: '',
    },
  ],
  servicesAtLocations: [{ id: 'sl1', service_id: 's1', location_id: 'l1' }],
  contacts: [
    {
      id: 'c1',
      service_id: 's1',
      name: 'Ana Quay',
      title: 'Head',
      department: 'Intake',
      email: 'ana@example.org',
    },
  ],
  phones: [
    {
      id: 'p1',
      service_id: 's1',
      number: '555-0101',
      extension: '7',
      type: 'fax',
      department: 'Desk',
      description: 'Mornings',
      language: 'Farsi',
    },
  ],
  addresses: [{ ...address, address_type: 'physical' }],
  schedules: [
    {
      id: 'h1',
      service_id: 's1',
      byday: 'MO,TU',
      freq: 'WEEKLY',
      interval: '1',
      opens_at: '09:00',
      closes_at: '17:00',
      valid_from: '2026-01-01',
      valid_to: '2026-12-31',
      attending_type: 'In person',
      notes: 'Ring twice',
      schedule_link: 'https://hours.example.org',
      timezone: 'America/New_York',
    },
  ],
  holidaySchedules: [
    {
      id: 'y1',
      service_id: 's1',
      closed: '',
      opens_at: '10:00',
      closes_at: '12:00',
      start_date: '2026-12-24',
      end_date: '2026-12-25',
    },
  ],
  languages: [
    { id: 'g1', service_id: 's1', name: 'Spanish', note: 'Ask first' },
    { id: 'g2', phone_id: 'p1', name: 'Urdu' },
  ],
  eligibility: [{ id: 'e1', service_id: 's1', eligibility: 'Residents' }],
  accessibility: [
    {
      id: 'x1',
      location_id: 'l1',
      description: 'Ramp',
      accessibility: 'Lift',
      details: 'At the back',
      url: 'https://ramp.example.org',
    },
  ],
  serviceAreas: [
    { id: 'w1', service_id: 's1', name: 'Bay County', description: 'And around', extent: 'North Bay' },
  ],
  requiredDocuments: [{ id: 'd1', service_id: 's1', document: 'Passport', uri: 'https://form.example.org' }],
  costOptions: [
    {
      id: 'c1',
      service_id: 's1',
      option: 'Children',
      amount: '3',
      currency: 'usd',
      amount_description: 'a day',
      valid_from: '2026-01-01',
      valid_to: '2026-12-31',
    },
  ],
  paymentsAccepted: [{ id: 'y1', service_id: 's1', payment: 'Cash' }],
  serviceCapacities: [
    {
      id: 'k1',
      service_id: 's1',
      unit_id: 'u1',
      available: '3',
      maximum: '9',
      description: 'For women',
      updated: '2026-01-03',
    },
  ],
  units: [{ id: 'u1', name: 'beds' }],
  urls: [{ id: 'z1', service_id: 's1', label: 'Apply', url: 'https://apply.example.org' }],
  organizationIdentifiers: [
    {
      id: 'i1',
      organization_id: 'o1',
      identifier_scheme: 'US-EIN',
      identifier_type: 'EIN',
      identifier: '12-3456789',
    },
  ],
  attributes: [{ id: 't1', link_id: 's1', link_entity: 'service', taxonomy_term_id: 'x-1' }],
  terms: [{ id: 'x-1', code: '', name: 'Free Meals' }],
};

/** Where a column is carried only instead of another one, or with a certain value: the rows with which it is. */
const instead: Readonly<Record<string, readonly [Tables, string]>> = {
  'services.status': [{}, 'defunct'],
  'services.assured_date': [{}, '2026-02-03'],
  'services.last_modified': [{}, '2019-05-14T09:30:00Z'],
  'metadata.last_action_date': [
    {
      services: [{ ...full.services?.[0], last_modified: '' }],
      metadata: [{ resource_id: 's1', resource_type: 'service', last_action_date: '2018-05-14' }],
    },
    '2019-01-01',
  ],
  'services.minimum_age': [{}, '21'],
  'services.maximum_age': [{}, '65'],
  'services.url': [{}, 'https://other.example.org'],
  'services.email': [{}, 'other@example.org'],
  'organizations.url': [{ organizations: [{ id: 'o1', name: 'A', url: 'a.example.org' }] }, 'b.example.org'],
  'organizations.website': [{}, 'b.example.org'],
  'organizations.email': [withoutOwn('email', { email: 'a@example.org' }), 'b@example.org'],
  'organizations.description': [withoutOwn('description', { description: 'Aid.' }), 'More aid.'],
  'organizations.year_incorporated': [{}, '1971'],
  'organizations.parent_organization_id': [
    {
      organizations: [
        { id: 'o1', name: 'A', parent_organization_id: 'o2' },
        { id: 'o2', name: 'B' },
        { id: 'o3', name: 'C' },
      ],
    },
    'o3',
  ],
  'contacts.email': [{}, 'b@example.org'],
  'locations.location_type': [{}, 'virtual'],
  'locations.latitude': [{}, '26.5'],
  'locations.longitude': [{}, '-81.5'],
  'locations.confidential': [{}, 'true'],
  'phones.type': [{}, 'text'],
  'addresses.country': [{}, 'Canada'],
  'addresses.region': [{ addresses: [{ ...address, state_province: '', region: 'West' }] }, 'East'],
  'addresses.address_type': [{}, 'virtual'],
  'schedules.weekday': [schedule({ byday: '', weekday: 'Monday' }), 'Sunday'],
  'schedules.byday': [{}, 'FR'],
  'schedules.opens_at': [{}, '08:00'],
  'schedules.closes_at': [{}, '18:00'],
  'schedules.valid_from': [{}, '2026-02-01'],
  'schedules.dtstart': [schedule({ valid_from: '', dtstart: '2026-01-01' }), '2026-02-01'],
  'schedules.valid_to': [{}, '2026-11-30'],
  'schedules.until': [schedule({ valid_to: '', until: '2026-12-31' }), '2026-11-30'],
  'schedules.timezone': [{}, 'America/Chicago'],
  'holidaySchedules.closed': [
    { holidaySchedules: [{ ...full.holidaySchedules?.[0], closed: 'false' }] },
    'true',
  ],
  'holidaySchedules.opens_at': [{}, '09:00'],
  'holidaySchedules.closes_at': [{}, '13:00'],
  'holidaySchedules.start_date': [{}, '2026-12-23'],
  'holidaySchedules.end_date': [{}, '2026-12-26'],
  'schedules.original_text': [schedule({ original_text: 'Mon 9-5' }), 'Tue 9-5'],
  'schedules.description': [schedule({ description: 'Mon 9-5' }), 'Tue 9-5'],
  'languages.language': [{ languages: [{ service_id: 's1', language: 'Urdu' }] }, 'Thai'],
  'languages.code': [{ languages: [{ service_id: 's1', code: 'ur' }] }, 'th'],
  'accessibility.url': [{}, 'https://lift.example.org'],
  'serviceAreas.service_area': [{ serviceAreas: [{ service_id: 's1', service_area: 'Bay' }] }, 'Sea'],
  'requiredDocuments.uri': [{}, 'https://other.example.org'],
  'costOptions.amount': [{}, '4'],
  'costOptions.valid_from': [{}, '2026-02-01'],
  'costOptions.valid_to': [{}, '2026-11-30'],
  'serviceCapacities.updated': [{}, '2026-02-03'],
  'urls.url': [{}, 'https://other.example.org'],
  'urls.label': [{}, 'Register'],
  'attributes.taxonomy_term_id': [{}, 'BH-1800'],
  'attributes.taxonomy_id': [{ attributes: [{ link_id: 's1', taxonomy_id: 'BD-1800.2000' }] }, 'BH-1800'],
  'servicesTaxonomy.taxonomy_id': [taxonomy({ taxonomy_id: 'BD-1800.2000' }), 'BH-1800'],
  'servicesTaxonomy.taxonomy_term_id': [taxonomy({ taxonomy_term_id: 'BD-1800.2000' }), 'BH-1800'],
  'terms.code': [terms({ code: 'BD-1800.2000' }), 'BH-1800'],
  'terms.name': [{}, 'Housing Vouchers'],
  'terms.term': [terms({ term: 'Free Meals' }), 'Housing Vouchers'],
  'terms.taxonomy_facet': [terms({ code: 'BH-1800', taxonomy_facet: 'Service' }), 'Target Populations'],
  'terms.parent_id': [
    terms({ parent_id: 'BD-1800' }, { id: 'BD-1800', code: 'BD-1800' }, { id: 'BH-1800', code: 'BH-1800' }),
    'BH-1800',
  ],
  'terms.parent_name': [terms({ code: 'BH-1800', parent_name: 'Basic Needs' }), 'Target Populations'],
  'terms.taxonomy': [terms({ code: '1155', taxonomy: 'Open Eligibility' }), 'Another'],
  'terms.vocabulary': [terms({ code: '1155', vocabulary: 'Open Eligibility' }), 'Another'],
};

function withoutOwn(column: string, organization: Cells): Tables {
  return {
    services: [{ ...full.services?.[0], [column]: '' }],
    organizations: [{ id: 'o1', name: 'Harbor Aid', ...organization }],
  };
}
function schedule(cells: Cells): Tables {
  return { schedules: [{ ...full.schedules?.[0], ...cells }] };
}
function taxonomy(cells: Cells): Tables {
  return { servicesTaxonomy: [{ service_id: 's1', ...cells }], attributes: [], terms: [] };
}
function terms(cells: Cells, ...others: Cells[]): Tables {
  return { terms: [{ id: 'x-1', ...cells }, ...others] };
}

const filesOf = (tables: Tables): Files =>
  Object.fromEntries(
    Object.entries(tables).flatMap(([table, rows]) => {
      if (rows.length === 0) return [];
      const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
      const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))];
      const text = lines.map((cells) => cells.map((cell) => `"${cell}"`).join(',')).join('\n');
      return [[`${layouts[table as TableName].names[0]}.csv`, `${text}\n`]];
    }),
  );

async function read(tables: Tables) {
  const datapackage = await openDatapackage(await folderOf(filesOf(tables)));
  try {
    const items = await collect(datapackage.records());
    const [record] = recordsIn(items);
    const organizations = items.flatMap((item) => (item.kind === 'organization' ? [item.fields] : []));
    return { record, organizations, summary: datapackage.summary() };
  } finally {
    datapackage.close();
  }
}

const known = new Map<string, ReturnType<typeof read>>();
/** Most columns are compared with the same package. It is read once. */
function readOnce(tables: Tables): ReturnType<typeof read> {
  const key = JSON.stringify(tables);
  const reading = known.get(key) ?? read(tables);
  known.set(key, reading);
  return reading;
}

/** What the record says, without where its row stands. */
const said = ({ record, organizations }: Awaited<ReturnType<typeof read>>) => ({
  fields: record?.fields,
  status: record?.status,
  organizations,
});

const columns = (Object.keys(hsdsColumns) as TableName[]).flatMap((table) =>
  Object.entries<ColumnUse>(hsdsColumns[table]).map(([column, use]) => ({ table, column, use })),
);
const carried = columns.filter(({ use }) => 'to' in use);
const left = columns.filter(({ use }) => 'not' in use || 'repeats' in use);

describe('every column that is said to be carried changes the record', () => {
  it.each(carried.map(({ table, column }) => [`${table}.${column}`, table, column] as const))(
    '%s',
    async (name, table, column) => {
      const ofAddress = table === 'physicalAddresses' || table === 'postalAddresses';
      const [rows, other] = instead[ofAddress ? `addresses.${column}` : name] ?? [{}, 'Otherwise'];
      const before: Tables = ofAddress
        ? { ...full, addresses: [], [table]: rows.addresses ?? [address] }
        : { ...full, ...rows };
      const [first, ...further] = before[table] ?? [];
      const after = { ...before, [table]: [{ ...first, [column]: other }, ...further] };
      expect(first?.[column], 'a value to begin with').toBeDefined();
      expect(said(await read(after))).not.toEqual(said(await readOnce(before)));
    },
  );
});

describe('every other column is counted', () => {
  /** Columns that a file of the table must have. */
  const needed: Tables = {
    physicalAddresses: [{ location_id: 'l1' }],
    postalAddresses: [{ location_id: 'l1' }],
    holidaySchedules: [{ service_id: 's1' }],
    metadata: [{ resource_id: 's1', resource_type: 'service' }],
    servicesTaxonomy: [{ service_id: 's1', taxonomy_id: 'BD-1800' }],
  };
  it.each(Object.keys(hsdsColumns) as TableName[])('of %s', async (table) => {
    const name = layouts[table].names[0];
    const others = left.filter((each) => each.table === table).map(({ column }) => column);
    const [row = {}] = full[table] ?? needed[table] ?? [{ id: 'n1' }];
    const values = Object.fromEntries([...others, 'shoe_size'].map((column) => [column, 'something']));
    const package_ = {
      ...full,
      ...(table in needed ? { addresses: [] } : {}),
      [table]: [{ ...row, ...values }],
    };
    const counted = (await read(package_)).summary.not_carried.filter((each) => each.table === name);
    const ofHsds = counted.filter(({ column }) => column !== 'shoe_size');
    const asAWhole = ofHsds.some(({ column }) => column === undefined);
    expect(ofHsds.map(({ column }) => column).sort()).toEqual(asAWhole ? [undefined] : others.sort());
    expect(counted).toContainEqual({
      file: `${name}.csv`,
      table: name,
      column: 'shoe_size',
      rows: 1,
      why: 'HSDS has no such column',
    });
    for (const { rows, why } of counted) {
      expect(rows).toBe(1);
      expect(why).toMatch(/\w/);
    }
  });

  it('a file that HSDS does not have is reported as not carried', async () => {
    const datapackage = await openDatapackage(
      await folderOf({ ...filesOf(full), 'shoes.csv': 'id,size\n1,42\n' }),
    );
    await collect(datapackage.records());
    expect(datapackage.summary().not_carried).toEqual([
      { file: 'shoes.csv', rows: 0, why: 'HSDS has no such table' },
    ]);
    datapackage.close();
  });

  it('a package whose columns are all carried has an empty report', async () => {
    expect((await read(full)).summary).toEqual({
      not_carried: [],
      repaired_links: [],
      repaired_text: [],
      broken_links: [],
    });
  });
});
