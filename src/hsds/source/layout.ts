import type { PackageFiles } from './package-files.ts';
import type { RequiredColumns } from './table.ts';

/** One table of a datapackage: its file names, best first, and its required columns. */
export interface TableLayout {
  readonly names: readonly string[];
  readonly required: RequiredColumns;
}

const owner = ['service_id', 'location_id', 'service_at_location_id'] as const;

/**
 * The tables that are read, of HSDS 1.1 and 3.x. Publishers use singular and plural names. Source: the HSDS 1.1 and
 * 3.0 schemas (docs.openreferral.org).
 */
export const layouts = {
  services: { names: ['services', 'service'], required: [['id'], ['name']] },
  organizations: { names: ['organizations', 'organization'], required: [['id']] },
  phones: { names: ['phones', 'phone'], required: [['number'], [...owner, 'organization_id']] },
  physicalAddresses: { names: ['physical_addresses', 'physical_address'], required: [['location_id']] },
  postalAddresses: { names: ['postal_addresses', 'postal_address'], required: [['location_id']] },
  addresses: { names: ['addresses', 'address'], required: [['location_id']] },
  servicesAtLocations: {
    names: ['service_at_locations', 'service_at_location', 'services_at_locations', 'services_at_location'],
    required: [['service_id'], ['location_id']],
  },
  schedules: {
    names: ['schedules', 'schedule', 'regular_schedules', 'regular_schedule'],
    required: [owner],
  },
  languages: {
    names: ['languages', 'language'],
    required: [
      ['language', 'name', 'code'],
      [...owner, 'phone_id'],
    ],
  },
  eligibility: { names: ['eligibility', 'eligibilities'], required: [['service_id'], ['eligibility']] },
  attributes: {
    names: ['attributes', 'attribute', 'service_attributes', 'service_attribute'],
    required: [
      ['link_id', 'service_id'],
      ['taxonomy_term_id', 'taxonomy_id'],
    ],
  },
  servicesTaxonomy: {
    names: ['services_taxonomy', 'service_taxonomy', 'services_taxonomies', 'service_taxonomies'],
    required: [['service_id'], ['taxonomy_id', 'taxonomy_term_id']],
  },
  terms: { names: ['taxonomy_terms', 'taxonomy_term', 'taxonomy'], required: [['id'], ['name', 'code']] },
} as const satisfies Record<string, TableLayout>;

export type TableName = keyof typeof layouts;

/** The file of a table. Undefined when the datapackage does not have it. */
export function fileOf(files: PackageFiles, table: TableName): string | undefined {
  for (const name of layouts[table].names) {
    const found = files.names.filter((file) => file.toLowerCase() === `${name}.csv`).sort();
    if (found[0] !== undefined) return found[0];
  }
  return undefined;
}

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
  files.names.some((file) => newer.includes(file.toLowerCase().replace(/\.csv$/, ''))) ? '3' : '1.1';
