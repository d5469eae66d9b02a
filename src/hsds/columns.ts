import type { TableName } from './source/layout.ts';

/**
 * What becomes of a column of HSDS:
 *
 * - `to`: it is carried into this field of the record; with `when`, only there.
 * - `joins`: it tells which rows belong together, or in which order, and is nothing to show.
 * - `repeats`: many sources repeat in it what they say in this field; where it says something else, it is not carried.
 * - `not`: it is not carried, and why. An import counts the rows that have a value in it.
 *
 * Over 300 lines: it is one table, which is read as a whole.
 */
export type ColumnUse =
  | { readonly to: string; readonly when?: string }
  | { readonly joins: string }
  | { readonly repeats: string }
  | { readonly not: string };

const to = (field: string, when?: string): ColumnUse => ({
  to: field,
  ...(when === undefined ? {} : { when }),
});
const joins = (what: string): ColumnUse => ({ joins: what });
const repeats = (field: string): ColumnUse => ({ repeats: field });
const not = (why: string): ColumnUse => ({ not: why });

const id = joins('the order of rows');
const row = joins('the row itself');
const service = joins('the service');
const place = joins('the location of the service');
const organization = joins('the organization');

/** Also why a text that is only sometimes carried is not. */
export const noPlaceText = 'the record has no text about a place but how to get there and who can get in';
export const noOrganizationText =
  'the record is about the service; of its organization it has name and web address';

const noField = not('the record has no field for it');
const history = not('the directory keeps a history of its own');
const term = not('of a term only its name and the category that it stands for are kept');
const named = to('category, categories, taxonomy_terms');
const ofOrganization = not(noOrganizationText);
const ofPlace = not(noPlaceText);
const program = not('the record has no programs');
const dated = not('the record has the hours of a regular week, without single days');
const person = not('it may name a person');
const uri = not('the record has no identifiers of other systems');

const address = {
  id,
  location_id: place,
  organization_id: joins('the only location of the organization'),
  attention: person,
  address_1: to('locations[].street'),
  address_2: to('locations[].street'),
  address_3: to('locations[].street'),
  address_4: to('locations[].street'),
  city: to('locations[].city'),
  state_province: to('locations[].region'),
  region: to('locations[].region', 'where state_province is empty'),
  postal_code: to('locations[].postal_code'),
  country: to('locations[].country'),
} as const;

/**
 * Every table and column of HSDS 1.1, 2.0, 3.0 and 3.1, and what becomes of it. `docs/hsds.md` is written from it, and
 * what an import reports as not carried.
 */
export const hsdsColumns: Readonly<Record<TableName, Readonly<Record<string, ColumnUse>>>> = {
  services: {
    id: joins('the record: its id in the source'),
    organization_id: organization,
    program_id: joins('the organization of the program, where organization_id is empty'),
    location_id: place,
    name: to('name'),
    alternate_name: to('alternate_name'),
    description: to('description'),
    url: to('url'),
    email: to('email'),
    status: to('availability, and whether the record is public'),
    interpretation_services: to('interpretation'),
    application_process: to('how_to_apply'),
    wait_time: to('capacity'),
    fees: to('cost, free'),
    fees_description: to('cost, free'),
    accreditations: noField,
    licenses: noField,
    eligibility_description: to('eligibility'),
    minimum_age: to('ages, eligibility'),
    maximum_age: to('ages, eligibility'),
    assured_date: to('last_verified'),
    assurer_email: to('verified_by'),
    alert: to('alert'),
    last_modified: history,
  },
  organizations: {
    id: organization,
    name: to('organization.name'),
    alternate_name: repeats('alternate_name'),
    description: to('description', 'where the service has none'),
    email: to('email', 'where the service has none'),
    url: to('organization.url, and url where the service has none'),
    website: to('organization.url, and url where the service has none'),
    tax_status: ofOrganization,
    tax_id: ofOrganization,
    year_incorporated: ofOrganization,
    legal_status: ofOrganization,
    logo: ofOrganization,
    uri,
    parent_organization_id: ofOrganization,
  },
  programs: {
    id: joins('the program'),
    organization_id: organization,
    name: program,
    alternate_name: program,
    description: program,
  },
  locations: {
    id: place,
    organization_id: joins('the only service of the organization, where no row joins the two'),
    location_type: to('locations[].virtual'),
    name: to('locations[].name'),
    alternate_name: repeats('alternate_name'),
    description: repeats('description'),
    transportation: to('locations[].transportation'),
    latitude: to('locations[].latitude'),
    longitude: to('locations[].longitude'),
    confidential: to('locations[].confidential', 'a column that HSDS does not have'),
    url: ofPlace,
    external_identifier: uri,
    external_identifier_type: uri,
  },
  servicesAtLocations: { id: place, service_id: service, location_id: place, description: ofPlace },
  phones: {
    id,
    service_id: service,
    service_at_location_id: place,
    location_id: place,
    organization_id: joins('the organization, whose phones are carried where the service has none'),
    contact_id: joins('the contact'),
    number: to('phones[].number, locations[].phones[].number, contacts[].phones[].number'),
    extension: to('phones[].extension'),
    type: to('phones[].type; one that the record does not have, phones[].note'),
    department: to('phones[].note'),
    description: to('phones[].note'),
    language: to('phones[].languages'),
  },
  contacts: {
    id: joins('the contact'),
    organization_id: joins('the organization, whose contacts are carried where the service has none'),
    service_id: service,
    service_at_location_id: place,
    location_id: place,
    name: to('contacts[].name'),
    title: to('contacts[].title'),
    department: to('contacts[].department'),
    email: to('contacts[].email'),
  },
  addresses: { ...address, address_type: to('locations[].virtual; a physical address before a postal one') },
  physicalAddresses: address,
  postalAddresses: address,
  schedules: {
    id: row,
    service_id: service,
    service_at_location_id: place,
    location_id: place,
    weekday: to('hours, opening_hours[].days'),
    byday: to('hours, opening_hours[].days'),
    opens_at: to('hours, opening_hours[].opens'),
    closes_at: to('hours, opening_hours[].closes'),
    valid_from: to('opening_hours[].valid_from'),
    dtstart: to('opening_hours[].valid_from', 'where valid_from is empty'),
    valid_to: to('opening_hours[].valid_to'),
    until: to('opening_hours[].valid_to', 'where valid_to is empty'),
    original_text: to('hours'),
    description: to('hours'),
    attending_type: to('hours, opening_hours[].note'),
    notes: to('hours, opening_hours[].note'),
    schedule_link: to('hours'),
    timezone: to('time_zone', 'where it is an IANA name'),
    freq: joins('rows of every week, which alone become opening_hours'),
    interval: joins('rows of every week, which alone become opening_hours'),
    count: joins('rows of every week, which alone become opening_hours'),
    byweekno: joins('rows of every week, which alone become opening_hours'),
    bymonthday: joins('rows of every week, which alone become opening_hours'),
    byyearday: joins('rows of every week, which alone become opening_hours'),
    wkst: not('it matters to rows that are not of every week, which are not carried'),
  },
  holidaySchedules: {
    id: dated,
    service_id: dated,
    location_id: dated,
    service_at_location_id: dated,
    closed: dated,
    opens_at: dated,
    closes_at: dated,
    start_date: dated,
    end_date: dated,
  },
  languages: {
    id: row,
    service_id: service,
    service_at_location_id: place,
    location_id: place,
    phone_id: joins('the phone'),
    name: to('languages, phones[].languages'),
    language: to('languages, phones[].languages'),
    code: to('languages, phones[].languages', 'where there is no name'),
    note: to('interpretation'),
  },
  eligibility: {
    id: row,
    service_id: service,
    service_at_location_id: place,
    location_id: joins('the only service of the location'),
    organization_id: joins('the only service of the organization'),
    eligibility: to('eligibility'),
  },
  accessibility: {
    id,
    location_id: place,
    description: to('locations[].accessibility'),
    accessibility: to('locations[].accessibility'),
    details: to('locations[].accessibility'),
    url: to('locations[].accessibility'),
  },
  serviceAreas: {
    id,
    service_id: service,
    service_at_location_id: place,
    name: to('service_area'),
    service_area: to('service_area'),
    description: to('service_area'),
    extent: to('service_area', 'what is a name, and names in GeoJSON'),
    extent_type: not('it tells in which form an outline is, of which only names are kept'),
    uri,
  },
  requiredDocuments: { id, service_id: service, document: to('documents'), uri: to('documents') },
  costOptions: {
    id: row,
    service_id: service,
    option: to('cost'),
    amount: to('cost, free'),
    currency: to('cost'),
    amount_description: to('cost'),
    valid_from: to('cost'),
    valid_to: to('cost'),
  },
  paymentsAccepted: {
    id: row,
    service_id: service,
    payment: to('cost'),
  },
  funding: { id: noField, organization_id: noField, service_id: noField, source: noField },
  serviceCapacities: {
    id,
    service_id: service,
    unit_id: joins('the unit'),
    available: to('capacity'),
    maximum: to('capacity'),
    description: to('capacity'),
    updated: to('capacity'),
  },
  units: { id: joins('the capacity'), name: to('capacity'), scheme: uri, identifier: uri, uri },
  urls: {
    id,
    service_id: service,
    organization_id: joins('the organization'),
    label: to('how_to_apply', 'where it leads to where people apply'),
    url: to('url where there is no other, how_to_apply where it leads to where people apply'),
  },
  organizationIdentifiers: {
    id: uri,
    organization_id: uri,
    identifier_scheme: uri,
    identifier_type: uri,
    identifier: uri,
  },
  attributes: {
    id,
    link_id: service,
    service_id: service,
    taxonomy_term_id: named,
    taxonomy_id: named,
    link_entity: joins('the table that link_id names'),
    link_type: term,
    value: term,
    label: term,
  },
  servicesTaxonomy: {
    id: row,
    service_id: service,
    taxonomy_id: named,
    taxonomy_term_id: named,
    taxonomy_detail: term,
  },
  terms: {
    id: joins('the term'),
    code: to('category, categories'),
    name: named,
    term: named,
    taxonomy_facet: to('category, categories'),
    parent_id: to('category, categories'),
    parent_name: to('category, categories'),
    taxonomy: to('category, categories'),
    vocabulary: to('category, categories'),
    description: term,
    language: term,
    taxonomy_id: term,
    term_uri: term,
    uri: term,
  },
  taxonomies: { id: term, name: term, description: term, uri: term, version: term },
  metadata: {
    id: history,
    resource_id: history,
    resource_type: history,
    last_action_date: history,
    last_action_type: history,
    field_name: history,
    previous_value: history,
    replacement_value: history,
    updated_by: history,
  },
  tableDescriptions: { id: history, name: history, language: history, character_set: history },
};

/** Columns that say the same, the one that counts first. What the other one says besides is not carried. */
export const sameColumns: Partial<
  Readonly<Record<TableName, readonly (readonly [kept: string, other: string])[]>>
> = {
  organizations: [['website', 'url']],
  addresses: [['state_province', 'region']],
  physicalAddresses: [['state_province', 'region']],
  postalAddresses: [['state_province', 'region']],
  schedules: [
    ['byday', 'weekday'],
    ['valid_from', 'dtstart'],
    ['valid_to', 'until'],
    ['description', 'original_text'],
  ],
  languages: [['name', 'language']],
  serviceAreas: [['name', 'service_area']],
  attributes: [['taxonomy_term_id', 'taxonomy_id']],
  servicesTaxonomy: [['taxonomy_term_id', 'taxonomy_id']],
  terms: [['name', 'term']],
};
