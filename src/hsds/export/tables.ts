import type { Attribute } from './attributes.ts';
import { exportedTaxonomies, exportedTerms } from './attributes.ts';
import type { HsdsContact } from './contacts.ts';
import type { locationOf, ServiceAtLocation } from './locations.ts';
import type { HsdsOrganization, WholeOrganization } from './organization.ts';
import type { HsdsService } from './service.ts';

interface Column {
  readonly type: 'string' | 'number' | 'date' | 'datetime';
  readonly format?: 'uuid' | 'uri' | 'email';
}

const uuid: Column = { type: 'string', format: 'uuid' };
const uri: Column = { type: 'string', format: 'uri' };
const email: Column = { type: 'string', format: 'email' };
const words: Column = { type: 'string' };
const number: Column = { type: 'number' };
const date: Column = { type: 'date' };

/**
 * The tables of an exported datapackage with the columns that may have a value, by the names that HSDS 3.1 gives them
 * (datapackage.json of the specification). The columns `…_id` refer to the table that `references` names.
 */
export const exportedTables = {
  organizations: {
    id: uuid,
    name: words,
    alternate_name: words,
    description: words,
    email,
    website: uri,
    year_incorporated: number,
    legal_status: words,
    parent_organization_id: uuid,
  },
  organization_identifiers: {
    id: uuid,
    organization_id: uuid,
    identifier_scheme: words,
    identifier_type: words,
    identifier: words,
  },
  url: { id: uuid, organization_id: uuid, url: uri },
  services: {
    id: uuid,
    organization_id: uuid,
    name: words,
    alternate_name: words,
    description: words,
    url: uri,
    email,
    status: words,
    interpretation_services: words,
    application_process: words,
    fees_description: words,
    eligibility_description: words,
    minimum_age: number,
    maximum_age: number,
    assured_date: date,
    assurer_email: email,
    alert: words,
    last_modified: { type: 'datetime' },
  },
  locations: {
    id: uuid,
    organization_id: uuid,
    location_type: words,
    name: words,
    latitude: number,
    longitude: number,
    transportation: words,
  },
  service_at_location: { id: uuid, service_id: uuid, location_id: uuid },
  addresses: {
    id: uuid,
    location_id: uuid,
    address_1: words,
    city: words,
    state_province: words,
    postal_code: words,
    country: words,
    address_type: words,
  },
  accessibility: { id: uuid, location_id: uuid, description: words },
  contacts: {
    id: uuid,
    organization_id: uuid,
    service_id: uuid,
    name: words,
    title: words,
    department: words,
    email,
  },
  phones: {
    id: uuid,
    location_id: uuid,
    organization_id: uuid,
    service_id: uuid,
    service_at_location_id: uuid,
    contact_id: uuid,
    number: words,
    extension: number,
    type: words,
    description: words,
  },
  schedules: {
    id: uuid,
    location_id: uuid,
    service_id: uuid,
    service_at_location_id: uuid,
    valid_from: date,
    valid_to: date,
    freq: words,
    byday: words,
    opens_at: words,
    closes_at: words,
    description: words,
    notes: words,
  },
  languages: { id: uuid, service_id: uuid, phone_id: uuid, name: words },
  service_areas: { id: uuid, service_id: uuid, name: words },
  required_documents: { id: uuid, service_id: uuid, document: words },
  cost_options: { id: uuid, service_id: uuid, option: words, amount: number },
  attributes: {
    id: uuid,
    link_id: uuid,
    taxonomy_term_id: uuid,
    link_type: words,
    link_entity: words,
    value: words,
  },
  taxonomies: { id: uuid, name: words, description: words },
  taxonomy_terms: {
    id: uuid,
    code: words,
    name: words,
    description: words,
    taxonomy: words,
    taxonomy_id: uuid,
  },
} as const satisfies Record<string, Readonly<Record<string, Column>>>;

export type ExportedTable = keyof typeof exportedTables;
export const exportedTableNames = Object.keys(exportedTables) as ExportedTable[];

/** What the columns that name another table refer to. */
export const references: Readonly<Record<string, ExportedTable>> = {
  organization_id: 'organizations',
  service_id: 'services',
  location_id: 'locations',
  service_at_location_id: 'service_at_location',
  contact_id: 'contacts',
  phone_id: 'phones',
  taxonomy_term_id: 'taxonomy_terms',
  taxonomy_id: 'taxonomies',
};

/** A row, with more members than the table has columns. */
type Cells = Readonly<Record<string, unknown>>;
export type TableRow = readonly [ExportedTable, Cells];

/** The rows that stand in every export. */
export const fixedRows: readonly TableRow[] = [
  ...exportedTaxonomies.map((row): TableRow => ['taxonomies', { ...row }]),
  ...exportedTerms.map((row): TableRow => ['taxonomy_terms', { ...row }]),
];

/** The rows of an organization with all that belongs to it. */
export function rowsOfOrganization(organization: HsdsOrganization | WholeOrganization): TableRow[] {
  const {
    phones = [],
    contacts = [],
    locations = [],
    additional_websites,
    organization_identifiers,
    attributes,
  }: Partial<WholeOrganization> = organization;
  return [
    ['organizations', { ...organization }],
    ...rows('organization_identifiers', organization_identifiers),
    ...rows('url', additional_websites),
    ...rows(
      'attributes',
      additional_websites?.flatMap((each) => each.attributes ?? []),
    ),
    ...locations.flatMap((location) => [
      ...rowsOfLocation(location),
      ...phonesIn(location.phones ?? []),
      ...rows('schedules', location.schedules),
    ]),
    ...phonesIn(phones),
    ...contacts.flatMap(rowsOfContact),
    ...rows('attributes', attributes),
  ];
}

/** The rows of a service without its organization, in the order in which they refer to each other. */
export function rowsOf(service: HsdsService): TableRow[] {
  const { service_at_locations = [], phones = [], contacts = [] } = service;
  return [
    ['services', service],
    ...service_at_locations.flatMap(rowsOfPlace),
    ...phonesIn(phones),
    ...contacts.flatMap(rowsOfContact),
    ...rows('schedules', service.schedules),
    ...rows('languages', service.languages),
    ...rows('service_areas', service.service_areas),
    ...rows('required_documents', service.required_documents),
    ...rows('cost_options', service.cost_options),
    ...rows('attributes', service.attributes),
  ];
}

function rowsOfPlace(place: ServiceAtLocation): TableRow[] {
  const { location, phones = [], schedules } = place;
  return [
    ...(location ? rowsOfLocation(location) : []),
    ...rows('service_at_location', [place]),
    ...phonesIn(phones),
    ...rows('schedules', schedules),
  ];
}

const rowsOfLocation = (location: ReturnType<typeof locationOf>): TableRow[] => [
  ...rows('locations', [location]),
  ...rows('addresses', location.addresses),
  ...rows('accessibility', location.accessibility),
  ...rows('attributes', location.attributes),
];

const rowsOfContact = (contact: HsdsContact): TableRow[] => [
  ...rows('contacts', [contact]),
  ...phonesIn(contact.phones ?? []),
  ...rows('attributes', contact.attributes),
];

interface PhoneRow {
  readonly languages?: readonly Cells[];
  readonly attributes?: readonly Attribute[];
}

const phonesIn = (phones: readonly PhoneRow[]): TableRow[] =>
  phones.flatMap((phone) => [
    ...rows('phones', [{ ...phone }]),
    ...rows('languages', phone.languages),
    ...rows('attributes', phone.attributes),
  ]);

const rows = (table: ExportedTable, each: readonly object[] | undefined = []): TableRow[] =>
  each.map((row) => [table, { ...row }]);
