import type { PackageFiles } from './package-files.ts';
import type { RequiredColumns } from './table.ts';

/** One table of a datapackage: its file names without `.csv`, best first, and its required columns. */
export interface TableLayout {
  readonly names: readonly string[];
  readonly required: RequiredColumns;
}

const place = ['service_id', 'location_id', 'service_at_location_id'] as const;
const addressOwner = [['location_id', 'organization_id']] as const;

/**
 * The tables of HSDS 1.1, 2.0, 3.0 and 3.1. Publishers use singular and plural names. Source: the schemas and
 * datapackage.json of these versions (github.com/openreferral/specification).
 */
export const layouts = {
  services: { names: ['services', 'service'], required: [['id'], ['name']] },
  organizations: { names: ['organizations', 'organization'], required: [['id']] },
  programs: { names: ['programs', 'program'], required: [] },
  locations: { names: ['locations', 'location'], required: [] },
  servicesAtLocations: {
    names: ['service_at_locations', 'service_at_location', 'services_at_locations', 'services_at_location'],
    required: [['service_id'], ['location_id']],
  },
  phones: {
    names: ['phones', 'phone'],
    required: [['number'], [...place, 'organization_id', 'contact_id']],
  },
  contacts: { names: ['contacts', 'contact'], required: [] },
  addresses: { names: ['addresses', 'address'], required: addressOwner },
  physicalAddresses: { names: ['physical_addresses', 'physical_address'], required: addressOwner },
  postalAddresses: { names: ['postal_addresses', 'postal_address'], required: addressOwner },
  schedules: {
    names: ['schedules', 'schedule', 'regular_schedules', 'regular_schedule'],
    required: [place],
  },
  holidaySchedules: { names: ['holiday_schedules', 'holiday_schedule'], required: [place] },
  languages: {
    names: ['languages', 'language'],
    required: [
      ['language', 'name', 'code'],
      [...place, 'phone_id'],
    ],
  },
  eligibility: {
    names: ['eligibility', 'eligibilities'],
    required: [[...place, 'organization_id']],
  },
  accessibility: {
    names: ['accessibility', 'accessibilities', 'accessibility_for_disabilities'],
    required: [],
  },
  serviceAreas: { names: ['service_areas', 'service_area'], required: [] },
  requiredDocuments: { names: ['required_documents', 'required_document'], required: [] },
  costOptions: { names: ['cost_options', 'cost_option'], required: [] },
  paymentsAccepted: { names: ['payments_accepted', 'payment_accepted'], required: [] },
  funding: { names: ['funding', 'fundings'], required: [] },
  serviceCapacities: {
    names: ['service_capacities', 'service_capacity', 'service_capacitys'],
    required: [],
  },
  units: { names: ['units', 'unit'], required: [] },
  urls: { names: ['urls', 'url'], required: [] },
  organizationIdentifiers: { names: ['organization_identifiers', 'organization_identifier'], required: [] },
  attributes: {
    names: [
      'attributes',
      'attribute',
      'service_attributes',
      'service_attribute',
      'other_attributes',
      'other_attribute',
    ],
    required: [
      ['link_id', 'service_id'],
      ['taxonomy_term_id', 'taxonomy_id'],
    ],
  },
  servicesTaxonomy: {
    names: ['services_taxonomy', 'service_taxonomy', 'services_taxonomies', 'service_taxonomies'],
    required: [['service_id'], ['taxonomy_id', 'taxonomy_term_id']],
  },
  terms: {
    names: ['taxonomy_terms', 'taxonomy_term', 'taxonomy'],
    required: [['id'], ['name', 'term', 'code']],
  },
  taxonomies: { names: ['taxonomies'], required: [] },
  metadata: { names: ['metadata'], required: [] },
  tableDescriptions: { names: ['meta_table_descriptions', 'meta_table_description'], required: [] },
} as const satisfies Record<string, TableLayout>;

export type TableName = keyof typeof layouts;

/** The tables, services first: when its header is wrong, nothing else has to be read. */
export const tableNames = Object.keys(layouts) as readonly TableName[];

/** The columns that hold an id, by which rows are found. */
export const linkColumns = [
  'id',
  'service_id',
  'service_at_location_id',
  'location_id',
  'organization_id',
  'program_id',
  'contact_id',
  'phone_id',
  'parent_organization_id',
  'parent_id',
  'taxonomy_term_id',
  'taxonomy_id',
  'unit_id',
  'link_id',
  'resource_id',
] as const;

export type LinkColumn = (typeof linkColumns)[number];

/** The files of a table. Empty when the datapackage does not have it. */
export function filesOf(files: Pick<PackageFiles, 'names'>, table: TableName): string[] {
  return [...files.names].sort().flatMap((file) => (tableOf(file, files) === table ? [file] : []));
}

/** The table that a file holds. Undefined when HSDS has no such table. */
export function tableOf(file: string, files: Pick<PackageFiles, 'names'>): TableName | undefined {
  const name = stem(file);
  // `taxonomy` holds the terms in 1.1, and their taxonomies beside a file of terms.
  if (name === 'taxonomy' && files.names.some((other) => /^taxonomy_terms?$/.test(stem(other) ?? '')))
    return 'taxonomies';
  return name === undefined ? undefined : byName.get(name);
}

const byName = new Map<string, TableName>(
  tableNames.flatMap((table) => layouts[table].names.map((name) => [name, table] as const)),
);

/** The table of a name without `.csv`. */
export const tableOfName = (name: string): TableName | undefined => byName.get(name.toLowerCase());

/** The lower-case name without `.csv`; undefined for other files. */
const stem = (file: string): string | undefined => /^(.*)\.csv$/i.exec(file)?.[1]?.toLowerCase();

/** Files that HSDS 2 and 3 introduced. */
const newer = [
  'addresses',
  'address',
  'attributes',
  'attribute',
  'taxonomy_terms',
  'schedules',
  'schedule',
  'service_at_locations',
  'service_at_location',
];

/** The HSDS version of the datapackage, by its file names. */
export const versionOf = (files: PackageFiles): '1.1' | '3' =>
  files.names.some((file) => newer.includes(stem(file) ?? '')) || !hasTables(files) ? '3' : '1.1';

/** Whether the datapackage has CSV tables of services. Otherwise its JSON files are read. */
export const hasTables = (files: Pick<PackageFiles, 'names'>): boolean =>
  filesOf(files, 'services').length > 0;
